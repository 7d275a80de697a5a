import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

export interface WhisperCli {
  readonly program: string;
  readonly model: string;
  /** Without it nothing detects voices. */
  readonly vadModel?: string | undefined;
}

/** The program to compare with, or nothing when it is not set. */
export function whisperCli(): WhisperCli | undefined {
  const { WHISPER_CLI: program, WHISPER_CLI_MODEL: model, WHISPER_CLI_VAD_MODEL: vadModel } = process.env;
  if (!program !== !model) throw new Error("WHISPER_CLI and WHISPER_CLI_MODEL go together: program and model file");
  return program && model ? { program, model, vadModel } : undefined;
}

/** Runs the program on a WAV file: wall time of the whole process and the text without its time stamps. */
export async function runWhisperCli(
  { program, model, vadModel }: WhisperCli,
  wavFile: string,
  threads: number,
): Promise<{ milliseconds: number; text: string }> {
  const from = performance.now();
  const args = ["-m", model, "-f", wavFile, "-bs", "1", "-l", "auto", "-t", String(threads), "-np"];
  const vad = vadModel ? ["--vad", "-vm", vadModel] : [];
  const child = spawn(program, [...args, ...vad], { stdio: ["ignore", "pipe", "pipe"] });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  const milliseconds = performance.now() - from;
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${errors.trim().split("\n").at(-1)}`);
  const lines = output.split("\n").map((line) => line.replace(/^\s*\[[^\]]*\]/u, "").trim());
  return { milliseconds, text: lines.filter(Boolean).join(" ") };
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
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

/** Writes 16 kHz mono samples as 16-bit WAV. */
export async function writeWav(file: string, samples: Float32Array): Promise<void> {
  const rate = 16_000;
  const bytes = Buffer.alloc(44 + samples.length * 2);
  bytes.write("RIFF", 0, "latin1");
  bytes.writeUInt32LE(36 + samples.length * 2, 4);
  bytes.write("WAVEfmt ", 8, "latin1");
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write("data", 36, "latin1");
  bytes.writeUInt32LE(samples.length * 2, 40);
  for (const [index, sample] of samples.entries())
    bytes.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), 44 + index * 2);
  await writeFile(file, bytes);
}

import { readdirSync, readFileSync } from "node:fs";

export interface Process {
  readonly processId: number;
  readonly state: string;
  readonly session: number;
  /** Of processor time, in hundredths of a second. */
  readonly ticks: number;
  readonly command: string;
}

/** The processes that belong to the session of `leader`, which children keep when their parent dies. */
export function sessionOf(leader: number): Process[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(readProcess)
    .filter((one) => one?.session === leader) as Process[];
}

function readProcess(name: string): Process | undefined {
  try {
    const text = readFileSync(`/proc/${name}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return {
      processId: Number(name),
      state: fields[0]!,
      session: Number(fields[3]),
      ticks: Number(fields[11]) + Number(fields[12]),
      command: readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim(),
    };
  } catch {
    return undefined;
  }
}

export const isRecognizer = ({ command }: Process): boolean => command.includes("recognizer-child");
export const isDecoder = ({ command }: Process): boolean => command.includes("-nostdin");
/** It waits for the next file. */
export const isWarmDecoder = ({ command }: Process): boolean => command.includes("embedded-ffmpeg-child");

/** Whether the signal found its process. */
export function signal(processId: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(processId, name);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}

export function childrenOf(parent: number): number[] {
  return readdirSync(`/proc/${parent}/task`)
    .flatMap((task) => readFileSync(`/proc/${parent}/task/${task}/children`, "utf8").trim().split(" "))
    .filter(Boolean)
    .map(Number);
}

import { readdirSync, readFileSync } from "node:fs";

/** The processes that belong to the session of `leader`, which children keep when their parent dies. */
export function sessionOf(leader) {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(readProcess)
    .filter((one) => one?.session === leader);
}

function readProcess(name) {
  try {
    const text = readFileSync(`/proc/${name}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return {
      processId: Number(name),
      state: fields[0],
      session: Number(fields[3]),
      ticks: Number(fields[11]) + Number(fields[12]),
      command: readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim(),
    };
  } catch {
    return undefined;
  }
}

export const isRecognizer = ({ command }) => command.includes("recognizer-child");
export const isDecoder = ({ command }) => command.includes("-nostdin");
/** It waits for the next file. */
export const isWarmDecoder = ({ command }) => command.includes("embedded-ffmpeg-child");

/** Whether the signal found its process. */
export function signal(processId, name) {
  try {
    return process.kill(processId, name);
  } catch (error) {
    if (error.code === "ESRCH") return false;
    throw error;
  }
}

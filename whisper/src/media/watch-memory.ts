import { readFile } from "node:fs/promises";

const intervalMilliseconds = 100;

/**
 * Calls `onOverrun` once when the process holds more than `limitBytes` in memory. Where the system does not tell
 * (no /proc) nothing is watched and the limits inside the child are the only ones. Returns the function that stops.
 */
export function watchMemory(processId: number | undefined, limitBytes: number, onOverrun: () => void): () => void {
  if (processId === undefined || process.platform !== "linux") return () => undefined;
  const timer = setInterval(() => {
    void residentBytes(processId).then((bytes) => {
      if (bytes <= limitBytes) return;
      clearInterval(timer);
      onOverrun();
    });
  }, intervalMilliseconds);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}

async function residentBytes(processId: number): Promise<number> {
  const status = await readFile(`/proc/${processId}/status`, "latin1").catch(() => "");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}

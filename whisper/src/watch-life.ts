import { readdir, readFile } from "node:fs/promises";

const intervalMilliseconds = 500;
const mostSilentLooks = 6;
/** A tenth of the time between two looks, in hundredths of a second. */
const ticksOfWork = 5;

/**
 * Calls `onSilence` once when the process shows no sign of life for three seconds: it sent nothing, used no processor time,
 * and no thread of it is ready to run or waits for a disk. So one that is only slow is never taken for frozen. Time in which
 * this process stood still itself does not count. Where the system does not tell (no /proc) nothing is watched. Calls
 * `onWork` whenever the process has computed for a part of the time between two looks, or is about to.
 */
export function watchLife(
  processId: number | undefined,
  onSilence: () => void,
  onWork: () => void = () => undefined,
): { readonly sign: () => void; readonly stop: () => void } {
  if (processId === undefined || process.platform !== "linux") return { sign: () => undefined, stop: () => undefined };
  let silentLooks = 0;
  let ticks = -1;
  let isLooking = false;
  async function look(id: number): Promise<void> {
    const status = await statusOf(`/proc/${id}`);
    const isActiveNow = status !== undefined && (isActive(status.state) || (await hasActiveThread(id)));
    const isAlive = status === undefined || status.ticks !== ticks || isActiveNow;
    // A process that waits for its next job uses a little time, too.
    if (isActiveNow || (status !== undefined && ticks >= 0 && status.ticks - ticks >= ticksOfWork)) onWork();
    ticks = status?.ticks ?? -1;
    silentLooks = isAlive ? 0 : silentLooks + 1;
  }
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look(processId)
      .then(() => {
        if (silentLooks < mostSilentLooks) return;
        clearInterval(timer);
        onSilence();
      })
      .finally(() => (isLooking = false));
  }, intervalMilliseconds).unref();
  return { sign: () => void (silentLooks = 0), stop: () => clearInterval(timer) };
}

/** Running or ready to run, waiting for a disk, or held by a debugger. */
const isActive = (state: string): boolean => "RDt".includes(state);

async function hasActiveThread(processId: number): Promise<boolean> {
  const threads = await readdir(`/proc/${processId}/task`).catch(() => []);
  const statuses = await Promise.all(threads.map((thread) => statusOf(`/proc/${processId}/task/${thread}`)));
  return statuses.some((status) => status !== undefined && isActive(status.state));
}

/** State and used processor time; nothing when it has ended. */
async function statusOf(folder: string): Promise<{ state: string; ticks: number } | undefined> {
  const text = await readFile(`${folder}/stat`, "latin1").catch(() => undefined);
  // The name before it may hold anything.
  const fields = text?.slice(text.lastIndexOf(")") + 2).split(" ");
  return fields && { state: fields[0] ?? "", ticks: Number(fields[11]) + Number(fields[12]) };
}

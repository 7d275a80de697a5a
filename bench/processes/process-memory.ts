import { readdir, readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

export interface Memory {
  readonly megabytes: number;
  readonly processes: number;
  /** By part. */
  readonly parts: readonly number[];
}

/**
 * Proportional set size in megabytes of a process and all below it, and of those whose command line names one of `parts`;
 * Linux only.
 */
export async function memoryOfTree(processId: number, parts: readonly string[] = []): Promise<Memory> {
  const members = await Promise.all(
    (await processesOfTree(processId)).map(async (id) => ({
      command: await readFile(`/proc/${id}/cmdline`, "utf8").catch(() => ""),
      kilobytes: await proportionalKilobytes(id),
    })),
  );
  const sum = (some: typeof members): number => some.reduce((total, { kilobytes }) => total + kilobytes, 0) / 1_000;
  return {
    megabytes: sum(members),
    processes: members.length,
    parts: parts.map((part) => sum(members.filter(({ command }) => command.includes(part)))),
  };
}

/** The most that `memoryOfTree` saw, looking every so many milliseconds while `work` ran. */
export async function highestMemory(
  processId: number,
  { every, parts }: { readonly every: number; readonly parts?: readonly string[] },
  work: () => Promise<unknown>,
): Promise<Memory> {
  let highest = await memoryOfTree(processId, parts);
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      const now = await memoryOfTree(processId, parts);
      if (now.megabytes > highest.megabytes) highest = now;
      await pause(every);
    }
  })();
  try {
    await work();
  } finally {
    isDone = true;
    await watching;
  }
  return highest;
}

/** The ids of a process and of all below it. */
export async function processesOfTree(root: number): Promise<number[]> {
  const parents = new Map<number, number>();
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/u.test(name));
  await Promise.all(
    ids.map(async (id) => {
      const stat = await readFile(`/proc/${id}/stat`, "latin1").catch(() => "");
      // The program's name, in brackets, may hold anything.
      const parent = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1];
      if (parent !== undefined) parents.set(Number(id), Number(parent));
    }),
  );
  const isBelow = (id = 0): boolean => id === root || (id > 1 && isBelow(parents.get(id)));
  return [...parents.keys()].filter((id) => isBelow(id));
}

/** Zero for a process that has ended meanwhile. The kernel counts in units of 1,024 bytes. */
async function proportionalKilobytes(id: number): Promise<number> {
  const rollup = await readFile(`/proc/${id}/smaps_rollup`, "latin1").catch(() => "");
  return (Number(/^Pss:\s+(\d+) kB$/mu.exec(rollup)?.[1] ?? 0) * 1_024) / 1_000;
}

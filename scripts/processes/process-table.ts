import { readdirSync, readFileSync } from "node:fs";

/** A process as Linux lists it. */
export interface Process {
  readonly processId: number;
  readonly parent: number;
  readonly session: number;
  readonly state: string;
  /** Processor time, in hundredths of a second. */
  readonly ticks: number;
  /** Processor time of its children that ended. */
  readonly ticksOfChildren: number;
  readonly command: string;
}

const millisecondsPerTick = 10;

/** Undefined if the process has ended meanwhile. */
function readProcess(processId: number): Process | undefined {
  try {
    const text = readFileSync(`/proc/${processId}/stat`, "latin1");
    // The program's name, in brackets, may contain anything.
    const [state = "", ...fields] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const sum = (from: number): number => Number(fields[from]) + Number(fields[from + 1]);
    return {
      processId,
      parent: Number(fields[0]),
      session: Number(fields[2]),
      state,
      ticks: sum(10),
      ticksOfChildren: sum(12),
      command: readFileSync(`/proc/${processId}/cmdline`, "utf8").replaceAll("\0", " ").trim(),
    };
  } catch {
    return undefined;
  }
}

const allProcesses = (): Process[] =>
  readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? (readProcess(Number(name)) ?? []) : []));

/** The processes that belong to the session of `leader`, which children keep when their parent dies. */
export const sessionOf = (leader: number): Process[] => allProcesses().filter(({ session }) => session === leader);

export const childrenOf = (parent: number): number[] =>
  allProcesses().flatMap((one) => (one.parent === parent ? [one.processId] : []));

/** A process and all below it. */
export function treeOf(root: number): Process[] {
  const all = allProcesses();
  const parents = new Map(all.map(({ processId, parent }) => [processId, parent]));
  const isBelow = (id = 0): boolean => id === root || (id > 1 && isBelow(parents.get(id)));
  return all.filter(({ processId }) => isBelow(processId));
}

/** Milliseconds that a process and its descendants have computed, including those that ended. */
export const processorTimeOf = (root: number): number =>
  treeOf(root).reduce((sum, { ticks, ticksOfChildren }) => sum + (ticks + ticksOfChildren) * millisecondsPerTick, 0);

/** Proportional set size of processes in megabytes, without those that have ended meanwhile. */
export const megabytesOf = (processes: readonly Process[]): number =>
  processes.reduce((sum, { processId }) => sum + kibibytesOf(processId), 0) * (1_024 / 1e6);

function kibibytesOf(processId: number): number {
  try {
    const rollup = readFileSync(`/proc/${processId}/smaps_rollup`, "latin1");
    return Number(/^Pss:\s+(\d+) kB$/mu.exec(rollup)?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Returns false if the process is gone. */
export function signal(processId: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(processId, name);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}

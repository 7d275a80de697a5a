import { readFileSync, readdirSync } from "node:fs";
import { afterAll } from "vitest";

// Linux counts in hundredths of a second, whatever the kernel's tick rate.
const ticksPerSecond = 100;

const before = processorSeconds();
// oxlint-disable-next-line no-empty-pattern -- the test runner requires a pattern here, even an empty one
afterAll(({}, file) => {
  Object.assign(file.meta, { processorSeconds: processorSeconds() - before });
});

/**
 * Processor time of this process, of its finished children, and of its running descendants. A process that leaves this tree
 * while it runs, as parts of a browser do, counts until then.
 */
function processorSeconds() {
  const stats = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap(readStat);
  const inTree = new Set([process.pid]);
  let size = 0;
  while (size < inTree.size) {
    size = inTree.size;
    for (const { pid, parent } of stats) if (inTree.has(parent)) inTree.add(pid);
  }
  return stats.filter(({ pid }) => inTree.has(pid)).reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond;
}

/** @param {string} pid */
function readStat(pid) {
  try {
    // A program's name may contain spaces and brackets, so fields are counted from its end.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    const [parent = 0, ...times] = [1, 11, 12, 13, 14].map((at) => Number(fields[at]));
    return [{ pid: Number(pid), parent, ticks: times.reduce((sum, time) => sum + time, 0) }];
  } catch {
    return [];
  }
}

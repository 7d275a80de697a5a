import { openSync, readSync } from "node:fs";

/**
 * Watches for how long the main thread computes before it can serve somebody else. Only its own processor time counts, so that
 * what other programs take of the machine makes no hold.
 */
export function createHoldWatch(): { start(): void; stop(): number } {
  const processorTime = createProcessorClock();
  let isOn = false;
  let longest = 0;
  let last = 0;
  const turn = (): void => {
    const now = processorTime();
    longest = Math.max(longest, now - last);
    last = now;
    if (isOn) setImmediate(turn);
  };
  return {
    start() {
      longest = 0;
      last = processorTime();
      isOn = true;
      setImmediate(turn);
    },
    stop() {
      isOn = false;
      return longest;
    },
  };
}

/** Milliseconds of the main thread; elsewhere than on Linux those of the clock on the wall. */
function createProcessorClock(): () => number {
  if (process.platform !== "linux") return () => performance.now();
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, "r");
  const buffer = Buffer.alloc(64);
  return () => {
    const length = readSync(file, buffer, 0, buffer.length, 0);
    return Number(buffer.toString("latin1", 0, length).split(" ", 1)[0]) / 1e6;
  };
}

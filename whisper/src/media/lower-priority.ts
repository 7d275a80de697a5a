import { constants, setPriority } from "node:os";

/** Answering calls goes before recognizing and decoding: a child that uses all cores would hold them up otherwise. */
export function lowerPriority(processId: number | undefined): void {
  if (processId === undefined) return;
  try {
    setPriority(processId, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already, or the system doesn't let us.
  }
}

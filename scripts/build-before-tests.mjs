import { constants, setPriority } from "node:os";
import { buildExtension } from "./build-extension.mjs";
import { build } from "./build.mjs";

export function setup() {
  const failure = build({ programs: true }) ?? buildExtension();
  if (failure !== undefined) throw new Error(failure);
  // That of the recognizer's process, which would starve beside tests that go before it.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}

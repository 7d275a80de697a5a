import { mkdtempSync, rmSync } from "node:fs";
import { constants, setPriority, tmpdir } from "node:os";
import path from "node:path";
import { buildExtension } from "./build-extension.mjs";
import { build } from "./build.mjs";

export function setup() {
  const failure = build({ programs: true }) ?? buildExtension();
  if (failure !== undefined) throw new Error(failure);
  // That of the recognizer's process, which would starve beside tests that go before it.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  // Workers inherit it: what one of them has read of a reel, no other reads again.
  const readings = mkdtempSync(path.join(tmpdir(), "reelscript-readings-"));
  process.env.TEST_READINGS = readings;
  return () => rmSync(readings, { recursive: true, force: true });
}

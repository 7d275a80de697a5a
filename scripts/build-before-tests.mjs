import { mkdtempSync, rmSync } from "node:fs";
import { constants, setPriority, tmpdir } from "node:os";
import path from "node:path";
import { buildExtension } from "./build-extension.mjs";
import { build } from "./build.mjs";

export function setup() {
  const failure = build({ programs: true }) ?? buildExtension();
  if (failure !== undefined) throw new Error(failure);
  // Gives tests the priority of the recognizer's process, which would starve if tests came first.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  // Workers inherit it, so that no two of them recognize the same reel.
  const readings = mkdtempSync(path.join(tmpdir(), "reelscript-readings-"));
  process.env.TEST_READINGS = readings;
  return () => rmSync(readings, { recursive: true, force: true });
}

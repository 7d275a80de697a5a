import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { temporaryPlace } from "../harness/temporary-place.ts";

/** A directory of its own for a test, and the function that removes it. */
export async function makeTemporaryDirectory() {
  const directory = await mkdtemp(path.join(temporaryPlace, "reelscript-test-"));
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) };
}

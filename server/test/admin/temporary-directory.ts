import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** A directory of its own for a test, and the function that removes it. */
export async function makeTemporaryDirectory() {
  const directory = await mkdtemp(path.join(tmpdir(), "reelscript-test-"));
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) };
}

import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { temporaryPlace } from "./temporary-place.ts";

const newPath = (parent: string): string => path.join(parent, `reelscript-test-${randomUUID().slice(0, 8)}`);
function make(directory: string): void {
  mkdirSync(directory, { mode: 0o700 });
}
const remove = (directory: string) => rmSync(directory, { recursive: true, force: true });

/** A directory that exists from before the first of the surrounding tests until everything has been closed after the last. */
export function directoryOfTests(parent = temporaryPlace): string {
  const directory = newPath(parent);
  beforeAll(() => make(directory));
  afterAll(() => remove(directory));
  return directory;
}

/** A directory for the running test. */
export function directoryOfTest(parent = temporaryPlace): string {
  const directory = newPath(parent);
  make(directory);
  onTestFinished(() => remove(directory));
  return directory;
}

import { randomUUID } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { temporaryPlace } from "./temporary-place.ts";

const newPath = (place: string): string => path.join(place, `reelscript-test-${randomUUID().slice(0, 8)}`);
function make(directory: string): void {
  mkdirSync(directory, { mode: 0o700 });
}
const remove = (directory: string) => rmSync(directory, { recursive: true, force: true });

/** A directory that exists from before the first of the surrounding tests until everything has been closed after the last. */
export function directoryOfTests(place = temporaryPlace): string {
  const directory = newPath(place);
  beforeAll(() => make(directory));
  afterAll(() => remove(directory));
  return directory;
}

/** A directory for the running test. */
export function directoryOfTest(place = temporaryPlace): string {
  const directory = newPath(place);
  make(directory);
  onTestFinished(() => remove(directory));
  return directory;
}

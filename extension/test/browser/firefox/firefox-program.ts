import { existsSync } from "node:fs";
import { describe } from "vitest";
import { lackingForRoad } from "../../../../scripts/processes/start-platform-road.ts";

const usualPaths = [
  "/usr/bin/firefox-esr",
  "/usr/bin/firefox",
  "/snap/bin/firefox",
  "/Applications/Firefox.app/Contents/MacOS/firefox",
];

const { FIREFOX } = process.env;

/** The program in `FIREFOX`, or else at the usual paths; an empty `FIREFOX` means none. */
export const firefoxProgram =
  FIREFOX === undefined ? usualPaths.find((usual) => existsSync(usual)) : FIREFOX || undefined;

const lackingFirefox =
  firefoxProgram === undefined
    ? "no Firefox. Install one, on Debian with `apt install firefox-esr`, or name one in FIREFOX"
    : lackingForRoad;

/** A group of tests that need Firefox; its name says why it is skipped, so that nobody takes skipped for passed. */
export function describeInFirefox(name: string, tests: () => void): void {
  const reason = lackingFirefox === undefined ? "" : ` (skipped: ${lackingFirefox})`;
  describe.skipIf(lackingFirefox !== undefined)(name + reason, () => {
    tests();
  });
}

import { existsSync } from "node:fs";

const usualPaths = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

const { CHROMIUM } = process.env;

/** What `CHROMIUM` names, or what stands where it usually does; an empty `CHROMIUM` means none. */
export const chromiumProgram =
  CHROMIUM === undefined ? usualPaths.find((path) => existsSync(path)) : CHROMIUM || undefined;

/** Put behind the name of a group of tests, so that nobody takes skipped for passed. */
export const unlessSkipped =
  chromiumProgram === undefined
    ? " (skipped: no Chromium. Install one, on Debian with `apt install chromium`, or name one in CHROMIUM)"
    : "";

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hashOfSources, root } from "./hash-of-sources.mjs";
import { writeZip } from "./write-zip.mjs";

const folder = path.join(root, "extension");
const output = path.join(folder, ".output");
const stamp = path.join(output, "built-from.txt");

export const browsers = ["chrome", "firefox"];
const sources = ["extension/src", "extension/public", "extension/build.mjs", "extension/package.json"];
const alsoReadAtBuild = [
  "contract/src",
  "client/src",
  "web/src/fonts",
  "web/src/styles",
  "package-lock.json",
  "scripts/build-extension.mjs",
  "scripts/write-zip.mjs",
];

/**
 * The folder from which a browser can load the unpacked extension.
 * @param {string} browser
 */
export const unpacked = (browser) => path.join(output, `${browser}-mv3`);

/**
 * The file for a browser's extension store.
 * @param {string} browser
 */
export const packed = (browser) => path.join(output, `reelscript-${browser}.zip`);

/**
 * Builds the extension for both browsers if its sources changed: unpacked, and as a file for the stores. The same sources
 * give the same bytes. Returns what went wrong, or `undefined`.
 */
export function buildExtension() {
  const hash = hashOfSources([...sources, ...alsoReadAtBuild]);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return undefined;
  const run = spawnSync(process.execPath, [path.join(folder, "build.mjs")], {
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (run.status !== 0)
    return `The extension could not be built.\n${run.stdout}${run.stderr}${run.error?.message ?? ""}`.trimEnd();
  for (const browser of browsers) writeZip(packed(browser), unpacked(browser));
  writeFileSync(stamp, hash);
  return undefined;
}

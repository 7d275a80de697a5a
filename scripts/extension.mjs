import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { browsers, buildExtension, packed, unpacked } from "./build-extension.mjs";

const failure = buildExtension();
if (failure !== undefined) {
  console.error(failure);
  process.exitCode = 1;
} else
  for (const browser of browsers) {
    const bytes = readFileSync(packed(browser));
    console.log(`${browser}  ${(bytes.length / 1_000).toFixed(1)} kB  ${relativePath(packed(browser))}`);
    console.log(`  sha256  ${createHash("sha256").update(bytes).digest("hex")}`);
    console.log(`  to try  ${relativePath(unpacked(browser))}`);
  }

/** @param {string} file */
function relativePath(file) {
  return path.relative(process.cwd(), file);
}

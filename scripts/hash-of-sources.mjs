import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/**
 * Hashes files and whole folders, by their paths from the root: the hash changes with any name or byte.
 * @param {readonly string[]} places
 */
export function hashOfSources(places) {
  const hash = createHash("sha256");
  for (const place of [...places, "scripts/hash-of-sources.mjs"])
    for (const file of filesIn(path.join(root, place)))
      hash.update(`${path.relative(root, file)}\0`).update(createHash("sha256").update(readFileSync(file)).digest());
  return hash.digest("hex");
}

/**
 * @param {string} place
 * @returns {string[]}
 */
export function filesIn(place) {
  if (statSync(place).isFile()) return [place];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

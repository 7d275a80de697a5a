// Removes the files in node_modules that a service on this platform never reads: speech libraries of other platforms, the
// second build of ffmpeg, types and source maps. Used for images; npm ci restores everything.
import { readdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const modules = path.join(path.dirname(path.dirname(fileURLToPath(import.meta.url))), "node_modules");
const before = bytesOf(modules);

const speech = path.join(modules, "onnxruntime-node", "bin");
for (const version of folders(speech))
  for (const platform of folders(path.join(speech, version)))
    for (const architecture of folders(path.join(speech, version, platform)))
      if (platform !== process.platform || architecture !== process.arch)
        rmSync(path.join(speech, version, platform, architecture), { recursive: true });
// All of the service's code is modules, and modules load the other build.
rmSync(path.join(modules, "@ffmpeg", "core", "dist", "umd"), { recursive: true, force: true });
for (const entry of readdirSync(modules, { recursive: true, withFileTypes: true }))
  if (entry.isFile() && /\.(map|d\.[cm]?ts)$/.test(entry.name)) rmSync(path.join(entry.parentPath, entry.name));

/** @param {number} bytes */
const megabytes = (bytes) => `${Math.round(bytes / 1_000_000)} MB`;
console.log(`node_modules: ${megabytes(before)} before, ${megabytes(bytesOf(modules))} now`);

/** @param {string} folder */
function folders(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

/** @param {string} folder */
function bytesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0);
}

import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { filesIn, hashOfSources, root } from "./hash-of-sources.mjs";

const folder = path.join(root, "web");
const built = path.join(folder, "dist");
/** On the same disk as the result, so that a rename puts the result in place. */
const workshop = path.join(folder, ".output");
const stamp = "built-from.txt";

const sources = ["web/src", "web/public", "web/index.html", "web/vite.config.ts", "web/package.json"];
const alsoReadAtBuild = ["contract/src", "client/src", "package-lock.json", "scripts/build-dashboard.mjs"];
const worthCompressing = /\.(js|css|html|svg)$/;

export const isDashboardBuilt = () => existsSync(path.join(built, "index.html"));

/**
 * Builds the dashboard if its sources changed, after the contract was built. Several processes may build at a time: each has
 * its own folder, and the last result stays. Returns what went wrong, or `undefined`.
 */
export function buildDashboard() {
  const vite = findVite();
  if (vite === undefined) return undefined;
  const hash = hashOfSources([...sources, ...alsoReadAtBuild]);
  if (readStamp() === hash) return undefined;
  const fresh = path.join(workshop, randomUUID());
  const run = spawnSync(process.execPath, [vite, "build", "--outDir", fresh, "--logLevel", "warn"], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (run.status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    return `The dashboard could not be built.\n${run.stdout}${run.stderr}${run.error?.message ?? ""}`.trimEnd();
  }
  compress(fresh);
  writeFileSync(path.join(fresh, stamp), hash);
  putInPlace(fresh);
  removeRemains();
  return undefined;
}

function findVite() {
  try {
    const manifest = createRequire(path.join(folder, "package.json")).resolve("vite/package.json");
    return path.join(path.dirname(manifest), JSON.parse(readFileSync(manifest, "utf8")).bin.vite);
  } catch {
    return undefined;
  }
}

function readStamp() {
  try {
    return readFileSync(path.join(built, stamp), "utf8");
  } catch {
    return undefined;
  }
}

/**
 * Compresses files once here instead of on every request.
 * @param {string} place
 */
function compress(place) {
  for (const file of filesIn(place).filter((name) => worthCompressing.test(name))) {
    const plain = readFileSync(file);
    writeFileSync(`${file}.gz`, gzipSync(plain, { level: 9 }));
    const quality = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
    writeFileSync(`${file}.br`, brotliCompressSync(plain, { params: quality }));
  }
}

/** @param {unknown} error */
const codeOf = (error) => (error instanceof Error && "code" in error ? String(error.code) : "");

/** @param {string} fresh */
function putInPlace(fresh) {
  mkdirSync(workshop, { recursive: true });
  for (let left = 20; ; left -= 1) {
    const old = path.join(workshop, randomUUID());
    try {
      renameSync(built, old);
      rmSync(old, { recursive: true, force: true });
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
    }
    try {
      renameSync(fresh, built);
      return;
    } catch (error) {
      // Another build has put its result in place meanwhile.
      if (left === 0 || !["ENOTEMPTY", "EEXIST", "EPERM"].includes(codeOf(error))) throw error;
    }
  }
}

/** Removes the remains of interrupted builds. */
function removeRemains() {
  const hourAgo = Date.now() - 3_600_000;
  for (const name of readdirSync(workshop)) {
    const place = path.join(workshop, name);
    if ((statSync(place, { throwIfNoEntry: false })?.mtimeMs ?? hourAgo) < hourAgo)
      rmSync(place, { recursive: true, force: true });
  }
}

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { buildDashboard, isDashboardBuilt } from "./build-dashboard.mjs";
import { bundleServer } from "./bundle-server.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/**
 * Builds the packages and skips those that are up to date, which takes well under a second. Prints nothing on success.
 * Without a compiler (an installation without development dependencies) it uses the previous build.
 * `programs` adds those of bench/, faults/ and scripts/. Returns what went wrong, or `undefined`.
 */
export function build({ programs = false } = {}) {
  const packages = builtPackages();
  const compiler = findCompiler();
  if (compiler === undefined) {
    const missing = packages.filter((name) => !existsSync(path.join(root, name, "dist")));
    if (!isDashboardBuilt()) missing.push("web");
    if (missing.length === 0) return undefined;
    return `${missing.join(", ")}: not built, and TypeScript is not installed. Install with development dependencies first: npm install --include=dev`;
  }
  const run = spawnSync(
    process.execPath,
    [compiler, "--build", ...packages, ...(programs ? ["tsconfig.programs.json"] : [])],
    { cwd: root, encoding: "utf8" },
  );
  if (run.status === 0) return bundleServer() ?? buildDashboard() ?? prepareDatabase();
  return `The build failed.\n${run.stdout}${run.stderr}${run.error?.message ?? ""}`.trimEnd();
}

/** Prepares a database with all tables, which a first start copies instead of computing it for seconds. */
function prepareDatabase() {
  const folder = path.join(root, "server", "dist");
  if (isPrepared(folder)) return undefined;
  const prepare = 'import("./adapters/database/prepared-database.js").then((module) => module.prepareDatabase())';
  const run = spawnSync(process.execPath, ["-e", prepare], { cwd: folder, encoding: "utf8" });
  return run.status === 0 ? undefined : `The database could not be prepared.\n${run.stderr}`.trimEnd();
}

/**
 * True if the prepared database is newer than all migrations and functions; its name shows exactly which they are, but costs a process.
 * @param {string} folder
 */
function isPrepared(folder) {
  const prepared = readdirSync(folder).find((name) => /^prepared-database-[0-9a-f]+$/.test(name));
  if (prepared === undefined) return false;
  const { mtimeMs } = statSync(path.join(folder, prepared));
  const database = path.join(folder, "adapters", "database");
  return ["migrations", "functions"]
    .flatMap((kind) =>
      readdirSync(path.join(database, kind), { recursive: true }).map((name) =>
        path.join(database, kind, String(name)),
      ),
    )
    .every((file) => statSync(file).mtimeMs <= mtimeMs);
}

/**
 * The folders among the references of the root `tsconfig.json`; tests are checked, not built.
 * @returns {string[]}
 */
function builtPackages() {
  const { references } = JSON.parse(readFileSync(path.join(root, "tsconfig.json"), "utf8"));
  return references.flatMap((/** @type {{ path: string }} */ { path: name }) => (name.endsWith(".json") ? [] : name));
}

function findCompiler() {
  try {
    const manifest = createRequire(import.meta.url).resolve("typescript/package.json");
    return path.join(path.dirname(manifest), JSON.parse(readFileSync(manifest, "utf8")).bin.tsc);
  } catch {
    return undefined;
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(realpathSync(process.argv[1])).href) {
  const failure = build();
  if (failure !== undefined) {
    console.error(failure);
    process.exitCode = 1;
  }
}

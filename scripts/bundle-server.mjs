// Bundles the server's compiled programs with most libraries into few files, so that a start reads its code in half the time.
// Everything else starts from its modules, as without a bundler.
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { hashOfSources, root } from "./hash-of-sources.mjs";

const programs = {
  service: "server/dist/main.js",
  admin: "server/dist/admin/main.js",
  "job-thread": "server/dist/threads/job-thread.js",
};
const sources = ["contract/src", "whisper/src", "platform-standin/src", "server/src"];
const alsoReadAtBuild = ["package-lock.json", "scripts/bundle-server.mjs"];
/** Each bundle has its own folder, because a process loads some of its files only when it needs them. */
const folder = path.join(root, "server", "dist", "bundles");
/** How many older bundles are kept for processes that still run them. */
const olderBundles = 3;

/** Libraries with native code or adjacent files, and those that few processes need. */
const outside = new RegExp(
  `^(${[
    "@electric-sql/pglite",
    "@fastify/ajv-compiler",
    "@fastify/fast-json-stringify-compiler",
    "@ffmpeg/core",
    "@opentelemetry/.+",
    "oidc-provider",
    "onnxruntime-node",
    "pg",
    "pino",
    "prom-client",
    "sharp",
    "stripe",
  ].join("|")})(/|$)`,
);

/** Bundles what changed since the last time. Returns what went wrong, or `undefined`. */
export function bundleServer() {
  if (findBundler() === undefined) {
    // An earlier build's bundle would be older than the modules.
    for (const name of Object.keys(programs)) rmSync(entryOf(name), { force: true });
    return undefined;
  }
  const hash = hashOfSources([...sources, ...alsoReadAtBuild]).slice(0, 16);
  if (Object.keys(programs).every((name) => readEntry(name) === entryText(name, hash))) return undefined;
  const run = spawnSync(process.execPath, [fileURLToPath(import.meta.url), hash], { encoding: "utf8" });
  return run.status === 0
    ? undefined
    : `The server could not be bundled.\n${run.stdout}${run.stderr}${run.error?.message ?? ""}`.trimEnd();
}

/** @param {string} hash */
async function bundle(hash) {
  const place = path.join(folder, hash);
  const fresh = path.join(folder, randomUUID());
  mkdirSync(fresh, { recursive: true });
  const { rolldown } = await import(pathToFileURL(findBundler() ?? "").href);
  const built = await rolldown({
    input: Object.fromEntries(Object.entries(programs).map(([name, file]) => [name, path.join(root, file)])),
    cwd: root,
    platform: "node",
    external: outside,
    plugins: [
      {
        name: "places",
        transform: (/** @type {string} */ code, /** @type {string} */ id) => keepPlace(code, id, place),
      },
    ],
    onLog: (/** @type {string} */ level, /** @type {{ message: string }} */ { message }) => {
      if (level === "warn") throw new Error(message);
    },
  });
  await built.write({ dir: fresh, format: "esm", entryFileNames: "[name].js", chunkFileNames: "[name].js" });
  putInPlace(fresh, place);
  for (const name of Object.keys(programs)) {
    const entry = path.join(folder, randomUUID());
    writeFileSync(entry, entryText(name, hash));
    renameSync(entry, entryOf(name));
  }
  removeOlder(hash);
}

/**
 * Writes a module's original place into it, so that it still finds adjacent files and programs.
 * @param {string} code
 * @param {string} id
 * @param {string} place
 */
function keepPlace(code, id, place) {
  if (id.includes("node_modules") && /\b__(dirname|filename)\b/.test(code))
    throw new Error(`${id} reads files beside it, which a bundle doesn't have: name its library among those outside`);
  if (!code.includes("import.meta.url")) return undefined;
  const from = path.relative(place, id).replaceAll(path.sep, "/");
  return {
    code: code.replaceAll("import.meta.url", `new URL(${JSON.stringify(from)}, import.meta.url).href`),
    map: null,
  };
}

/**
 * @param {string} fresh
 * @param {string} place
 */
function putInPlace(fresh, place) {
  try {
    renameSync(fresh, place);
  } catch {
    // Another build finished the same bundle first, or an interrupted run left it without entries.
    rmSync(fresh, { recursive: true });
  }
}

/** @param {string} hash */
function removeOlder(hash) {
  const bundles = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== hash)
    .map(({ name }) => path.join(folder, name))
    .map((place) => ({ place, moment: statSync(place, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((one, other) => other.moment - one.moment);
  for (const { place } of bundles.slice(olderBundles)) rmSync(place, { recursive: true, force: true });
}

/** @param {string} name */
function entryOf(name) {
  return path.join(folder, `${name}.js`);
}

/**
 * @param {string} name
 * @param {string} hash
 */
function entryText(name, hash) {
  return `import "./${hash}/${name}.js";\n`;
}

/** @param {string} name */
function readEntry(name) {
  try {
    return readFileSync(entryOf(name), "utf8");
  } catch {
    return undefined;
  }
}

/** The bundler of the dashboard's build tool, which is only installed with development dependencies. */
function findBundler() {
  try {
    const vite = createRequire(path.join(root, "web", "package.json")).resolve("vite/package.json");
    return createRequire(vite).resolve("rolldown");
  } catch {
    return undefined;
  }
}

const [, program, bundleHash] = process.argv;
if (program === fileURLToPath(import.meta.url) && bundleHash !== undefined) await bundle(bundleHash);

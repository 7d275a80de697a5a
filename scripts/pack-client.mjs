// Packs the client as one package that needs no other: reelscript-client-VERSION.tgz in client/.output, or in the folder given.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "./build.mjs";
import { flattenDeclarations, operationTypes } from "./client-types.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const client = path.join(root, "client");
const contract = path.join(root, "contract/dist");
const target = path.resolve(process.argv[2] ?? path.join(client, ".output"));
const mostBytes = 20_000;

const failure = build();
if (failure !== undefined) throw new Error(failure);
const folder = mkdtempSync(path.join(tmpdir(), "reelscript-client-"));
try {
  await bundle();
  await declare();
  describe();
  const file = pack();
  const { size } = statSync(file);
  console.log(`${path.relative(process.cwd(), file)}  ${(size / 1_000).toFixed(1)} kB`);
  if (size > mostBytes) throw new Error(`the package has ${size} bytes, more than ${mostBytes}`);
} finally {
  rmSync(folder, { recursive: true });
}

async function bundle() {
  const vite = createRequire(path.join(root, "web/package.json")).resolve("vite");
  const { build: bundleFiles } = await import(pathToFileURL(vite).href);
  await bundleFiles({
    configFile: false,
    logLevel: "warn",
    root: client,
    build: {
      lib: {
        entry: path.join(client, "dist/index.js"),
        formats: ["es", "cjs"],
        fileName: (format) => (format === "es" ? "index.mjs" : "index.js"),
      },
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: { treeshake: { moduleSideEffects: false }, output: { minify: true } },
      target: "es2022",
    },
  });
}

async function declare() {
  const { operations } = await import(pathToFileURL(path.join(contract, "index.js")).href);
  const values = path.join(folder, "values.d.ts");
  const text = flattenDeclarations(path.join(client, "dist/index.d.ts"), {
    replaced: {
      [path.join(client, "dist/operation-types.d.ts")]: operationTypes(operations),
      [path.join(contract, "values/error-reasons.d.ts")]: await reasonTypes(),
      [path.join(contract, "values/service-error.d.ts")]: await errorTypes(),
      [values]: ["service-error", "error-reasons"]
        .map((name) => `export * from "${path.join(contract, "values", `${name}.d.ts`)}";`)
        .join("\n"),
    },
    packages: { "@reelscript/contract/values": values },
  });
  // One set of declarations for both kinds of modules.
  writeFileSync(path.join(folder, "index.d.ts"), text);
  writeFileSync(path.join(folder, "index.d.mts"), 'export * from "./index.js";\n');
}

/** The names alone: what they mean is in the documentation. */
async function reasonTypes() {
  const { reasonNames } = await import(pathToFileURL(path.join(contract, "values/error-reasons.js")).href);
  const names = reasonNames.map((name) => JSON.stringify(name)).join(" | ");
  return `export type ErrorReason = ${names};\ntype ReasonOf<Code> = Code extends ErrorCode ? ErrorReason : never;\n`;
}

async function errorTypes() {
  const file = path.join(contract, "values/service-error.d.ts");
  const { errors } = await import(pathToFileURL(file.replace(".d.ts", ".js")).href);
  const codes = Object.keys(errors).map((code) => JSON.stringify(code));
  const table = "{ readonly status: number; readonly description: string; readonly retryable: boolean }";
  return readFileSync(file, "utf8")
    .replace(/declare const errors: \{.*?^\};/ms, `declare const errors: Readonly<Record<ErrorCode, ${table}>>;`)
    .replace(/type ErrorCode = .*;/, `type ErrorCode = ${codes.join(" | ")};`);
}

function describe() {
  const { name, version } = JSON.parse(readFileSync(path.join(client, "package.json"), "utf8"));
  const { engines, license } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  for (const file of [path.join(client, "README.md"), path.join(root, "LICENSE")])
    cpSync(file, path.join(folder, path.basename(file)));
  const manifest = {
    name,
    version,
    description: "Typed client of Reelscript: the speech of public short videos as text",
    keywords: ["reels", "transcription", "speech-to-text"],
    license,
    engines,
    sideEffects: false,
    main: "./index.js",
    module: "./index.mjs",
    types: "./index.d.ts",
    exports: {
      ".": {
        import: { types: "./index.d.mts", default: "./index.mjs" },
        require: { types: "./index.d.ts", default: "./index.js" },
      },
    },
    files: ["index.js", "index.mjs", "index.d.ts", "index.d.mts"],
  };
  writeFileSync(path.join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

function pack() {
  mkdirSync(target, { recursive: true });
  const run = spawnSync("npm", ["pack", "--json", "--pack-destination", target], { cwd: folder, encoding: "utf8" });
  if (run.status !== 0) throw new Error(run.stderr);
  const answer = JSON.parse(run.stdout);
  // npm 11 names the package, npm 10 lists it.
  const [{ filename }] = Array.isArray(answer) ? answer : Object.values(answer);
  return path.join(target, filename.replace("@", "").replace("/", "-"));
}

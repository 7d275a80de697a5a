// Packs the client as one package without dependencies: reelscript-client-VERSION.tgz in client/.output, or in the given
// folder.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { pathToFileURL } from "node:url";
import { commands } from "@reelscript/client/commands";
import { operations } from "@reelscript/contract";
import { inlineRequests, valuesOnly } from "@reelscript/contract/inline-requests";
import { errors, reasonNames } from "@reelscript/contract/values";
import { flattenDeclarations, operationTypes } from "./client-types.ts";
import { root } from "./root.ts";

const client = path.join(root, "client");
const contract = path.join(root, "contract/dist");
const target = path.resolve(process.argv[2] ?? path.join(client, ".output"));
/** Limits in bytes for the library with its types, and for the whole package with the program `reelscript`. */
const mostBytes = { library: 25_100, whole: 50_200 } as const;

const folder = mkdtempSync(path.join(tmpdir(), "reelscript-client-"));
try {
  await bundle();
  declare();
  describe();
  const file = pack();
  const library = readdirSync(folder).filter((name) => name !== "cli.js");
  const bytes = {
    library: gzipSync(Buffer.concat(library.map((name) => readFileSync(path.join(folder, name)))), { level: 9 }).length,
    whole: statSync(file).size,
  };
  const kilobytes = (count: number): string => `${(count / 1_000).toFixed(1)} kB`;
  console.log(
    `${path.relative(process.cwd(), file)}  ${kilobytes(bytes.whole)}, ${kilobytes(bytes.library)} without the program`,
  );
  for (const part of ["library", "whole"] as const)
    if (bytes[part] > mostBytes[part])
      throw new Error(`the ${part} has ${bytes[part]} bytes, more than ${mostBytes[part]}`);
} finally {
  rmSync(folder, { recursive: true });
}

async function bundle(): Promise<void> {
  const vite = createRequire(path.join(root, "web/package.json")).resolve("vite");
  const { build: bundleFiles } = (await import(pathToFileURL(vite).href)) as {
    readonly build: (options: object) => Promise<unknown>;
  };

  const inlineCommands = {
    name: "inline-commands",
    load: (id: string) =>
      /[\\/]client[\\/]dist[\\/]cli[\\/]command\.js$/.test(id) ? valuesOnly({ commands }) : undefined,
  };
  await bundleFiles({
    configFile: false,
    logLevel: "warn",
    root: client,
    plugins: [inlineRequests(), inlineCommands],
    build: {
      lib: {
        entry: { index: path.join(client, "dist/index.js"), cli: path.join(client, "dist/cli/main.js") },
        formats: ["es"],
        fileName: (_format: string, name: string) => `${name}.js`,
      },
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: {
        external: /^node:/,
        treeshake: { moduleSideEffects: (id: string) => id.endsWith("main.js") },
        output: {
          minify: true,
          chunkFileNames: "core.js",
          banner: ({ name }: { name: string }) => (name === "cli" ? "#!/usr/bin/env node" : ""),
        },
      },
      target: "es2022",
    },
  });
}

function declare(): void {
  const errorTypes = readFileSync(path.join(contract, "values/service-error.d.ts"), "utf8");
  const [problemType = ""] = /^export interface InputProblem \{.*?^\}/ms.exec(errorTypes) ?? [];
  const text = flattenDeclarations(path.join(client, "dist/index.d.ts"), {
    replaced: {
      [path.join(client, "dist/operation-types.d.ts")]: operationTypes(operations),
      values: `export type ErrorCode = ${namesOf(Object.keys(errors))};\nexport type ErrorReason = ${namesOf(reasonNames)};\n${problemType}\n`,
      requests: "",
    },
    packages: { "@reelscript/contract/values": "values", "@reelscript/contract/requests": "requests" },
  });
  // A CommonJS module can only read types of its own kind, an ES module both.
  writeFileSync(path.join(folder, "index.d.cts"), text);
  writeFileSync(path.join(folder, "index.d.ts"), 'export * from "./index.cjs";\n');
}

/** Only the names; the documentation has their meanings. */
function namesOf(names: readonly string[]): string {
  return names.map((name) => JSON.stringify(name)).join(" | ");
}

function describe(): void {
  const { name, version } = JSON.parse(readFileSync(path.join(client, "package.json"), "utf8")) as Record<
    "name" | "version",
    string
  >;
  const { engines, license } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
    engines: object;
    license: string;
  };
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
    type: "module",
    bin: { reelscript: "./cli.js" },
    types: "./index.d.ts",
    exports: {
      ".": {
        require: { types: "./index.d.cts", default: "./index.js" },
        types: "./index.d.ts",
        default: "./index.js",
      },
      "./package.json": "./package.json",
    },
    files: ["*.js", "index.d.ts", "index.d.cts"],
  };
  writeFileSync(path.join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

function pack(): string {
  mkdirSync(target, { recursive: true });
  const run = spawnSync("npm", ["pack", "--json", "--pack-destination", target], { cwd: folder, encoding: "utf8" });
  if (run.status !== 0) throw new Error(run.stderr);
  // npm 11 names the package, npm 10 lists it.
  const [packed] = Object.values(JSON.parse(run.stdout) as Record<string, { filename: string }>);
  return path.join(target, packed!.filename.replace("@", "").replace("/", "-"));
}

import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const server = fileURLToPath(new URL("../..", import.meta.url));
export const adminProgram = path.join(server, "bin/reelscript-admin.js");
export const clientProgram = path.join(server, "../client/bin/reelscript.js");

/** Builds what changed of both programs. */
export function buildPrograms(): void {
  const manifest = createRequire(import.meta.url).resolve("typescript/package.json");
  const compiler = path.join(path.dirname(manifest), "bin/tsc");
  const built = spawnSync(process.execPath, [compiler, "--build", server, path.join(server, "../client")]);
  if (!existsSync(path.join(server, "dist/admin/main.js"))) throw new Error(`not built: ${built.stdout.toString()}`);
}

/** Runs one command line in `directory`, with nothing in the environment but `environment` and an empty PATH. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { directory, environment }: { readonly directory: string; readonly environment: Readonly<Record<string, string>> },
) {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: directory,
    env: { PATH: "", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once("close", resolve)),
  ]);
  return { stdout, stderr, code, lastLine: stdout.trimEnd().split("\n").at(-1)! };
}

import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const clientFolder = fileURLToPath(new URL("..", import.meta.url));

/** Programs run what is built, so it must be what the sources say. */
export function buildClient(): void {
  const manifest = createRequire(import.meta.url).resolve("typescript/package.json");
  const compiler = path.join(path.dirname(manifest), "bin/tsc");
  const built = spawnSync(process.execPath, [compiler, "--build", clientFolder], { encoding: "utf8" });
  if (built.status !== 0) throw new Error(`the client does not build: ${built.stdout}`);
}

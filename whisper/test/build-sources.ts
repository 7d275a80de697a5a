import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * Global set-up: child processes run what was built from the sources (Node 20 runs no TypeScript), so that it must
 * be as new as they are. Takes a fraction of a second when nothing has changed.
 */
export function setup(): void {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const compiler = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
  execFileSync(process.execPath, [compiler, "--build", "whisper"], { cwd: root, stdio: "inherit" });
}

import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

/** First words of the commands that the service's own program takes. */
export const serviceCommandNames: readonly string[] = [
  "check",
  "status",
  "account",
  "key",
  "takedown",
  "page",
  "audit",
  "queue",
  "picture",
  "report",
  "retranscription",
  "backup",
  "migrate",
  "database",
  "model",
  "ytdlp",
  "platform",
  "words",
];

/** The file of the service's own program, if the service is installed next to the client. */
export function findServiceProgram(): string | undefined {
  const folders = createRequire(import.meta.url).resolve.paths("@reelscript/server") ?? [];
  for (const folder of folders) {
    const home = path.join(folder, "@reelscript/server");
    const manifest = path.join(home, "package.json");
    if (!existsSync(manifest)) continue;
    const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { bin?: Record<string, string> };
    const program = bin?.["reelscript-admin"];
    if (program !== undefined) return path.join(home, program);
  }
  return undefined;
}

/** The commands of the service's own program with their descriptions, as in its help; none if it isn't installed. */
export function operatorCommands(program = findServiceProgram()): readonly string[] {
  if (program === undefined) return [];
  const { stdout } = spawnSync(process.execPath, [program, "--help"], { encoding: "utf8" });
  return /^Commands\n(.+?)\n\n/ms.exec(stdout ?? "")?.[1]?.split("\n") ?? [];
}

/** Runs the service's own program on the same terminal; its exit code is ours. */
export function runServiceProgram(program: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], { stdio: "inherit" });
    const forward = (signal: NodeJS.Signals) => child.kill(signal);
    process.on("SIGTERM", forward);
    child.once("error", reject);
    child.once("close", (code, signal) => {
      process.off("SIGTERM", forward);
      resolve(code ?? (signal === "SIGINT" ? 130 : 1));
    });
  });
}

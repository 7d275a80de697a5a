#!/usr/bin/env node
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const program = new URL("../dist/admin/main.js", import.meta.url);
const build = new URL("../../scripts/build.mjs", import.meta.url);

// A fresh checkout is built by the first command that needs it; an image brings what was built and no such script.
if (!existsSync(program) && existsSync(build))
  spawnSync(process.execPath, [fileURLToPath(build)], { stdio: ["ignore", 2, 2] });
if (existsSync(program)) await import(program.href);
else {
  console.error('The service is not built: run "npm run build" in the folder of the project.');
  process.exitCode = 1;
}

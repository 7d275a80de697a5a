#!/usr/bin/env node
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { builtProgram } from "./built-program.js";

const names = { bundle: "admin", modules: "admin/main.js" };
const build = new URL("../../scripts/build.mjs", import.meta.url);

// A fresh checkout is built by the first command that needs it; an image brings what was built and no such script.
if (builtProgram(names) === undefined && existsSync(build))
  spawnSync(process.execPath, [fileURLToPath(build)], { stdio: ["ignore", 2, 2] });
const program = builtProgram(names);
if (program !== undefined) await import(program);
else {
  console.error('The service is not built: run "npm run build" in the folder of the project.');
  process.exitCode = 1;
}

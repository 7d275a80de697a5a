#!/usr/bin/env node
import { builtProgram } from "./built-program.js";

const program = builtProgram({ bundle: "service", modules: "main.js" });
if (program !== undefined) await import(program);
else {
  console.error('The service is not built: run "npm run build" in the folder of the project.');
  process.exitCode = 1;
}

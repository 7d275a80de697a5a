#!/usr/bin/env node
import { existsSync } from "node:fs";

const program = new URL("../dist/admin/main.js", import.meta.url);

if (existsSync(program)) await import(program.href);
else {
  console.error('The service is not built yet: run "npm install" or "npm run build" in the folder of the project.');
  process.exitCode = 1;
}

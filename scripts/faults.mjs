import { build } from "./build.mjs";

const failure = build();
if (failure !== undefined) {
  console.error(failure);
  process.exit(1);
}
await import("../faults/main.mjs");

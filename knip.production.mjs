import { readFileSync } from "node:fs";

/** Shipped code must use everything that ships: tests and tools do not count, but a file may export what it uses itself. */
export default {
  ...JSON.parse(readFileSync(new URL("knip.json", import.meta.url), "utf8")),
  ignoreExportsUsedInFile: true,
};

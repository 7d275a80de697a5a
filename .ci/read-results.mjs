// Prints how many tests passed, failed and were skipped, of what a test run reported as JSON.
import { readFileSync } from "node:fs";

const files = JSON.parse(readFileSync(process.argv[2], "utf8")).testResults;
const tests = files.flatMap(({ assertionResults }) => assertionResults);
const count = (outcome) => tests.filter(({ status }) => status === outcome).length;
// A file that failed before its tests began has no failed test.
const unbegun = files.filter(
  ({ status, assertionResults }) => status === "failed" && assertionResults.every((test) => test.status !== "failed"),
).length;
const passed = count("passed");
const failed = count("failed");
console.log(passed, failed + unbegun, tests.length - passed - failed);

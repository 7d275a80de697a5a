// What test runs reported as JSON. Of a file that ran again, the last run counts.
// "counts" prints passed, failed and skipped tests; "failed" prints the files in which something failed.
import { readFileSync } from "node:fs";

const [wanted, ...reports] = process.argv.slice(2);
const files = new Map(
  reports.flatMap((path) => JSON.parse(readFileSync(path, "utf8")).testResults.map((file) => [file.name, file])),
);
const results = [...files.values()];

if (wanted === "failed")
  console.log(
    results
      .filter(({ status }) => status === "failed")
      .map(({ name }) => name)
      .join("\n"),
  );
else {
  const tests = results.flatMap(({ assertionResults }) => assertionResults);
  const count = (matches) => tests.filter(({ status }) => matches(status)).length;
  const passed = count((status) => status === "passed");
  // A file that failed before its tests began has no failed test.
  const unbegun = results.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.every((test) => test.status !== "failed"),
  ).length;
  const failed = count((status) => status === "failed") + unbegun;
  console.log(passed, failed, tests.length - passed - count((status) => status === "failed"));
}

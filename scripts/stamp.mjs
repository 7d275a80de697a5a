// Compares what some tests depend on with the state of it in which they last passed: `stamp.mjs accuracy` ends with 0 if it is the same.
// `stamp.mjs accuracy --write` notes the present state as that one.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hashOfSources, root } from "./hash-of-sources.mjs";

/** @type {Readonly<Record<string, readonly string[]>>} */
const placesOf = {
  accuracy: [
    "whisper/src",
    "whisper/models",
    "whisper/test",
    "whisper/package.json",
    "server/test/accuracy",
    "platform-standin/reels",
  ],
  // Another test holds that the service serves this document, and others that its answers fit it.
  generators: ["openapi.json", "server/test/openapi/generators", "server/test/openapi/generated-clients.test.ts"],
};
const [name = "", option] = process.argv.slice(2);
const places = placesOf[name];
if (places === undefined) throw new Error(`name one of ${Object.keys(placesOf).join(", ")}`);
const stamp = path.join(root, ".ci", `${name}.json`);
const passedWith = hashOfSources(places);

if (option === "--write") writeFileSync(stamp, `{ "passedWith": "${passedWith}" }\n`);
else {
  const isSame = existsSync(stamp) && JSON.parse(readFileSync(stamp, "utf8")).passedWith === passedWith;
  process.exitCode = isSame ? 0 : 1;
}

// Compares the files that some tests depend on with their state when the tests last passed: `stamp.mjs accuracy` exits with 0 if
// they are the same. `stamp.mjs accuracy --write` records their current state.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hashOfSources, root } from "./hash-of-sources.mjs";

/** @type {Readonly<Record<string, readonly string[]>>} */
const placesOf = {
  accuracy: [
    "whisper/src",
    "whisper/models",
    "whisper/test/accuracy",
    "whisper/test/fixtures",
    "whisper/test/golden",
    "whisper/test/media/decoding.ts",
    "whisper/test/recordings.ts",
    "whisper/package.json",
    "server/test/accuracy",
    "platform-standin/reels",
  ],
  // Other tests check that the service serves this document, and that its responses match it.
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

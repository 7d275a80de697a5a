// Compares what recognition depends on with the state of it in which `npm run accuracy` last passed: ends with 0 if it is the same.
// `--write` notes the present state as that one.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hashOfSources, root } from "./hash-of-sources.mjs";

const stamp = path.join(root, ".ci", "accuracy.json");
const places = [
  "whisper/src",
  "whisper/models",
  "whisper/test",
  "whisper/package.json",
  "server/test/accuracy",
  "platform-standin/reels",
];
const passedWith = hashOfSources(places);

if (process.argv[2] === "--write") writeFileSync(stamp, `{ "passedWith": "${passedWith}" }\n`);
else process.exitCode = JSON.parse(readFileSync(stamp, "utf8")).passedWith === passedWith ? 0 : 1;

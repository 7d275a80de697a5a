import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { noModel, programsOfTests } from "../harness/start-program.ts";
import { placeMigratedDatabase } from "../harness/migrated-database.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

const directory = directoryOfTests();
const start = programsOfTests(directory);

/** Stands where yt-dlp does, and reads what the system shows of each process above it. */
const curious = `#!/bin/sh
pid=$PPID
while [ "$pid" -gt 1 ]; do
  fields=$(cat /proc/$pid/stat)
  set -- \${fields##*) }
  {
    echo "process $pid"
    tr '\\0' '\\n' <"/proc/$pid/environ"
    tr '\\0' '\\n' <"/proc/$pid/cmdline"
  } >>"READINGS"
  pid=$2
done
echo 2026.11.01
`;

test.skipIf(process.platform !== "linux")("a child finds no secret in the processes above it", async () => {
  const readings = path.join(directory, "readings");
  const program = path.join(directory, "curious");
  writeFileSync(program, curious.replace("READINGS", readings));
  chmodSync(program, 0o755);
  await placeMigratedDatabase(directory);
  const service = await start(
    {
      ...noModel,
      OPENAI_API_KEY: "hidden-of-recognizer",
      STRIPE_SECRET_KEY: "sk_test_hidden",
      STRIPE_WEBHOOK_SECRET: "whsec_hidden",
      PLATFORM_PROXY: "http://user:hidden-of-proxy@127.0.0.1:9",
      PIP_INDEX_URL: "http://user:hidden-of-index@127.0.0.1:9/simple",
      SOURCES: "ytdlp",
      YTDLP_PATH: program,
    },
    ["sh", "deploy/entry.sh", process.execPath, "--liftoff-only", "server/bin/reelscript-service.js"],
  );
  await expect.poll(() => readFileSync(readings, "utf8")).toContain(`process ${service.child.pid}\n`);
  // Before anything fails: the kill at the end of the tests would reach the shell alone.
  expect((await service.end("SIGTERM")).code).toBe(0);
  const read = readFileSync(readings, "utf8");
  // A setting that isn't secret shows that the child could read the environment.
  expect(read).toContain(`YTDLP_PATH=${program}\n`);
  expect(read).toContain("STRIPE_SECRET_KEY=");
  expect(read).not.toContain("hidden");
});

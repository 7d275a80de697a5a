import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ingestCollection } from "../../src/features/reports/ingest-collection.ts";
import { lacking, runIn } from "../harness/install.ts";
import { createScriptedTranscriber } from "../harness/scripted-transcriber.ts";
import { startTestService, type TestService } from "../harness/start-test-service.ts";
import { sixteenReels } from "../reports/golden.ts";

// oxlint-disable-next-line node/no-process-env -- whether the network may be used is decided outside
const { TEST_NPM, TEST_PYPI } = process.env;
const programs = fileURLToPath(new URL("generators", import.meta.url));
const pinnedPythonGenerator = "openapi-python-client==0.29.1";

let service: TestService;
let key: string;
let reel: string;
let testDirectory: string;
beforeAll(async () => {
  if (TEST_NPM !== "1" && TEST_PYPI !== "1") return;
  testDirectory = await mkdtemp(path.join(tmpdir(), "generated-clients-"));
  const transcriber = createScriptedTranscriber();
  const text = "Had he married a more amiable woman, he might have been made still more respectable than he was.";
  transcriber.tell({ text, segments: [{ start: 0, end: 7, text }] });
  service = await startTestService({ transcriber });
  const caller = await service.createCaller({ plan: "creator" });
  key = caller.key;
  reel = service.standin.urlOf("CenAmiable1");
  const { store, clock } = service;
  const account = await store.accounts.find(caller.accountId);
  await ingestCollection({ reports: store.reports, clock })(account!, {
    ...sixteenReels,
    collectedAt: clock.now().toISOString(),
  });
});
afterAll(async () => {
  await service?.close();
  if (testDirectory !== undefined) await rm(testDirectory, { recursive: true });
});

const run = (program: string, parameters: readonly string[], env?: NodeJS.ProcessEnv): Promise<string> =>
  runIn(testDirectory, program, parameters, env && { env });

/** Every client must receive this for the same account, reel, page, report and guide. */
const progressEvent = {
  transcript: expect.stringContaining("a more amiable woman"),
  used: 1,
  total: 1,
  handle: "quiet.chapters",
  script: expect.stringContaining("a more amiable woman"),
  segment: expect.stringContaining("Had he married"),
  subtitles: true,
  link: "Shop",
  changed: ["bio"],
  bio: null,
  report: ["cook.daily", true, true],
  guide: [true, true, true],
  code: "notFound",
  plan: "creator",
};

describe("clients that generators made of the document make real calls, unedited", () => {
  test("openapi-typescript, @hey-api/openapi-ts and orval", async ({ skip }) => {
    if (TEST_NPM !== "1") skip("TEST_NPM=1 lets this test install generators from the npm registry");
    await cp(programs, testDirectory, { recursive: true });
    const missing = await lacking(testDirectory, [["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]]);
    if (missing !== undefined) skip(missing);
    const bin = (name: string): string => path.join(testDirectory, "node_modules/.bin", name);
    const document = `${service.url}/openapi.json`;
    await run(bin("openapi-typescript"), [document, "-o", "api.ts"]);
    await run(bin("openapi-ts"), ["-i", document, "-o", "hey", "--client", "@hey-api/client-fetch", "--no-log-file"]);
    await run(bin("orval"), ["--config", "orval.config.cjs"], {
      ...process.env,
      DOCUMENT: document,
      SERVICE: service.url,
    });
    for (const file of ["api.ts", "hey/types.gen.ts", "orval.ts"])
      expect(await readFile(path.join(testDirectory, file), "utf8"), "every answer has a type").not.toMatch(
        /\| unknown\b/,
      );
    await writeFile(path.join(testDirectory, "program.ts"), await readFile(path.join(testDirectory, "program.ts.txt")));
    await run(bin("tsc"), ["-p", testDirectory]);
    await writeFile(path.join(testDirectory, "out/package.json"), '{"type":"commonjs"}');
    const printed = await run(process.execPath, ["out/program.js", service.url, key, reel]);
    // orval reads every answer as JSON where an error is JSON, so that its clients can't read subtitles.
    const { subtitles: _, ...toldInJson } = progressEvent;
    expect(JSON.parse(printed)).toEqual({ fetch: progressEvent, hey: progressEvent, orval: toldInJson });
  });

  test("openapi-python-client, which leaves nothing out", async ({ skip }) => {
    if (TEST_PYPI !== "1") skip("TEST_PYPI=1 lets this test install a generator from the Python package index");
    const missing = await lacking(testDirectory, [
      ["python3", "-m", "venv", "venv"],
      ["venv/bin/pip", "install", "-q", "--disable-pip-version-check", pinnedPythonGenerator],
    ]);
    if (missing !== undefined) skip(missing);
    const generated = await run("sh", [
      "-c",
      `PATH="$PWD/venv/bin:$PATH" openapi-python-client generate --url '${service.url}/openapi.json' --output-path client --fail-on-warning 2>&1`,
    ]);
    expect(generated).not.toMatch(/WARNING|Unable|omitted/);
    const program = path.join(programs, "program.py");
    const printed = await run("sh", [
      "-c",
      `PYTHONPATH=client venv/bin/python '${program}' '${service.url}' '${key}' '${reel}'`,
    ]);
    expect(JSON.parse(printed)).toEqual({
      ...progressEvent,
      page: expect.any(Number),
      period: 0,
      heard: "invalidRequest",
      limit: 1000,
      account: "creator",
      author: "quiet.chapters",
      transcriptions: ["done"],
      plans: ["free", "hobby", "creator"],
      languages: 11,
    });
  });
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { adminSocketPath } from "../../src/admin/admin-socket-path.ts";
import { startAdminSocket } from "../../src/admin/admin-socket.ts";
import { rest, transcribe, used } from "../harness/rest.ts";
import { createScriptedTranscriber } from "../harness/scripted-transcriber.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { operate } from "./run-program.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

const transcriber = createScriptedTranscriber();
const gaps = [{ start: 1, end: 9, reason: "noText" as const }];
const data = directoryOfTests();
const service = serviceOfTests({ transcriber, rateLimits: { transcribe: 1_000 } });
let socket: { close(): Promise<void> };
beforeAll(async () => {
  const path = adminSocketPath(data);
  socket = await startAdminSocket({ path, store: service.store, clock: service.clock, recognizer: transcriber });
});
afterAll(() => socket?.close());

const run = (...args: string[]) =>
  operate(["retranscription", ...args], { directory: data, environment: { DATA_DIR: data } });
const status = async () => JSON.parse((await run("status", "--json")).stdout) as { run: Record<string, unknown> };

test("the operator has old transcripts transcribed again, behind what people ask for", async () => {
  const { key } = await service.createCaller();
  for (const text of ["First.", "Second.", "Third."]) {
    transcriber.tell({ text, gaps });
    await transcribe(service.url, key, service.newReel());
  }
  transcriber.revision = 2;
  transcriber.tell({ text: "Fourth." });
  await transcribe(service.url, key, service.newReel());

  expect((await run("status")).stdout).toMatch(/^No retranscription has run yet/);
  expect((await run("count")).stdout).toMatch(/^3 transcripts can be transcribed again by scripted, revision 2\.$/m);
  expect((await run("count", "--revision", "2")).stdout).toMatch(/^0 transcripts/);
  expect(await run("count", "--revision", "two")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("revision"),
  });
  expect(await run("stop")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("no transcripts are being transcribed again"),
  });

  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  transcriber.tell(() => opened.then(() => ({ text: "First, whole." })));
  expect(await run("start", "--revision", "1")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Retranscription of 3 transcripts of revision 1: running\.$/m),
  });
  expect(await run("start")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("transcripts are being transcribed again"),
  });
  await expect.poll(() => transcriber.hints.length).toBe(5);
  transcriber.tell({ text: "Fresh." });
  expect((await transcribe(service.url, key, service.newReel())).body).toMatchObject({
    transcript: "Fresh.",
    cached: false,
  });
  expect((await run("stop")).stdout).toMatch(/stopped/);
  open();
  await expect.poll(async () => (await status()).run).toMatchObject({ state: "stopped", replaced: 1 });

  transcriber.tell({ text: "Second, whole.", gaps: [] }, { text: "Third.", gaps });
  expect((await run("start", "--revision", "1")).stdout).toMatch(/1 transcribed again: 1 replaced/);
  await expect
    .poll(async () => (await status()).run)
    .toMatchObject({ state: "done", total: 3, replaced: 2, kept: 1, failed: 0 });
  expect((await run("status")).stdout).toContain("3 transcribed again: 2 replaced, 1 kept as they were, 0 failed.");
  expect((await run("count")).stdout).toMatch(/^0 transcripts/);

  const { scripts } = (await rest(service.url, "/scripts", { key })).body;
  expect(scripts.map(({ transcript }: { transcript: string }) => transcript)).toEqual([
    "Fresh.",
    "Fourth.",
    "Third.",
    "Second, whole.",
    "First, whole.",
  ]);
  expect(await used(service.url, key)).toBe(5);
});

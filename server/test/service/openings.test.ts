import { expect, test } from "vitest";
import { rest } from "../harness/rest.ts";
import { createScriptedTranscriber } from "../harness/scripted-transcriber.ts";
import { signInNew } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const transcriber = createScriptedTranscriber();
const service = serviceOfTests({ transcriber, repeated: ["advance-batches"] });

/** Seconds of each segment, and of the pause after it. */
const said = 2;
const paused = 1;
const speechOf = (parts: readonly string[]) => ({
  text: parts.join(" "),
  segments: parts.map((text, index) => ({
    text,
    start: index * (said + paused),
    end: index * (said + paused) + said,
  })),
});

async function transcribed(parts: readonly string[]) {
  transcriber.tell(speechOf(parts));
  const caller = await service.createCaller({ plan: "creator" });
  const url = service.newReel();
  const { body } = await rest(service.url, "/transcriptions", { key: caller.key, body: { urls: [url] } });
  const read = (path: string) => rest(service.url, path, { key: caller.key });
  await expect.poll(async () => (await read(`/batches/${body.id}`)).body.status).toBe("finished");
  return { caller, read, batch: `/batches/${body.id}` };
}

test("a hook ends at the first pause behind every door", async () => {
  const { read, batch } = await transcribed(["so this is my kitchen", "and that is my dog", "he is old"]);
  const hook = "so this is my kitchen";
  const [script] = (await read("/scripts")).body.scripts;
  expect(script.hook).toBe(hook);
  expect((await read(`/scripts/${script.id}`)).body.hook).toBe(hook);
  expect((await read(`/scripts?ids=${script.id}`)).body.scripts[0].hook).toBe(hook);
  expect((await read("/scripts?query=dog")).body.scripts[0].hook).toBe(hook);
  expect((await read("/scripts?format=csv")).body).toMatch(/,so this is my kitchen,,scr_\w+\r\n$/);
  expect((await read(batch)).body.links[0].hook).toBe(hook);
  expect((await read(`${batch}?format=csv`)).body).toMatch(/,so this is my kitchen,,\r\n$/);
});

test("a hook of a corrected script is that of the correction", async () => {
  const person = await signInNew(service);
  transcriber.tell(speechOf(["so this is my kitchen", "and that is my dog"]));
  const url = service.newReel();
  await person.api("createBatch", { urls: [url] });
  const list = async () => (await person.api("searchMyScripts", {})).body.scripts;
  await expect.poll(async () => (await list()).length).toBe(1);
  const [{ id }] = await list();
  const { version } = (await person.api("getScriptCorrection", { id })).body;
  const texts = ["so this is our kitchen", "and that is my dog"];
  expect((await person.api("correctScript", { id, ifVersion: version, texts })).status).toBe(200);
  expect((await list())[0].hook).toBe("so this is our kitchen");
  const [batch] = (await person.api("listBatches", {})).body.batches;
  expect((await person.api("getBatch", { id: batch.id })).body.links[0].hook).toBe("so this is our kitchen");
});

test("a script of thousands of segments is listed, tabled and undone from the trash", async () => {
  const { read, caller } = await transcribed(Array.from({ length: 3_000 }, (_, index) => `part number ${index}`));
  const [script] = (await read("/scripts")).body.scripts;
  expect(script.hook).toBe("part number 0 part number 1");
  expect((await read("/scripts?format=csv")).status).toBe(200);
  await rest(service.url, `/scripts/${script.id}`, { key: caller.key, method: "DELETE" });
  const { status, body } = await read("/scripts?deleted=true");
  expect(status).toBe(200);
  expect(body.scripts).toMatchObject([{ id: script.id, hook: "part number 0 part number 1" }]);
});

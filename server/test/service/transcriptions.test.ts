import { createClient, type ReelOutcome, type Transcription } from "@reelscript/client";
import { beforeEach, expect, test } from "vitest";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { rest } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { hour } from "../harness/test-clock.ts";

const gate = createGatedTranscriber();
const service = serviceOfTests({
  transcriber: gate,
  rateLimits: { transcribe: 1_000 },
  repeated: ["advance-batches"],
});
beforeEach(() => gate.open());

test("transcriptions of 30 days are listed, newest first, to their account only", async () => {
  const [caller, other] = await Promise.all([service.createCaller(), service.createCaller()]);
  const list = async (query = "", key = caller.key) =>
    (await rest(service.url, `/transcriptions${query}`, { key })).body;
  const reels = [service.newReel(), service.newReel(), service.newReel()];
  const results: { scriptId: string; transcriptionId: string }[] = [];
  for (const url of reels) {
    service.clock.advance(1_000);
    results.push((await rest(service.url, "/transcribe", { key: caller.key, body: { url } })).body);
  }
  const all = await list();
  expect(all.nextCursor).toBeUndefined();
  expect(all.transcriptions).toMatchObject(
    reels
      .map((reelUrl, index) => ({
        id: results[index]!.transcriptionId,
        status: "done",
        reelUrl,
        scriptId: results[index]!.scriptId,
      }))
      .toReversed(),
  );
  expect(all.transcriptions[0]).not.toHaveProperty("result");
  expect((await list("", other.key)).transcriptions).toEqual([]);

  const first = await list("?limit=2&status=done");
  const second = await list(`?limit=2&status=done&cursor=${first.nextCursor}`);
  expect([...first.transcriptions, ...second.transcriptions]).toEqual(all.transcriptions);
  expect(second.nextCursor).toBeUndefined();
  expect(
    await rest(service.url, `/transcriptions?limit=2&cursor=${first.nextCursor}`, { key: caller.key }),
  ).toMatchObject({
    status: 400,
  });

  const deleted = service.standin.urlOf(
    service.standin.addReel({ availability: "deleted", bytes: Buffer.from("not looked at") }).code,
  );
  await rest(service.url, "/transcribe", { key: caller.key, body: { url: deleted } });
  expect((await list("?status=failed")).transcriptions).toMatchObject([
    { status: "failed", error: { code: "notFound" } },
  ]);
  expect((await list("?status=queued")).transcriptions).toEqual([]);

  service.clock.advance(31 * 24 * hour);
  expect((await list()).transcriptions).toEqual([]);
});

test("a script is found by any form of its reel's link", async () => {
  const { key } = await service.createCaller();
  const url = service.newReel();
  const { scriptId } = (await rest(service.url, "/transcribe", { key, body: { url } })).body;
  const find = (link: string, as = key) => rest(service.url, `/scripts?url=${encodeURIComponent(link)}`, { key: as });
  for (const link of [url, url.replace(/\/$/, ""), `${url}?utm_source=x`, url.replace("/reel/", "/p/")])
    expect((await find(link)).body, link).toMatchObject({ total: 1, scripts: [{ id: scriptId, reelUrl: url }] });
  expect((await find(service.newReel())).body).toEqual({ scripts: [], total: 0 });
  const other = await service.createCaller();
  expect((await find(url, other.key)).body).toEqual({ scripts: [], total: 0 });
  expect((await find("https://example.com/")).status).toBe(400);
});

async function connect() {
  const { key } = await service.createCaller();
  const sentRequests: string[] = [];
  const client = createClient({
    baseUrl: service.url,
    apiKey: key,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      sentRequests.push(`${request.method} ${new URL(request.url).pathname}`);
      return fetch(request);
    },
  });
  return { client, sentRequests };
}

test("the client requests a transcription once and follows one stream", async () => {
  gate.close();
  const { client, sentRequests } = await connect();
  const states: Transcription[] = [];
  const result = await client.transcribeAndFollow(
    { url: service.newReel() },
    {
      onProgress: (state) => {
        states.push(state);
        if (state.status === "running") gate.open();
      },
    },
  );
  expect(result).toMatchObject({ cached: false, usage: { used: 1 } });
  expect(sentRequests).toEqual(["POST /api/v1/transcribe", `GET /api/v1/transcriptions/${states[0]!.id}`]);
  expect(states.at(-1)).toMatchObject({ status: "done", progress: 1, result });
  expect(await client.followTranscription({ id: states[0]!.id })).toMatchObject({ status: "done" });
});

test("the client sends a list as one batch, despite a bad reel", async () => {
  const { client, sentRequests } = await connect();
  const first = service.newReel();
  const second = service.newReel();
  const missing = first.replace(/..(\/?)$/, "zz$1");
  const outcomes: ReelOutcome[] = [];
  for await (const outcome of client.transcribeReels([first, missing, "espresso", second])) outcomes.push(outcome);
  const outcomeOf = (url: string) => outcomes.find((outcome) => outcome.url === url);
  expect(outcomes).toHaveLength(4);
  expect(outcomeOf(first)).toMatchObject({ status: "done", result: { transcript: expect.any(String), cached: false } });
  expect(outcomeOf(missing)).toMatchObject({ status: "failed", error: { code: "notFound" } });
  expect(outcomeOf("espresso")).toMatchObject({ status: "failed", error: { code: "invalidRequest" } });
  expect(outcomeOf(second)).toMatchObject({ status: "done", result: { scriptId: expect.any(String) } });
  expect(sentRequests.filter((one) => one.startsWith("POST"))).toEqual(["POST /api/v1/transcriptions"]);
  const scripts: string[] = [];
  for await (const { reelUrl } of client.allScripts({ limit: 1 })) scripts.push(reelUrl);
  expect(scripts.toSorted()).toEqual([first, second].toSorted());
});

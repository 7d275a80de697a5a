import { createClient, type ReelOutcome, type Transcription } from "@reelscript/client";
import { beforeEach, expect, test } from "vitest";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const gate = createGatedTranscriber();

const service = serviceOfTests({ transcriber: gate });
beforeEach(() => {
  gate.open();
  gate.close();
});

async function connect() {
  const { key } = await service.createCaller();
  const sent: string[] = [];
  const client = createClient({
    baseUrl: service.url,
    apiKey: key,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      sent.push(`${request.method} ${new URL(request.url).pathname}`);
      return fetch(request);
    },
  });
  return { client, sent };
}

test("the client asks for a transcription once and hears of its end by one stream", async () => {
  const { client, sent } = await connect();
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
  expect(sent).toEqual(["POST /api/v1/transcribe", `GET /api/v1/transcriptions/${states[0]!.id}`]);
  expect(states.at(-1)).toMatchObject({ status: "done", progress: 1, result });
  expect(await client.followTranscription({ id: states[0]!.id })).toMatchObject({ status: "done" });
});

test("a batch makes one call for each reel, and a bad one doesn't stop it", async () => {
  gate.open();
  const { client, sent } = await connect();
  const [first, second] = [service.newReel(), service.newReel()];
  const missing = first.replace(/..(\/?)$/, "zz$1");
  const outcomes: ReelOutcome[] = [];
  for await (const outcome of client.transcribeReels([first, missing, "espresso", second])) outcomes.push(outcome);
  expect(outcomes).toMatchObject([
    { url: first, status: "done", result: { cached: false } },
    { url: missing, status: "failed", error: { code: "notFound" } },
    { url: "espresso", status: "failed", error: { code: "invalidRequest" } },
    { url: second, status: "done" },
  ]);
  expect(sent.filter((one) => one.startsWith("POST"))).toHaveLength(4);
  const scripts: string[] = [];
  for await (const { reelUrl } of client.allScripts({ limit: 1 })) scripts.push(reelUrl);
  expect(scripts).toEqual([second, first]);
});

import type { ServerResponse } from "node:http";
import type { FollowOptions, Transcription } from "@reelscript/client";
import { beforeEach, describe, expect, it } from "vitest";
import {
  refusal,
  type ToldAnswer,
  toldBatch,
  toldEstimate,
  toldScripts,
  transcribed,
  useHastyClient,
  useToldService,
} from "./told-service.ts";

const reelUrl = "https://www.instagram.com/reel/DLlGZiCOBQ0/";
const queued = {
  id: "trn_1",
  status: "queued",
  progress: 0,
  reelUrl,
  requestedAt: "2026-11-20T10:00:00.000Z",
} as const;
const running = { ...queued, status: "running", progress: 0.5 } as const;
const done = {
  ...queued,
  status: "done",
  progress: 1,
  finishedAt: "2026-11-20T10:01:00.000Z",
  result: transcribed,
} as const;

const service = useToldService();
const { connect: client, slept } = useHastyClient(service);
let states: string[];
beforeEach(() => void (states = []));

const onProgress = ({ status }: Transcription) => states.push(status);
const follow = (options: FollowOptions = {}) =>
  client().followTranscription({ id: "trn_1" }, { onProgress, ...options });

const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const begin = (response: ServerResponse) =>
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
const stream =
  (...parts: readonly string[]) =>
  (response: ServerResponse): void => {
    begin(response);
    for (const part of parts) response.write(part);
    response.end();
  };

describe("followTranscription", () => {
  it("is one request: it hears each change and the end", async () => {
    service.tell(
      stream(
        "retry: 3000\n\n",
        event("progress", queued),
        ": still here\n\n",
        event("progress", running),
        event("finished", done),
      ),
    );
    expect(await follow()).toEqual(done);
    expect(states).toEqual(["queued", "running", "done"]);
    expect(service.seen).toMatchObject([
      {
        method: "GET",
        path: "/api/v1/transcriptions/trn_1",
        headers: { accept: expect.stringMatching(/^text\/event-stream/) },
      },
    ]);
    expect(slept).toEqual([]);
  });

  it("understands events in pieces, with other line ends, and of several lines", async () => {
    const text = event("finished", { ...done, reelUrl: `${reelUrl}?ü` }).replaceAll("\n", "\r\n");
    const bytes = Buffer.from(text);
    service.tell((response) => {
      begin(response);
      for (const byte of bytes) response.write(Buffer.from([byte]));
      response.end();
    });
    expect((await follow()).reelUrl).toBe(`${reelUrl}?ü`);
    service.tell(stream(`data: ${JSON.stringify(done, undefined, 1).replaceAll("\n", "\ndata: ")}\n\n`));
    expect(await follow()).toEqual(done);
  });

  it("opens a stream again that broke, and one that ended early", async () => {
    const breaking = (response: ServerResponse) => {
      begin(response);
      response.write(event("progress", running), () => response.destroy());
    };
    service.tell(breaking, stream(event("progress", running)), stream(event("finished", done)));
    expect(await follow()).toEqual(done);
    expect(states, "what was told before is no change").toEqual(["running", "done"]);
    expect(slept).toEqual([1, 2]);
  });

  it.each<[string, ToldAnswer | ((response: ServerResponse) => void)]>([
    ["that breaks again and again", stream(event("progress", running))],
    ["that is kept back", { body: running }],
  ])("follows a stream %s for a day, with few requests", async (_, answer) => {
    service.tell(...Array.from({ length: 1_000 }, () => answer));
    await expect(follow()).rejects.toThrow(/It continues/);
    expect(service.seen).toHaveLength(slept.length + 1);
    const hours = Array.from({ length: 25 }, () => 0);
    let seconds = 0;
    for (const pause of slept) hours[Math.floor((seconds += pause) / 3_600)]! += 1;
    expect(seconds).toBeGreaterThan(23.5 * 3_600);
    expect(Math.max(...hours), "a key has 60 requests an hour").toBeLessThanOrEqual(20);
    expect(Math.max(...slept)).toBe(300);
  });

  it("waits as told after too many requests, and passes on errors", async () => {
    const later = { status: 429, headers: { "retry-after": "7" }, body: refusal("rateLimited", "Too many.") };
    service.tell(later, stream(event("finished", done)));
    expect(await follow()).toEqual(done);
    expect(slept).toEqual([7]);
    service.tell({ status: 404, body: refusal("notFound", "No such transcription.") });
    await expect(follow()).rejects.toMatchObject({ code: "notFound" });
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ["holds the stream back", (response) => begin(response).flushHeaders()],
    ["holds the head back", () => undefined],
    ["ends the stream at once", (response) => void begin(response).end()],
    [
      "answers a page",
      (response) => void response.writeHead(200, { "content-type": "text/html" }).end("<h1>Hello</h1>"),
    ],
    ["has other events", stream(event("progress", { hello: 1 }))],
  ])("polls where something between %s", async (_, proxy) => {
    service.tell(proxy, { body: running, headers: { "retry-after": "4" } }, { body: running }, { body: done });
    expect(await follow({ silenceSeconds: 3 })).toEqual(done);
    expect(service.seen.map(({ headers }) => headers.accept)).toEqual([
      expect.stringMatching(/^text\/event-stream/),
      "application/json",
      "application/json",
      "application/json",
    ]);
    expect(slept, "as long as asked, else longer each time").toEqual([4, 60]);
  });

  it("keeps streaming after a proxy's page that says the service is away", async () => {
    const away = { status: 502, body: "<h1>Bad gateway</h1>" };
    service.tell(away, stream(event("progress", running)), away, away, away, stream(event("finished", done)));
    expect(await follow()).toEqual(done);
    expect(service.seen.map(({ headers }) => headers.accept)).toEqual(
      Array.from({ length: 6 }, () => expect.stringMatching(/^text\/event-stream/)),
    );
    expect(slept).toEqual([1, 1, 1, 2, 2]);
  });

  it("polls where streams are refused", async () => {
    service.tell({ status: 406, body: "<h1>Not acceptable</h1>" }, { body: done });
    expect(await follow()).toEqual(done);
    expect(service.seen.map(({ headers }) => headers.accept)).toEqual([
      expect.stringMatching(/^text\/event-stream/),
      "application/json",
    ]);
  });

  it("polls a service that responds with JSON, and detects other servers", async () => {
    service.tell({ body: running }, { body: done });
    expect(await follow()).toEqual(done);
    const page = { status: 200, body: "<h1>Hello</h1>" };
    service.tell(page, page);
    await expect(follow()).rejects.toMatchObject({ code: "unexpectedAnswer" });
  });

  it("gives up an endless event", async () => {
    service.tell(
      (response) => {
        begin(response);
        const more = (): void => {
          if (!response.destroyed) response.write("data: ".padEnd(500_000, "x"), more);
        };
        more();
      },
      stream(event("finished", done)),
    );
    expect(await follow()).toEqual(done);
  });

  it("ends with the caller's signal", async () => {
    const stop = new AbortController();
    service.tell((response) => void begin(response).write(event("progress", running)));
    const following = client().followTranscription(
      { id: "trn_1" },
      { signal: stop.signal, onProgress: () => stop.abort(new Error("enough")) },
    );
    await expect(following).rejects.toThrow("enough");
  });
});

describe("transcribeAndFollow", () => {
  it("asks without waiting, follows, and gives what the call would have given", async () => {
    service.tell({ status: 202, body: queued }, stream(event("progress", running), event("finished", done)));
    expect(await client().transcribeAndFollow({ url: reelUrl }, { onProgress })).toEqual(transcribed);
    expect(states).toEqual(["queued", "running", "done"]);
    expect(service.seen.map(({ headers }) => headers.prefer)).toEqual(["respond-async", undefined]);
    service.tell({ body: transcribed });
    expect(await client().transcribeAndFollow({ url: reelUrl })).toEqual(transcribed);
  });

  it("throws what the call would have thrown", async () => {
    const error = { code: "upstreamError", message: "The platform is away.", reason: "platformPaused" };
    const failed = { ...queued, status: "failed", finishedAt: done.finishedAt, error };
    service.tell({ status: 202, body: queued }, stream(event("finished", failed)));
    await expect(client().transcribeAndFollow({ url: reelUrl })).rejects.toMatchObject({
      name: "CallError",
      ...error,
    });
  });
});

describe("transcribeReels", () => {
  const urls = ["https://a.example", "https://b.example", "https://c.example"] as const;
  const outcomesOf = async (links: readonly string[], options: Parameters<typeof client>[0] = {}) => {
    const outcomes = [];
    for await (const outcome of client(options).transcribeReels(links)) outcomes.push(outcome);
    return outcomes;
  };
  const open = [
    { url: urls[0], status: "done", cached: true, scriptId: "scr_1" },
    { url: urls[1], status: "failed", error: { code: "notFound", message: "It is private." } },
    { url: urls[2], status: "running", progress: 0.5 },
  ];
  const finished = [...open.slice(0, 2), { url: urls[2], status: "done", scriptId: "scr_3" }];
  const sentBatch = (id: string) => ({ status: 202, body: { ...toldBatch(id, open), estimate: toldEstimate(3) } });

  it("sends one batch, and reports each reel's outcome as it ends", async () => {
    service.tell(
      sentBatch("bat_1"),
      { body: toldBatch("bat_1", open) },
      { body: toldScripts("scr_1") },
      { body: toldBatch("bat_1", open, { secondsLeft: 3 }) },
      { body: toldBatch("bat_1", finished) },
      { body: toldScripts("scr_3") },
    );
    const outcomes = await outcomesOf([...urls, urls[0]]);
    expect(outcomes).toMatchObject([
      { url: urls[0], status: "done", result: { transcript: "Words of scr_1.", language: "en", cached: true } },
      { url: urls[1], status: "failed", error: { code: "notFound", message: "It is private." } },
      { url: urls[2], status: "done", result: { cached: false, scriptId: "scr_3" } },
    ]);
    expect(JSON.parse(service.seen[0]!.body)).toEqual({ urls });
    expect(service.seen.map(({ path }) => path)).toEqual([
      "/api/v1/transcriptions",
      "/api/v1/batches/bat_1",
      "/api/v1/scripts?ids=scr_1",
      "/api/v1/batches/bat_1",
      "/api/v1/batches/bat_1",
      "/api/v1/scripts?ids=scr_3",
    ]);
    expect(slept, "longer each time, and until it should be done").toEqual([2, 3]);
  });

  it("sends more than 100 links as several batches, in order", async () => {
    const many = Array.from({ length: 201 }, (_, index) => `https://a.example/${index}`);
    const done = (part: readonly string[]) => part.map((url) => ({ url, status: "canceled" }));
    const parts = [many.slice(0, 100), many.slice(100, 200), many.slice(200)];
    service.tell(
      ...parts.map((part, index) => ({
        status: 202,
        body: { ...toldBatch(`bat_${index}`, done(part)), estimate: toldEstimate(part.length) },
      })),
      ...parts.map((part, index) => ({ body: toldBatch(`bat_${index}`, done(part)) })),
    );
    expect(await outcomesOf(many)).toEqual([]);
    expect(service.seen.slice(0, 3).map(({ body }) => JSON.parse(body).urls)).toEqual(parts);
    expect(service.seen).toHaveLength(6);
  });

  it("waits for a service that is down behind a proxy, within bounds", async () => {
    const away = { status: 502, body: "<h1>Bad gateway</h1>" };
    const rest = [{ body: toldBatch("bat_1", finished) }, { body: toldScripts("scr_1", "scr_3") }];
    service.tell(...Array.from({ length: 19 }, () => away), sentBatch("bat_1"), ...rest);
    expect(await outcomesOf(urls)).toHaveLength(3);
    expect(slept).toEqual(Array.from({ length: 19 }, () => 30));
    service.tell(...Array.from({ length: 21 }, () => away));
    await expect(outcomesOf(urls)).rejects.toMatchObject({ code: "unexpectedAnswer", status: 502 });
  });

  it("waits as told, for an hour too, unless bounds are set", async () => {
    const full = { status: 429, headers: { "retry-after": "3500" }, body: refusal("rateLimited", "Hour full.") };
    const rest = [{ body: toldBatch("bat_1", finished) }, full, { body: toldScripts("scr_1", "scr_3") }];
    service.tell(full, full, sentBatch("bat_1"), ...rest);
    expect(await outcomesOf(urls)).toHaveLength(3);
    expect(slept).toEqual([3500, 3500, 3500]);
    for (const retry of [{ waits: 2 }, { totalSeconds: 8_000 }]) {
      service.tell(full, full, full, sentBatch("bat_1"));
      await expect(outcomesOf(urls, { retry })).rejects.toMatchObject({ code: "rateLimited" });
      expect(service.seen).toHaveLength(3);
    }
  });

  it("continues by the id, and looks again when the hour has room", async () => {
    const continuesAt = new Date(Date.now() + 280_000).toISOString();
    service.tell(
      { body: toldBatch("bat_1", [{ url: urls[0], status: "waiting" }], { waitingFor: "rateLimit", continuesAt }) },
      { body: toldBatch("bat_1", [{ url: urls[0], status: "done" }]) },
    );
    const outcomes = [];
    for await (const outcome of client().followBatch({ id: "bat_1" })) outcomes.push(outcome);
    expect(outcomes).toMatchObject([{ url: urls[0], status: "done", result: { cached: false } }]);
    expect(slept[0]).toBeGreaterThan(60);
    expect(slept[0]).toBeLessThanOrEqual(280);
  });

  it.each([
    [403, "limitReached"],
    [401, "unauthorized"],
  ] as const)("throws %i %s of a batch that was refused", async (status, code) => {
    service.tell({ status, body: refusal(code, "No more.") });
    await expect(outcomesOf(urls)).rejects.toMatchObject({ code });
    expect(service.seen).toHaveLength(1);
  });
});

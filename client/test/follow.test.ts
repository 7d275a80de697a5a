import type { ServerResponse } from "node:http";
import type { FollowOptions, Transcription } from "@reelscript/client";
import { beforeEach, describe, expect, it } from "vitest";
import { refusal, type ToldAnswer, transcribed, useHastyClient, useToldService } from "./told-service.ts";

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

  it("waits as told when too many requests were made, and passes on errors", async () => {
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

  it("polls a service that answers with JSON, and finds what is not the service", async () => {
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
  const outcomesOf = async (urls: readonly string[], options: Parameters<typeof client>[0] = {}) => {
    const outcomes = [];
    for await (const outcome of client(options).transcribeReels(urls)) outcomes.push(outcome);
    return outcomes;
  };

  it("has one outcome for each reel, and a reel that fails doesn't stop the rest", async () => {
    service.tell(
      { body: transcribed },
      { status: 404, body: refusal("notFound", "It is private.") },
      { body: transcribed },
    );
    expect(
      await outcomesOf(["https://a.example", "https://b.example", "https://a.example", "https://c.example"]),
    ).toMatchObject([
      { url: "https://a.example", status: "done", result: transcribed },
      { url: "https://b.example", status: "failed", error: { code: "notFound" } },
      { url: "https://c.example", status: "done" },
    ]);
    expect(service.seen.map(({ body }) => JSON.parse(body).url)).toEqual([
      "https://a.example",
      "https://b.example",
      "https://c.example",
    ]);
  });

  it("waits for a service that is away behind a proxy, and not without an end", async () => {
    const away = { status: 502, body: "<h1>Bad gateway</h1>" };
    service.tell(...Array.from({ length: 19 }, () => away), { body: transcribed });
    expect(await outcomesOf([reelUrl])).toMatchObject([{ status: "done" }]);
    expect(slept).toEqual(Array.from({ length: 19 }, () => 30));
    service.tell(...Array.from({ length: 21 }, () => away));
    await expect(outcomesOf([reelUrl])).rejects.toMatchObject({ code: "unexpectedAnswer", status: 502 });
  });

  it("waits as told, for an hour too, and for a connection that is lost", async () => {
    const full = { status: 429, headers: { "retry-after": "3500" }, body: refusal("rateLimited", "Hour full.") };
    service.tell(full, full, (response) => void response.destroy(), { body: transcribed });
    expect(await outcomesOf([reelUrl])).toMatchObject([{ status: "done" }]);
    expect(slept).toEqual([3500, 3500, 30]);
  });

  it.each([
    [409, "inProgress"],
    [503, "unavailable"],
  ] as const)("waits after %i %s as often as told, unless bounds are set", async (status, code) => {
    const later = { status, headers: { "retry-after": "30" }, body: refusal(code, "Later.") };
    service.tell(...Array.from({ length: 30 }, () => later), { body: transcribed });
    expect(await outcomesOf([reelUrl])).toMatchObject([{ status: "done" }]);
    expect(slept).toHaveLength(30);
    for (const retry of [{ waits: 2 }, { totalSeconds: 80 }]) {
      service.tell(later, later, later, { body: transcribed });
      await expect(outcomesOf([reelUrl], { retry }), "the reel isn't to blame").rejects.toMatchObject({ code });
      expect(service.seen).toHaveLength(3);
    }
  });

  it.each([
    [403, "limitReached"],
    [401, "unauthorized"],
  ] as const)("stops on %i %s, which every other reel would meet", async (status, code) => {
    service.tell({ body: transcribed }, { status, body: refusal(code, "No more.") });
    const outcomes: string[] = [];
    const batch = async () => {
      for await (const { url } of client().transcribeReels([
        "https://a.example",
        "https://b.example",
        "https://c.example",
      ]))
        outcomes.push(url);
    };
    await expect(batch()).rejects.toMatchObject({ code });
    expect([outcomes, service.seen.length]).toEqual([["https://a.example"], 2]);
  });
});

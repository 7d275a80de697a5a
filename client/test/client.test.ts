import type { ServerResponse } from "node:http";
import { type ErrorCode, errors, operations } from "@reelscript/contract";
import { CallError, createClient } from "@reelscript/client";
import { describe, expect, it } from "vitest";
import {
  refusal,
  startToldService,
  type ToldAnswer,
  transcribed,
  usage,
  useHastyClient,
  useToldService,
} from "./told-service.ts";

const reel = "https://www.instagram.com/reel/DLlGZiCOBQ0/";

const service = useToldService();
const { connect, waits: notedWaits, slept } = useHastyClient(service);

describe("requests", () => {
  it("has a method for every operation, and those that make several requests", () => {
    const several = ["followTranscription", "transcribeAndFollow", "transcribeReels", "sendBatches", "followBatch"];
    const lists = ["allScripts", "allCompetitorReports"];
    expect(Object.keys(connect())).toEqual([...Object.keys(operations), ...several, ...lists]);
  });

  it("sends fields as JSON where the operation has a body", async () => {
    service.tell({ body: transcribed });
    expect(await connect().transcribeReel({ url: reel, languageHint: "ta-IN" })).toEqual(transcribed);
    expect(service.seen).toMatchObject([
      {
        method: "POST",
        path: "/api/v1/transcribe",
        headers: { "content-type": "application/json", authorization: "Bearer svc_sk_example" },
      },
    ]);
    expect(JSON.parse(service.seen[0]!.body)).toEqual({ url: reel, languageHint: "ta-IN" });
  });

  it("sends fields as the query otherwise, without those that are undefined", async () => {
    service.tell({ body: { scripts: [], total: 0 } });
    await connect().searchMyScripts({ query: 'café & "two words"', account: undefined, limit: 5 });
    const { method, path, body } = service.seen[0]!;
    const url = new URL(path!, service.url);
    expect([method, url.pathname, body]).toEqual(["GET", "/api/v1/scripts", ""]);
    expect(Object.fromEntries(url.searchParams)).toEqual({ query: 'café & "two words"', limit: "5" });
  });

  it("fills placeholders of a path, and refuses what would reach another path", async () => {
    service.tell({ status: 404, body: refusal("notFound", "None.") });
    await expect(connect().getScript({ id: "a/b?c#d" })).rejects.toMatchObject({ code: "notFound" });
    expect(service.seen[0]!.path).toBe("/api/v1/scripts/a%2Fb%3Fc%23d");
    service.tell();
    for (const id of ["", ".", "..", undefined, null, {}])
      await expect(connect().getScript({ id: id as string }), JSON.stringify(id)).rejects.toThrow(/id is missing/);
    expect(service.seen).toEqual([]);
  });

  it("sends an idempotency key if honored, and then retries lost connections", async () => {
    const lost = (response: ServerResponse) => void response.destroy();
    service.tell(lost, { body: transcribed });
    await connect().transcribeReel({ url: reel }, { idempotencyKey: "order-7" });
    expect(service.seen.map(({ headers }) => headers["idempotency-key"])).toEqual(["order-7", "order-7"]);
    expect(notedWaits).toEqual([{ reason: "network", seconds: 1, attempt: 1 }]);
    service.tell({ body: usage });
    await connect().getUsage({}, { idempotencyKey: "order-8" });
    expect(service.seen[0]!.headers["idempotency-key"]).toBeUndefined();
    await expect(connect().transcribeReel({ url: reel }, { idempotencyKey: "two words" })).rejects.toThrow(TypeError);
  });

  it("keeps the base URL's path, and sends no key without one", async () => {
    service.tell({ body: usage });
    await createClient({ baseUrl: `${service.url}/reels/` }).getUsage();
    expect(service.seen[0]!.path).toBe("/reels/api/v1/usage");
    expect(service.seen[0]!.headers.authorization).toBeUndefined();
  });

  it.each(["", "reelscript.example", "ftp://x", "http://user:secret@x", "javascript:alert(1)"])(
    "refuses the base URL %j",
    (baseUrl) => {
      expect(() => createClient({ baseUrl })).toThrow(TypeError);
    },
  );

  it.each(["", "two words", "line\nbreak", "schlüssel"])("refuses the key %j, which could not be sent", (apiKey) => {
    expect(() => connect({ apiKey })).toThrow(/API key/);
  });

  it("accepts a newer service's responses with additional fields and values", async () => {
    const newer = { ...usage, plan: "studio", seats: 3 };
    service.tell({ body: newer });
    expect(await connect().getUsage()).toEqual(newer);
  });

  it("reads lists to their end, one page at a time as needed", async () => {
    const scripts = ["a", "b", "c"].map((id) => ({ id, reelUrl: reel, transcript: id }));
    const first = { scripts: scripts.slice(0, 2), total: 3, nextCursor: "next" };
    service.tell({ body: first }, { body: { scripts: scripts.slice(2), total: 3 } });
    const ids: string[] = [];
    for await (const { id } of connect().allScripts({ query: "hook" })) ids.push(id);
    expect(ids).toEqual(["a", "b", "c"]);
    expect(service.seen.map(({ path }) => path)).toEqual([
      "/api/v1/scripts?limit=50&query=hook",
      "/api/v1/scripts?limit=50&query=hook&cursor=next",
    ]);
    service.tell({ body: first });
    for await (const { id } of connect().allScripts()) if (id === "b") break;
    expect(service.seen).toHaveLength(1);
  });
});

describe("errors", () => {
  const final = (Object.keys(errors) as ErrorCode[]).filter((code) => ![409, 429, 503].includes(errors[code].status));

  it.each(final)("%s becomes a CallError at once", async (code) => {
    service.tell({
      status: errors[code].status,
      headers: { "x-request-id": "req_1" },
      body: refusal(code, "Because."),
    });
    const error = await connect()
      .transcribeReel({ url: reel })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CallError);
    expect(error).toMatchObject({
      name: "CallError",
      code,
      status: errors[code].status,
      message: "Because.",
      requestId: "req_1",
    });
    expect(service.seen).toHaveLength(1);
  });

  it.each([400, 405, 412, 413, 415, 422])("tells invalidRequest %i apart", async (status) => {
    service.tell({ status, body: refusal("invalidRequest", "url: no") });
    await expect(connect().transcribeReel({ url: reel })).rejects.toMatchObject({ code: "invalidRequest", status });
  });

  it.each<[string, ToldAnswer & { status: number }]>([
    ["a proxy's page", { status: 500, body: "<h1>Something went wrong</h1>" }],
    ["a page with status 200", { status: 200, body: "<h1>Welcome</h1>" }],
    ["JSON of somebody else", { status: 404, body: { message: "no route" } }],
    ["a code that is no word", { status: 400, body: refusal("<h1>", "no") }],
    ["an envelope with status 200", { status: 200, body: refusal("notFound", "no") }],
    ["an output that breaks the contract", { status: 200, body: { plan: "free" } }],
    ["a redirect", { status: 301, headers: { location: "http://127.0.0.1:9/" }, body: "" }],
  ])("%s is an unexpected answer at once", async (_, answer) => {
    service.tell({ ...answer, headers: { "x-request-id": "req_2", ...answer.headers } });
    const error = await connect()
      .getUsage()
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "unexpectedAnswer", status: answer.status, requestId: "req_2" });
    expect((error as Error).message).not.toContain("<h1>");
    expect(service.seen).toHaveLength(1);
  });

  it("a refused connection is tried three times for reads, once for writes", async () => {
    const nobody = await startToldService();
    await nobody.close();
    await expect(connect({ baseUrl: nobody.url }).getUsage()).rejects.toThrow(/Can't reach .*ECONNREFUSED/);
    expect(notedWaits).toEqual([
      { reason: "network", seconds: 1, attempt: 1 },
      { reason: "network", seconds: 2, attempt: 2 },
    ]);
    notedWaits.splice(0);
    await expect(connect({ baseUrl: nobody.url }).transcribeReel({ url: reel })).rejects.toMatchObject({
      code: "unreachable",
    });
    expect(notedWaits).toEqual([]);
  });

  it.each([502, 503, 504])("a proxy's page of status %i is a failed connection", async (status) => {
    const page = { status, body: "<h1>Bad gateway</h1>" };
    service.tell(page, page, { body: usage });
    expect(await connect().getUsage()).toEqual(usage);
    expect(notedWaits).toEqual([
      { reason: "network", seconds: 1, attempt: 1 },
      { reason: "network", seconds: 2, attempt: 2 },
    ]);
    service.tell(page, page, page);
    await expect(connect().getUsage()).rejects.toMatchObject({ code: "unexpectedAnswer", status });
    service.tell(page);
    await expect(connect().transcribeReel({ url: reel })).rejects.toMatchObject({ code: "unexpectedAnswer", status });
  });

  it("a connection that breaks within the answer is a failed connection", async () => {
    const broken = (response: ServerResponse) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write("{", () => response.destroy());
    };
    service.tell(broken, broken, { body: usage });
    expect(await connect().getUsage()).toEqual(usage);
    expect(slept).toEqual([1, 2]);
    service.tell(broken);
    await expect(connect().transcribeReel({ url: reel })).rejects.toMatchObject({ code: "unreachable" });
  });

  it("a service that doesn't respond in time is a timeout, tried once", async () => {
    service.tell(() => undefined, { body: usage });
    await expect(connect().getUsage({}, { timeoutSeconds: 0.05 })).rejects.toMatchObject({ code: "timeout" });
    expect(notedWaits).toEqual([]);
  });
});

describe("waits", () => {
  it.each([
    [409, "inProgress"],
    [429, "rateLimited"],
    [503, "unavailable"],
  ] as const)("waits after %i as Retry-After says, then tries again", async (status, code) => {
    const answer = { status, headers: { "retry-after": "7" }, body: refusal(code, "Later.") };
    service.tell(answer, answer, { body: transcribed });
    expect(await connect().transcribeReel({ url: reel })).toEqual(transcribed);
    expect(notedWaits).toEqual([
      { reason: code, seconds: 7, attempt: 1 },
      { reason: code, seconds: 7, attempt: 2 },
    ]);
    expect(slept).toEqual([7, 7]);
  });

  it("waits as a proxy's page says, as a number or a date", async () => {
    const date = new Date(Date.now() + 200_000).toUTCString();
    service.tell(
      { status: 503, headers: { "retry-after": "3" }, body: "<h1>Starting</h1>" },
      { status: 503, headers: { "retry-after": date }, body: "<h1>Starting</h1>" },
      { body: usage },
    );
    await connect().getUsage();
    expect(slept[0]).toBe(3);
    expect(slept[1]).toBeGreaterThan(10);
    expect(slept[1]).toBeLessThanOrEqual(200);
  });

  it.each(["", "soon", "-5", "0", "1e3", "Fri, 99 Foo 2026"])("is not confused by Retry-After: %j", async (value) => {
    service.tell(
      { status: 409, headers: { "retry-after": value }, body: refusal("inProgress", "Later.") },
      { body: transcribed },
    );
    await connect().transcribeReel({ url: reel });
    expect(slept).toEqual([value === "0" ? 1 : 30]);
  });

  it("gives up when the next wait would pass five minutes in all", async () => {
    const answer = { status: 409, headers: { "retry-after": "90" }, body: refusal("inProgress", "Later.") };
    service.tell(answer, answer, answer, answer, answer);
    await expect(connect().transcribeReel({ url: reel })).rejects.toMatchObject({ code: "inProgress", retryAfter: 90 });
    expect(slept).toEqual([90, 90, 90]);
  });

  it("does not begin a wait that is too long by itself", async () => {
    service.tell({ status: 429, headers: { "retry-after": "3000" }, body: refusal("rateLimited", "Hour full.") });
    await expect(connect().getUsage()).rejects.toMatchObject({ code: "rateLimited", retryAfter: 3000 });
    expect(slept).toEqual([]);
  });

  it("gives up after the set number of waits, which may be none", async () => {
    const answer = { status: 503, headers: { "retry-after": "1" }, body: refusal("unavailable", "Busy.") };
    service.tell(answer, answer, answer, answer);
    await expect(connect({ retry: { waits: 2 } }).getUsage()).rejects.toMatchObject({ code: "unavailable" });
    expect(service.seen).toHaveLength(3);
    service.tell(answer, answer);
    await expect(connect({ retry: false }).getUsage()).rejects.toMatchObject({ code: "unavailable" });
    expect(service.seen).toHaveLength(1);
  });

  it("ends a real wait with the caller's signal", async () => {
    const stop = new AbortController();
    service.tell({ status: 409, headers: { "retry-after": "60" }, body: refusal("inProgress", "Later.") });
    const client = createClient({ baseUrl: service.url, onWait: () => stop.abort(new Error("enough")) });
    await expect(client.transcribeReel({ url: reel }, { signal: stop.signal })).rejects.toThrow("enough");
  });

  it("aborts with the caller's signal, and sends nothing if already aborted", async () => {
    const stop = new AbortController();
    service.tell(() => stop.abort(new Error("enough")));
    await expect(connect().getUsage({}, { signal: stop.signal })).rejects.toThrow("enough");
    service.tell();
    await expect(connect().getUsage({}, { signal: stop.signal })).rejects.toThrow("enough");
    expect(service.seen).toHaveLength(0);
  });
});

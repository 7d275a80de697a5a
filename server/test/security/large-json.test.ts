import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { connectExtension, type ConnectedExtension } from "../harness/connect-extension.ts";
import { rest, transcribe } from "../harness/rest.ts";
import { createScriptedTranscriber } from "../harness/scripted-transcriber.ts";
import { signInNew } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { sixteenReels } from "../reports/golden.ts";

/**
 * Characters of JSON that the main thread parses or writes before others get a turn, whatever the length of a body or an answer:
 * a script and what comes with it, or a report a few times. Five scripts have 700,000, and the body of a report has 2,500,000.
 */
const mostCharacters = 400_000;
/**
 * Values, and characters of texts, in a message between the main thread and another; bytes are only passed on. A report itself
 * has ten captions of 5,000 characters.
 */
const mostValues = 100_000;

const transcriber = createScriptedTranscriber();
const service = serviceOfTests({ transcriber });

let charactersOfTurn = 0;
let mostOfTurn = 0;
let largestMessage = 0;
const { parse, stringify } = JSON;
// oxlint-disable-next-line typescript/unbound-method -- they are called with their own `this` below
const { postMessage, emit } = Worker.prototype;

/** Adds what is parsed or written until others get a turn. */
function count(characters: number): void {
  if (charactersOfTurn === 0) setImmediate(() => (charactersOfTurn = 0));
  charactersOfTurn += characters;
  mostOfTurn = Math.max(mostOfTurn, charactersOfTurn);
}

beforeAll(() => {
  JSON.parse = (text, reviver) => {
    count(String(text).length);
    return parse(text, reviver) as unknown;
  };
  JSON.stringify = (value: unknown, ...how: never[]) => {
    const text: string | undefined = stringify(value, ...how);
    count(text?.length ?? 0);
    return text as string; // safe: as the real one promises
  };
  Worker.prototype.postMessage = function (message, transferred) {
    largestMessage = Math.max(largestMessage, valuesIn(message));
    postMessage.call(this, message, transferred as never);
  };
  Worker.prototype.emit = function (event, ...given: unknown[]) {
    if (event === "message") largestMessage = Math.max(largestMessage, valuesIn(given));
    return emit.call(this, event as "message", ...(given as [unknown]));
  };
});
afterAll(() => {
  Object.assign(JSON, { parse, stringify });
  Object.assign(Worker.prototype, { postMessage, emit });
});
beforeEach(() => {
  mostOfTurn = 0;
  largestMessage = 0;
});

function valuesIn(value: unknown): number {
  if (typeof value === "string") return 1 + value.length;
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return 1;
  return Object.values(value).reduce((sum: number, part: unknown) => sum + valuesIn(part), 1);
}

/** 500 reels with captions of 5,000 characters: 7.5 MB. */
const reels = Array.from({ length: 500 }, (_, index) => ({
  url: `https://www.instagram.com/reel/${index}/`,
  views: index,
  postedAt: new Date(Date.parse("2026-01-01T00:00:00Z") + index * 3_600_000).toISOString(),
  caption: "क".repeat(5_000),
}));
const largeReport = { ...sixteenReels, reels };

const send = async ({ token }: ConnectedExtension, body: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${service.url}/app/api/competitor-reports`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    body,
  });
  return {
    status: response.status,
    replayed: response.headers.get("idempotent-replayed"),
    body: await response.text(),
  };
};

test("the main thread passes on the bytes of a large report, and neither its reels nor its text", async () => {
  const extension = await connectExtension(service, await signInNew(service));
  const body = stringify(largeReport);
  expect(Buffer.byteLength(body)).toBeGreaterThan(7_500_000);
  const headers = { "idempotency-key": "large" };
  const first = await send(extension, body, headers);
  expect(first).toMatchObject({ status: 200, replayed: null });
  expect(parse(first.body)).toMatchObject({ reelsAnalyzed: 500 });

  // Another spelling of the same request has the same answer, and another request has none.
  const { reels: same, ...others } = largeReport;
  const spelled = stringify({ reels: same, ...others }, null, 1);
  expect(await send(extension, spelled, headers)).toEqual({ ...first, replayed: "true" });
  const other = await send(extension, stringify({ ...largeReport, handle: "another" }), headers);
  expect(other.status).toBe(422);
  expect(other.body).toContain("with another body");

  expect(mostOfTurn).toBeGreaterThan(0);
  expect(mostOfTurn).toBeLessThan(mostCharacters);
  expect(largestMessage).toBeGreaterThan(0);
  expect(largestMessage).toBeLessThan(mostValues);
});

test("of a large report with mistakes comes back what is wrong, in the same words as of a small one", async () => {
  const extension = await connectExtension(service, await signInNew(service));
  const wrong = { url: "nowhere", views: "many" };
  const answers = [];
  for (const others of [[], reels])
    answers.push(await send(extension, stringify({ ...largeReport, reels: [wrong, ...others] })));
  const [small, large] = answers;
  expect(small!.status).toBe(400);
  expect(small!.body).toContain("`reels[0].url`");
  expect(large).toEqual(small);
  expect(largestMessage).toBeGreaterThan(0);
  expect(largestMessage).toBeLessThan(mostValues);
});

test("a list of long scripts is written one by one, with a turn for others after each", async () => {
  const person = await signInNew(service);
  const key: string = (await person.api("createKey", { name: "test" })).body.secret;
  const texts = Array.from({ length: 5 }, (_, index) => `${index} ${'"क" '.repeat(24_000)}`.trim());
  for (const text of texts) {
    transcriber.tell({ text: "Salt comes first." });
    expect((await transcribe(service.url, key, service.newReel())).status).toBe(200);
    const { id } = (await rest(service.url, "/scripts?limit=1", { key })).body.scripts[0];
    const { version } = (await person.api("getScriptCorrection", { id })).body;
    expect((await person.api("correctScript", { id, ifVersion: version, texts: [text] })).status).toBe(200);
  }
  const { body: list } = await rest(service.url, "/scripts?limit=50", { key });
  const ids = (list.scripts as { id: string }[]).map(({ id }) => id).join(",");
  mostOfTurn = 0;
  const response = await fetch(`${service.url}/api/v1/scripts?ids=${ids}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const whole = await response.text();
  expect(mostOfTurn).toBeGreaterThan(100_000);
  expect(mostOfTurn).toBeLessThan(mostCharacters);
  expect(whole.length).toBeGreaterThan(700_000);
  const read = parse(whole);
  expect(stringify(read), "written as ever").toBe(whole);
  expect(new Set(read.scripts.map(({ transcript }: { transcript: string }) => transcript))).toEqual(new Set(texts));
});

import { once } from "node:events";
import { connect } from "node:net";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { RateLimits } from "../../src/ports.ts";
import { connectAgent } from "../harness/connect-mcp.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { type Answer, rest, transcribe, transcribeLater } from "../harness/rest.ts";
import { signInNew } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { aSender } from "../people/media-sender.ts";

/** Holds up the counting of calls, as a slow database would: it is the first work that a call does in its place. */
function createSlowCounting() {
  let held: RegExp | undefined;
  const working: (() => void)[] = [];
  return {
    working,
    hold: (subjects: RegExp) => void (held = subjects),
    /** Lets the call go on that has worked longest. */
    next: () => working.shift()?.(),
    open() {
      held = undefined;
      for (const go of working.splice(0)) go();
    },
    before: (real: RateLimits): RateLimits => ({
      ...real,
      async take(subject, buckets, now) {
        if (held?.test(subject)) await new Promise<void>((resolve) => working.push(resolve));
        return real.take(subject, buckets, now);
      },
    }),
  };
}

const counting = createSlowCounting();
const gate = createGatedTranscriber();
const limits = { atATime: 2, waiting: 4 };
const service = serviceOfTests({
  transcriber: gate,
  callLimits: limits,
  rateLimits: { default: 1_000, transcribe: 1_000 },
  rateLimitsOf: (real) => counting.before(real),
});
beforeEach(() => {
  gate.open();
  counting.open();
});

const usage = async (key: string, signal?: AbortSignal) =>
  (await rest(service.url, "/usage", { key, ...(signal && { signal }) })).status;

/** Occupies both places of a caller, until the counting is opened. */
async function occupy(callerOf: RegExp, call: () => Promise<unknown>): Promise<void> {
  counting.hold(callerOf);
  const calls = [call(), call()];
  onTestFinished(async () => {
    counting.open();
    await Promise.all(calls);
  });
  await expect.poll(() => counting.working.length).toBe(2);
}

const doors = {
  REST: async () => {
    const { key, accountId } = await service.createCaller();
    return { accountId, call: async (): Promise<number> => usage(key) };
  },
  MCP: async () => {
    const { key, accountId } = await service.createCaller();
    const agent = await connectAgent(service.url, key);
    onTestFinished(() => agent.close());
    return { accountId, call: async () => ((await agent.call("get_my_usage")).isError ? 500 : 200) };
  },
  people: async () => {
    const person = await signInNew(service);
    return { accountId: person.accountId, call: async () => (await person.api("getUsage")).status };
  },
};

test.each(Object.entries(doors))("of one caller two calls work at a time: %s", async (_door, open) => {
  const { accountId, call } = await open();
  const other = await service.createCaller();
  // The call of an operation, not the message of MCP that brings it.
  counting.hold(new RegExp(`^${accountId}`));
  const ended: number[] = [];
  const calls = Array.from({ length: 6 }, async (_, index) => {
    const status = await call();
    ended.push(index);
    return status;
  });
  await expect.poll(() => counting.working.length).toBe(2);
  expect(await usage(other.key), "others aren't held up").toBe(200);
  expect(counting.working).toHaveLength(2);
  for (let done = 1; done <= 6; done += 1) {
    counting.next();
    await expect.poll(() => ended.length).toBe(done);
    expect(counting.working.length).toBeLessThanOrEqual(2);
  }
  expect(await Promise.all(calls)).toEqual([200, 200, 200, 200, 200, 200]);
});

test("each key of an account, and its people, have separate places", async () => {
  const caller = await service.createCaller();
  const second = await caller.createKey();
  await occupy(new RegExp(`${caller.accountId}:1`), () => usage(caller.key));
  expect(await usage(second.key)).toBe(200);
});

test("visitors of one network share places, and key holders don't wait", async () => {
  const { key } = await service.createCaller();
  const plans = () => rest(service.url, "/plans");
  await occupy(/^address:/, plans);
  const third = plans();
  expect(await usage(key)).toBe(200);
  expect((await rest(service.url, "/usage")).status, "what needs a key is refused without a place").toBe(401);
  counting.open();
  expect((await third).status).toBe(200);
});

test("above the waiting limit a call is 429 and doesn't count", async () => {
  const { key, accountId } = await service.createCaller();
  await occupy(new RegExp(accountId), () => usage(key));
  const refused: Answer[] = [];
  const waiting = Array.from({ length: limits.waiting + 3 }, async () => {
    const answer = await rest(service.url, "/usage", { key });
    if (answer.status !== 200) refused.push(answer);
  });
  await expect.poll(() => refused.length).toBe(3);
  for (const { status, headers, body } of refused) {
    expect([status, headers.get("x-error-reason"), headers.get("retry-after")]).toEqual([429, "tooManyAtATime", "5"]);
    expect(body.error.message).toMatch(/at most 2 .* 4 wait/);
  }
  counting.open();
  await Promise.all(waiting);
  expect(refused).toHaveLength(3);
  const { headers } = await rest(service.url, "/usage", { key });
  expect(headers.get("ratelimit-remaining")).toBe(String(1_000 - 2 - limits.waiting - 1));
});

test("a caller that hangs up leaves the line", async () => {
  const { key, accountId } = await service.createCaller();
  await occupy(new RegExp(accountId), () => usage(key));
  const gone = new AbortController();
  const ended: number[] = [];
  const leaving = Array.from({ length: limits.waiting + 1 }, async () => {
    ended.push(await usage(key, gone.signal).catch(() => 0));
  });
  await expect.poll(() => ended).toEqual([429]);
  gone.abort();
  await Promise.all(leaving);
  const isRefused = () =>
    usage(key, AbortSignal.timeout(500)).then(
      (status) => status === 429,
      () => false,
    );
  await expect.poll(isRefused).toBe(false);
});

describe("who only waits has given its place back", () => {
  const bothPlaces = [1, 2];

  test("calls that wait for a recognizer", async () => {
    const { key } = await service.createCaller();
    gate.close();
    const waiting = [1, 2, 3].map(() => transcribe(service.url, key, service.newReel()));
    await expect
      .poll(async () => (await rest(service.url, "/transcriptions", { key })).body.transcriptions.length)
      .toBe(3);
    expect(await usage(key)).toBe(200);
    gate.open();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test("those who follow a transcription", async () => {
    const { key } = await service.createCaller();
    gate.close();
    const id = await transcribeLater(service.url, key, service.newReel());
    const followers = await Promise.all(
      [1, 2, 3].map(() =>
        fetch(`${service.url}/api/v1/transcriptions/${id}`, {
          headers: { authorization: `Bearer ${key}`, accept: "text/event-stream" },
        }),
      ),
    );
    expect(await usage(key)).toBe(200);
    gate.open();
    for (const follower of followers) expect(await follower.text()).toContain("event: finished");
  });

  test("calls that wait for the platform", async () => {
    const { key } = await service.createCaller();
    const slow = encodeURIComponent(service.standin.urlOf("CwlSlowDrip"));
    const gone = new AbortController();
    service.standin.counters.reset();
    const waiting = bothPlaces.map(() =>
      rest(service.url, `/reels/resolve?url=${slow}`, { key, signal: gone.signal }).catch(() => undefined),
    );
    await expect.poll(() => service.standin.counters.total).toBeGreaterThanOrEqual(2);
    expect(await usage(key)).toBe(200);
    gone.abort();
    await Promise.all(waiting);
  });

  test("calls whose body is still arriving", async () => {
    const { key, accountId } = await service.createCaller();
    const { hostname, port } = new URL(service.url);
    const sockets = bothPlaces.map(() => connect(Number(port), hostname));
    onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
    const begun = [...bothPlaces];
    counting.hold(new RegExp(accountId));
    for (const socket of sockets) {
      await once(socket, "connect");
      socket.write(
        `POST /api/v1/transcribe HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{`,
      );
    }
    // Both are in their places, and then wait for the rest of the body.
    await expect.poll(() => counting.working.length).toBe(begun.length);
    counting.open();
    expect(await usage(key)).toBe(200);
  });

  test("an extension whose media are still arriving", async () => {
    const sender = await aSender(service);
    let end = (): void => undefined;
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from("media of the reel"));
        end = () => controller.close();
      },
    });
    const sending = sender.send(service.newReel(), body);
    const others = bothPlaces.map(() => sender.used());
    expect(await Promise.all(others)).toEqual([0, 0]);
    end();
    expect((await sending).status).toBe(200);
  });
});

test("a repeated call for its own transcription needs no second place", async () => {
  const { key, accountId } = await service.createCaller();
  const url = service.newReel();
  gate.close();
  const ask = () =>
    rest(service.url, "/transcribe", {
      key,
      body: { url },
      headers: { prefer: "respond-async", "idempotency-key": "once" },
    });
  expect((await ask()).status).toBe(202);
  counting.hold(new RegExp(accountId));
  const repeats = [ask(), ask()];
  await expect.poll(() => counting.working.length).toBe(2);
  counting.open();
  expect((await Promise.all(repeats)).map(({ status }) => status)).toEqual([202, 202]);
  gate.open();
});

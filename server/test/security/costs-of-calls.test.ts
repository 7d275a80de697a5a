import { connect, type Socket } from "node:net";
import { allOperations, type Operation } from "@reelscript/contract";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { Scripts } from "../../src/ports.ts";
import { costs, shareLimits } from "../../src/run/costs.ts";
import { connectAgent } from "../harness/connect-mcp.ts";
import { rest, transcribe } from "../harness/rest.ts";
import { createScriptedTranscriber } from "../harness/scripted-transcriber.ts";
import { signInNew } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

/** Bytes that an account, and all of them together, may have read and written at a time. */
const ofAccount = 16 * 1_024 * 1_024;
const ofProcess = 128 * 1_024 * 1_024;
/** Bytes of a whole script, and of a hit in a list. */
const wholeScript = 600_000;
const hit = 80_000;
const characters = 95_000;

/** Holds up whoever reads scripts, as a slow database would. */
function createSlowReading() {
  let isHeld = false;
  let most = 0;
  let scriptsRead = 0;
  const working = new Map<() => void, number>();
  const reading = async (bytes: number): Promise<void> => {
    if (!isHeld) return;
    await new Promise<void>((resolve) => {
      working.set(resolve, bytes);
      most = Math.max(most, bytesNow());
    });
  };
  const bytesNow = (): number => [...working.values()].reduce((sum, bytes) => sum + bytes, 0);
  return {
    working,
    bytesNow,
    most: () => most,
    scriptsRead: () => scriptsRead,
    hold: () => void (isHeld = true),
    next(): void {
      const [first] = working.keys();
      if (first !== undefined) working.delete(first);
      first?.();
    },
    open(): void {
      isHeld = false;
      most = 0;
      scriptsRead = 0;
      for (const go of working.keys()) go();
      working.clear();
    },
    of: (real: Scripts): Scripts => ({
      ...real,
      async findUntimed(accountId, id) {
        scriptsRead += 1;
        if (id.startsWith("scr_first")) await reading(20 * wholeScript);
        return real.findUntimed(accountId, id);
      },
      async search(accountId, search) {
        await reading(search.limit * hit);
        return real.search(accountId, search);
      },
    }),
  };
}

const reading = createSlowReading();
const transcriber = createScriptedTranscriber();
const service = serviceOfTests({
  transcriber,
  rateLimits: { default: 1_000, transcribe: 1_000 },
  scriptsOf: reading.of,
});
beforeEach(() => reading.open());

/** Somebody with a script of 95,000 characters, who asks for twenty whole ones at a time. */
async function aGreedyPerson() {
  const person = await signInNew(service);
  const keys: string[] = [];
  for (const name of ["one", "two", "three"]) keys.push((await person.api("createKey", { name })).body.secret);
  const [key = ""] = keys;
  transcriber.tell({ text: "Salt comes first." });
  expect((await transcribe(service.url, key, service.newReel())).status).toBe(200);
  const { id } = (await rest(service.url, "/scripts?limit=1", { key })).body.scripts[0];
  const { version } = (await person.api("getScriptCorrection", { id })).body;
  const texts = ["Salt comes first. ".repeat(characters / 18)];
  expect((await person.api("correctScript", { id, ifVersion: version, texts })).status).toBe(200);
  const ids = ["scr_first", ...Array.from({ length: 18 }, (_, index) => `scr_${index}`), id].join(",");
  return { keys, ids, person };
}

const usage = async (key: string): Promise<number> => (await rest(service.url, "/usage", { key })).status;

test("of one account 16 MiB are read and written at a time, and neither others nor its own small calls wait", async () => {
  const { keys, ids } = await aGreedyPerson();
  const neighbor = await service.createCaller();
  const agent = await connectAgent(service.url, keys[2]!);
  reading.hold();
  const calls = keys.flatMap((key) => [
    ...[1, 2].map(async () => {
      const { status, body } = await rest(service.url, `/scripts?ids=${ids}`, { key });
      expect(body.scripts.map(({ transcript }: { transcript: string }) => transcript.length > 90_000)).toEqual([true]);
      return status;
    }),
    ...[1, 2].map(async () => (await rest(service.url, "/scripts?limit=50&query=salt", { key })).status),
  ]);
  await expect.poll(() => reading.working.size).toBeGreaterThan(0);
  expect(await usage(neighbor.key)).toBe(200);
  expect((await agent.call("get_my_usage")).isError ?? false).toBe(false);
  for (const key of keys) expect(await usage(key), "an own small call").toBe(200);
  expect(reading.bytesNow()).toBeLessThanOrEqual(ofAccount);

  // Another account's large call has a share of its own.
  const before = reading.working.size;
  const theirs = rest(service.url, "/scripts?limit=50", { key: neighbor.key });
  await expect.poll(() => reading.working.size).toBe(before + 1);
  for (let left = calls.length + 1; left > 0; left -= 1) {
    await expect.poll(() => reading.working.size).toBeGreaterThan(0);
    reading.next();
  }
  expect((await theirs).status).toBe(200);
  expect(await Promise.all(calls)).toEqual(calls.map(() => 200));
  expect(reading.most()).toBeLessThanOrEqual(ofAccount + 50 * hit);
  await agent.close();
});

test.each([
  ["its answer is sent", () => reading.next()],
  ["its reader has gone", (socket: Socket) => void socket.destroy()],
])("a call takes its account's share until %s, and nobody else's", async (_, end) => {
  const { keys } = await aGreedyPerson();
  const neighbor = await service.createCaller();
  const twenty = `/scripts?ids=${Array.from({ length: 20 }, (_id, index) => `scr_${index}`).join(",")}`;
  reading.hold();
  // A connection's answers come in order: the second waits unsent while the first is held up.
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.resume();
  for (const path of ["/scripts?limit=1&query=salt", twenty])
    socket.write(
      `GET /api/v1${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${keys[0]}\r\n\r\n`,
    );
  await expect.poll(() => reading.scriptsRead()).toBe(20);
  const ownCall = rest(service.url, twenty, { key: keys[1]! });
  // Small calls pass, and others have shares of their own.
  expect(await usage(keys[1]!)).toBe(200);
  expect((await rest(service.url, twenty, { key: neighbor.key })).status).toBe(200);
  expect(reading.scriptsRead()).toBe(40);
  end(socket);
  expect((await ownCall).status).toBe(200);
  expect(reading.scriptsRead()).toBe(60);
});

describe("the costs", () => {
  test("are bounded for an account and for a process", () => {
    expect(shareLimits).toEqual({ ofOwner: ofAccount, ofProcess, waiting: 16 });
  });

  test("are stated for every operation whose body may be larger than half a megabyte", () => {
    const large = Object.entries<Operation>(allOperations).filter(([, { http }]) => (http.maxBodyBytes ?? 0) > 512_000);
    expect(large.length).toBeGreaterThan(0);
    for (const [name, { http }] of large) {
      const cost = costs[name as keyof typeof costs];
      expect(cost, name).toEqual({ body: expect.any(Number) });
      expect((cost as { body: number }).body, name).toBeGreaterThanOrEqual(http.maxBodyBytes!);
    }
  });

  test("of a list grow with what it shows", () => {
    const { answer } = costs.searchMyScripts as { answer: (input: object) => number };
    expect(answer({ limit: 50 })).toBe(50 * hit);
    expect(answer({ limit: 20, ids: "a,b,c" })).toBe(3 * wholeScript);
    expect(answer({ limit: 20, url: "https://example.com" })).toBe(wholeScript);
  });
});

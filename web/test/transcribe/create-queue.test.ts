import { CallError } from "@reelscript/client/core";
import type { TranscribeResult, Transcription } from "@reelscript/contract";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createQueue } from "../../src/pages/transcribe/create-queue.ts";

const result = (transcript = "Hello.", cached = false): TranscribeResult => ({
  transcript,
  language: transcript === "" ? "und" : "en",
  cached,
  usage: { used: 1, limit: 10 },
});
const url = (code: string): string => `https://www.instagram.com/reel/${code}/`;
const refusal = (code: CallError["code"], retryAfter?: number) => new CallError(code, code, { retryAfter });
const running = (id: string, progress = 0): Transcription => ({
  id,
  status: "running",
  progress,
  reelUrl: url(id),
  requestedAt: "2026-11-14T18:20:00.000Z",
});
const done = (id: string): Transcription => ({
  ...running(id, 1),
  status: "done",
  finishedAt: "2026-11-14T18:20:09.000Z",
  result: result(),
});

type Answer = TranscribeResult | Transcription | CallError;

/** A world that answers only when the test says so. */
function world(storage = new Map<string, string>()) {
  const asks: string[] = [];
  const follows: string[] = [];
  const waiting = new Map<string, (answer: Answer) => void>();
  const answerTo = <Value extends Answer>(name: string): Promise<Value> =>
    new Promise((resolve, reject) => {
      waiting.set(name, (answer) => (answer instanceof CallError ? reject(answer) : resolve(answer as Value)));
    });
  const open = () => {
    vi.stubGlobal("sessionStorage", {
      getItem: (name: string) => storage.get(name) ?? null,
      setItem: (name: string, value: string) => void storage.set(name, value),
    });
    return createQueue({
      name: "jobs",
      ask(link) {
        asks.push(link);
        return answerTo(link);
      },
      follow(id) {
        follows.push(id);
        return answerTo(id);
      },
      onStored: () => undefined,
    });
  };
  const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000);
  return {
    open,
    /** A queue that has asked for the reels of these codes. */
    begin: async (...codes: string[]) => {
      const queue = open();
      queue.add(codes.map((code) => ({ url: url(code) })));
      await pass(0);
      return queue;
    },
    storage,
    asks,
    follows,
    pass,
    /** Sends the service's response to the request for the reel of a code. */
    answer: async (code: string, answer: Answer): Promise<void> => {
      waiting.get(url(code))!(answer);
      await pass(0);
    },
    /** How a transcription ends that is followed. */
    end: async (id: string, ending: Answer): Promise<void> => {
      waiting.get(id)!(ending);
      await pass(0);
    },
  };
}

type Queue = ReturnType<ReturnType<typeof world>["open"]>;
const kinds = (queue: Queue) => queue.jobs().map(({ state }) => state.kind);

describe("the queue of reels", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test("works on two at a time, in the order of asking, and keeps which script each became", async () => {
    const { begin, asks, answer } = world();
    const queue = await begin("a", "b", "c");
    expect(asks).toEqual([url("a"), url("b")]);
    await answer("b", { ...result("Cached.", true), scriptId: "scr_b" });
    expect(asks).toEqual([url("a"), url("b"), url("c")]);
    expect(kinds(queue)).toEqual(["asking", "done", "asking"]);
    expect(queue.jobs()[1]!.state).toMatchObject({ cached: true, transcript: "Cached.", scriptId: "scr_b" });
  });

  test("starts a transcription over that failed", async () => {
    const { begin, asks, answer, end, pass } = world();
    const queue = await begin("a");
    await answer("a", running("trn_1"));
    const error = { code: "notFound", message: "private" } as const;
    await end("trn_1", { ...running("trn_1"), status: "failed", error });
    const [failed] = queue.jobs();
    expect(failed!.state).toMatchObject({ kind: "failed", trouble: error });
    queue.retry(failed!.number);
    await pass(0);
    expect(asks).toEqual([url("a"), url("a")]);
  });

  test("asks again by itself when another is at the same reel, and goes on with others meanwhile", async () => {
    const { begin, asks, answer, pass } = world();
    const queue = await begin("a", "b", "c");
    await answer("a", refusal("inProgress", 30));
    expect(kinds(queue)).toEqual(["pausing", "asking", "asking"]);
    await answer("b", result());
    await pass(29);
    expect(asks).toHaveLength(3);
    await pass(1);
    expect(asks.at(-1)).toBe(url("a"));
  });

  test("rests as a whole when it was too fast, also after a reload", async () => {
    const { begin, open, asks, answer, pass } = world();
    const queue = await begin("a", "b", "c");
    await answer("a", refusal("rateLimited", 240));
    await answer("b", result());
    expect(kinds(queue)).toEqual(["pausing", "done", "waiting"]);
    expect(kinds(open())).toEqual(["pausing", "done", "waiting"]);
    await pass(239);
    expect(asks).toHaveLength(2);
    await pass(1);
    expect(new Set(asks.slice(2))).toEqual(new Set([url("a"), url("c")]));
  });

  test("lets a used-up plan fail, and still serves what is cached", async () => {
    const { begin, asks, answer, pass } = world();
    const queue = await begin("a", "b", "c");
    await answer("a", refusal("limitReached"));
    await answer("c", result("Free.", true));
    await pass(600);
    expect(kinds(queue)).toEqual(["failed", "asking", "done"]);
    expect(asks).toEqual([url("a"), url("b"), url("c")]);
  });

  test("gives no number twice, so that what comes late meets no other reel", async () => {
    const { begin, answer } = world();
    const queue = await begin("a");
    await answer("a", result());
    const [{ number } = expect.fail("no job")] = queue.jobs();
    queue.clearFinished();
    queue.add([{ url: url("b") }]);
    expect(queue.jobs()[0]!.number).toBeGreaterThan(number);
  });

  test("waits for a service that is away, and takes up what it had begun", async () => {
    const { begin, asks, answer, end, pass } = world();
    const queue = await begin("a");
    await answer("a", running("trn_1"));
    await end("trn_1", refusal("unreachable"));
    expect(queue.jobs()[0]!.state).toMatchObject({ kind: "pausing", trouble: { code: "unreachable" } });
    await pass(30);
    await end("trn_1", done("trn_1"));
    expect(kinds(queue)).toEqual(["done"]);
    expect(asks).toEqual([url("a")]);
  });

  test("gives up in the end", async () => {
    const { begin, answer, pass } = world();
    const queue = await begin("a");
    for (let round = 0; round < 12; round += 1) {
      await answer("a", refusal("inProgress"));
      await pass(30);
    }
    expect(queue.jobs()[0]!.state).toMatchObject({ kind: "failed", trouble: { code: "inProgress" } });
  });

  test("survives a reload without keeping any words", async () => {
    const before = world();
    await before.begin("a", "b", "c");
    await before.answer("a", { ...result("Secret words."), scriptId: "scr_a" });
    await before.answer("b", running("trn_b"));
    expect([...before.storage.values()].join("")).not.toContain("Secret");

    const after = world(before.storage);
    const reopened = after.open();
    await after.pass(0);
    expect(kinds(reopened)).toEqual(["done", "following", "asking"]);
    expect(reopened.jobs()[0]!.state).toMatchObject({ scriptId: "scr_a" });
    expect([after.follows, after.asks]).toEqual([["trn_b"], [url("c")]]);
  });

  test("asks for the reel when the service has forgotten the transcription", async () => {
    const { open, asks, end, pass } = world();
    open().add([{ url: url("a"), transcriptionId: "trn_old" }]);
    await pass(0);
    await end("trn_old", refusal("notFound"));
    expect(asks).toEqual([url("a")]);
  });

  test("takes a reel that is under way once, and one that is done again", async () => {
    const { begin, answer, pass } = world();
    const queue = await begin("a");
    queue.add([{ url: "https://www.instagram.com/p/a/" }, { url: url("b") }]);
    await pass(0);
    expect(queue.jobs()).toHaveLength(2);
    await answer("a", result());
    queue.add([{ url: url("a") }]);
    expect(queue.jobs().map((job) => job.url)).toEqual([url("a"), url("b")]);
    expect(kinds(queue)[0]).toBe("asking");
  });

  test("begins empty where what was kept is broken", () => {
    for (const kept of ["{", "null", '[{"number":"x"}]', "[null]"])
      expect(kinds(world(new Map([["jobs", kept]])).open())).toEqual([]);
  });
});

import { CallError } from "@reelscript/client/core";
import type { TranscribeResult, Transcription } from "@reelscript/contract";
import { afterEach, describe, expect, test, vi } from "vitest";
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
const finished = (id: string, ending: Partial<Transcription>): Transcription => ({
  ...running(id, 1),
  status: "done",
  finishedAt: "2026-11-14T18:20:09.000Z",
  ...ending,
});

interface Reply<Value> {
  resolve: (value: Value) => void;
  reject: (reason: unknown) => void;
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

/** A world that answers only when the test says so, and in which time passes only then. */
function world(storage = new Map<string, string>()) {
  const asked = new Map<string, Reply<TranscribeResult | Transcription>>();
  const followed = new Map<string, Reply<Transcription> & { onChange: (transcription: Transcription) => void }>();
  const timers: (readonly [at: number, begin: () => void])[] = [];
  const stored: TranscribeResult[] = [];
  const asks: string[] = [];
  let time = 1_000_000;
  const open = () => {
    vi.stubGlobal("sessionStorage", {
      getItem: (name: string) => storage.get(name) ?? null,
      setItem: (name: string, value: string) => void storage.set(name, value),
    });
    return createQueue({
      ask: async (link) => {
        asks.push(link);
        return new Promise((resolve, reject) => asked.set(link, { resolve, reject }));
      },
      follow: async (id, onChange) => new Promise((resolve, reject) => followed.set(id, { resolve, reject, onChange })),
      onStored: (one) => stored.push(one),
      name: "jobs",
      now: () => time,
      wait: (milliseconds, then) => timers.push([time + milliseconds, then]),
    });
  };
  return {
    /** A queue that has asked for the reels of these codes. */
    begin: async (...codes: string[]) => {
      const queue = open();
      queue.add(codes.map((code) => ({ url: url(code) })));
      await settle();
      return queue;
    },
    open,
    storage,
    asks,
    followed,
    stored,
    /** What the service answers, or refuses with, to who asked for the reel of a code. */
    answer: async (code: string, answer: TranscribeResult | Transcription | CallError): Promise<void> => {
      if (answer instanceof CallError) asked.get(url(code))!.reject(answer);
      else asked.get(url(code))!.resolve(answer);
      await settle();
    },
    /** How a transcription ends that is followed. */
    end: async (id: string, ending: Transcription | CallError): Promise<void> => {
      if (ending instanceof CallError) followed.get(id)!.reject(ending);
      else followed.get(id)!.resolve(ending);
      await settle();
    },
    settle,
    pass: async (seconds: number): Promise<void> => {
      time += seconds * 1_000;
      for (const [at, begin] of timers.splice(0))
        // As in browsers, they may come a millisecond early.
        if (at <= time + 1) begin();
        else timers.push([at, begin]);

      await settle();
    },
  };
}

type Queue = ReturnType<ReturnType<typeof world>["open"]>;
const kinds = (queue: Queue) => queue.jobs().map(({ state }) => state.kind);

describe("the queue of reels", () => {
  afterEach(() => void vi.unstubAllGlobals());

  test("works on two at a time, in the order of asking, and keeps which script each became", async () => {
    const { begin, asks, answer, stored } = world();
    const queue = await begin("a", "b", "c");
    expect(asks).toEqual([url("a"), url("b")]);
    await answer("b", { ...result("Cached.", true), scriptId: "scr_b" });
    expect(asks).toEqual([url("a"), url("b"), url("c")]);
    expect(kinds(queue)).toEqual(["asking", "done", "asking"]);
    expect(queue.jobs()[1]!.state).toMatchObject({ cached: true, transcript: "Cached.", scriptId: "scr_b" });
    expect(stored).toHaveLength(1);
  });

  test("follows a transcription to its result", async () => {
    const { open, answer, followed, end, settle } = world();
    const queue = open();
    queue.add([{ url: url("a"), languageHint: "ta" }]);
    await settle();
    await answer("a", running("trn_1"));
    followed.get("trn_1")!.onChange(running("trn_1", 0.4));
    expect(queue.jobs()[0]!.state).toMatchObject({ kind: "following", status: "running", progress: 0.4 });
    await end("trn_1", finished("trn_1", { result: result("") }));
    expect(queue.jobs()[0]!.state).toMatchObject({ kind: "done", language: "und", cached: false });
  });

  test("tells what failed, and starts over when asked again", async () => {
    const { begin, asks, answer, end, settle } = world();
    const queue = await begin("a");
    await answer("a", running("trn_1"));
    await end("trn_1", finished("trn_1", { status: "failed", error: { code: "notFound", message: "private" } }));
    const [failed] = queue.jobs();
    expect(failed!.state).toMatchObject({ kind: "failed", trouble: { code: "notFound", message: "private" } });
    queue.retry(failed!.number);
    await settle();
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

  test("rests as a whole when it was too fast", async () => {
    const { begin, asks, answer, pass } = world();
    const queue = await begin("a", "b", "c");
    await answer("a", refusal("rateLimited", 240));
    await answer("b", result());
    expect(kinds(queue)).toEqual(["pausing", "done", "waiting"]);
    await pass(240);
    expect(asks.slice(2)).toEqual([url("a"), url("c")]);
  });

  test("is not left resting by a timer that comes early", async () => {
    const { begin, asks, answer, pass } = world();
    await begin("a");
    await answer("a", refusal("rateLimited", 240));
    await pass(239.999);
    expect(asks).toHaveLength(1);
    await pass(0.001);
    expect(asks).toHaveLength(2);
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
    await end("trn_1", finished("trn_1", { result: result() }));
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

  test("lets a used-up plan fail, and still serves what is cached", async () => {
    const { begin, answer } = world();
    const queue = await begin("a", "b");
    await answer("a", refusal("limitReached"));
    await answer("b", result("Free.", true));
    expect(kinds(queue)).toEqual(["failed", "done"]);
  });

  test("survives a reload without keeping any words", async () => {
    const before = world();
    await before.begin("a", "b", "c");
    await before.answer("a", { ...result("Secret words."), scriptId: "scr_a" });
    await before.answer("b", running("trn_b"));
    expect([...before.storage.values()].join("")).not.toContain("Secret");

    const after = world(before.storage);
    const reopened = after.open();
    await after.settle();
    expect(kinds(reopened)).toEqual(["done", "following", "asking"]);
    expect(reopened.jobs()[0]!.state).toMatchObject({ scriptId: "scr_a" });
    expect([...after.followed.keys()]).toEqual(["trn_b"]);
    expect(after.asks).toEqual([url("c")]);
  });

  test("asks for the reel when the service has forgotten the transcription", async () => {
    const before = world();
    before.open().add([{ url: url("a"), transcriptionId: "trn_old" }]);
    await before.settle();
    await before.end("trn_old", refusal("notFound"));
    expect(before.asks).toEqual([url("a")]);
  });

  test("takes a reel that is under way once, and one that is done again", async () => {
    const { begin, answer, settle } = world();
    const queue = await begin("a");
    queue.add([{ url: "https://www.instagram.com/p/a/" }, { url: url("b") }]);
    await settle();
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

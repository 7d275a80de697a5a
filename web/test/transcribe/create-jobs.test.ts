import { CallError } from "@reelscript/client/core";
import type { TranscribeResult, Transcription } from "@reelscript/contract";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createJobs, type Jobs } from "../../src/pages/transcribe/create-jobs.ts";

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
    return createJobs({
      name: "jobs",
      ask({ url: link }) {
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
    /** Jobs for the reels of these codes, which were asked for. */
    begin: async (...codes: string[]) => {
      const jobs = open();
      jobs.add(codes.map((code) => ({ url: url(code) })));
      await pass(0);
      return jobs;
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

const kinds = (jobs: Jobs) => jobs.all().map(({ state }) => state.kind);

describe("single reels on the page", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test("are asked for at once, and keep which script each became", async () => {
    const { begin, asks, answer } = world();
    const jobs = await begin("a", "b");
    expect(asks).toEqual([url("a"), url("b")]);
    await answer("b", { ...result("Cached.", true), scriptId: "scr_b" });
    expect(kinds(jobs)).toEqual(["asking", "done"]);
    expect(jobs.all()[1]!.state).toMatchObject({ cached: true, transcript: "Cached.", scriptId: "scr_b" });
  });

  test("starts a transcription over that failed", async () => {
    const { begin, asks, answer, end, pass } = world();
    const jobs = await begin("a");
    await answer("a", running("trn_1"));
    const error = { code: "notFound", message: "private" } as const;
    await end("trn_1", { ...running("trn_1"), status: "failed", error });
    const [failed] = jobs.all();
    expect(failed!.state).toMatchObject({ kind: "failed", trouble: error });
    jobs.retry(failed!.number);
    await pass(0);
    expect(asks).toEqual([url("a"), url("a")]);
  });

  test("are retried automatically when the service says so, after reloads too", async () => {
    const { begin, open, asks, answer, pass } = world();
    const jobs = await begin("a", "b");
    await answer("a", refusal("inProgress", 30));
    await answer("b", refusal("rateLimited", 240));
    expect(kinds(jobs)).toEqual(["pausing", "pausing"]);
    expect(kinds(open())).toEqual(["pausing", "pausing"]);
    await pass(29);
    expect(asks).toHaveLength(2);
    await pass(1);
    expect(new Set(asks.slice(2))).toEqual(new Set([url("a")]));
    await pass(210);
    expect(asks.at(-1)).toBe(url("b"));
  });

  test("lets a used-up plan fail, and still serves what is cached", async () => {
    const { begin, asks, answer, pass } = world();
    const jobs = await begin("a", "b", "c");
    await answer("a", refusal("limitReached"));
    await answer("c", result("Free.", true));
    await pass(600);
    expect(kinds(jobs)).toEqual(["failed", "asking", "done"]);
    expect(asks).toHaveLength(3);
  });

  test("reuses no number, so that late responses meet no other reel", async () => {
    const { begin, answer } = world();
    const jobs = await begin("a");
    await answer("a", result());
    const [{ number } = expect.fail("no job")] = jobs.all();
    jobs.clearFinished();
    jobs.add([{ url: url("b") }]);
    expect(jobs.all()[0]!.number).toBeGreaterThan(number);
  });

  test("waits while the service is down, and continues its earlier work", async () => {
    const { begin, asks, answer, end, pass } = world();
    const jobs = await begin("a");
    await answer("a", running("trn_1"));
    await end("trn_1", refusal("unreachable"));
    expect(jobs.all()[0]!.state).toMatchObject({ kind: "pausing", trouble: { code: "unreachable" } });
    await pass(30);
    await end("trn_1", done("trn_1"));
    expect(kinds(jobs)).toEqual(["done"]);
    expect(asks).toEqual([url("a")]);
  });

  test("gives up in the end", async () => {
    const { begin, answer, pass } = world();
    const jobs = await begin("a");
    for (let round = 0; round < 12; round += 1) {
      await answer("a", refusal("inProgress"));
      await pass(30);
    }
    expect(jobs.all()[0]!.state).toMatchObject({ kind: "failed", trouble: { code: "inProgress" } });
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
    expect(reopened.all()[0]!.state).toMatchObject({ scriptId: "scr_a" });
    expect([after.follows, after.asks]).toEqual([["trn_b"], [url("c")]]);
  });

  test("asks for the reel when the service has forgotten the transcription", async () => {
    const { open, asks, end, pass } = world();
    open().add([{ url: url("a"), transcriptionId: "trn_old" }]);
    await pass(0);
    await end("trn_old", refusal("notFound"));
    expect(asks).toEqual([url("a")]);
  });

  test("adds a running reel once, and a finished one again", async () => {
    const { begin, answer, pass } = world();
    const jobs = await begin("a");
    jobs.add([{ url: "https://www.instagram.com/p/a/" }, { url: url("b") }]);
    await pass(0);
    expect(jobs.all()).toHaveLength(2);
    await answer("a", result());
    jobs.add([{ url: url("a") }]);
    expect(jobs.all().map((job) => job.url)).toEqual([url("a"), url("b")]);
    expect(kinds(jobs)[0]).toBe("asking");
  });

  test("begins empty where what was kept is broken", () => {
    for (const storedText of ["{", "null", '[{"number":"x"}]', "[null]"])
      expect(kinds(world(new Map([["jobs", storedText]])).open())).toEqual([]);
  });
});

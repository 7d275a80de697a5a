import { expect, test } from "vitest";
import type { TranscriptionState } from "../../src/ports.ts";
import {
  stillRunning,
  followToResult,
  type ReachedProgress,
} from "../../src/features/transcription/following/follow.ts";
import { ServiceError } from "@reelscript/contract";

test.each<[ReachedProgress | undefined, string]>([
  [undefined, "This reel is still being transcribed. Call again in about 30 seconds"],
  [{ share: 0 }, "This reel is still being transcribed. Call again in about 30 seconds"],
  [{ share: 0.569 }, "This reel is still being transcribed: 56% done. Call again in about 30 seconds"],
  [
    { share: 0.56, secondsLeft: 168 },
    "This reel is still being transcribed: 56% done, about 3 min left. Call again in 170 seconds",
  ],
  [
    { share: 0.99, secondsLeft: 2 },
    "This reel is still being transcribed: 99% done, about 10 seconds left. Call again in 10 seconds",
  ],
])("%j says what to do and when", (progress, text) => {
  expect(stillRunning(progress, "Call again")).toBe(text);
});

const noLine = new ServiceError("inProgress", "late");

async function reachedAfter(states: readonly TranscriptionState[]): Promise<ReachedProgress | undefined> {
  let reachedProgress: ReachedProgress | undefined;
  const watchTranscription = (_id: string, onState: (state: TranscriptionState | undefined) => void) => {
    for (const state of states) onState(state);
    return () => undefined;
  };
  const context = {
    signal: new AbortController().signal,
    deadline: performance.now() + 5,
    whileWaiting: async <Value>(wait: () => Promise<Value>): Promise<Value> => wait(),
  };
  const waiting = followToResult({ watchTranscription }, "trn_1", context, (progress) => {
    reachedProgress = progress;
    return noLine;
  });
  await expect(waiting).rejects.toBe(noLine);
  return reachedProgress;
}

test("the time left follows from the speed that was seen", async () => {
  const at = (progress: number): TranscriptionState => ({ state: "running", progress });
  expect(await reachedAfter([])).toBeUndefined();
  expect(await reachedAfter([{ state: "queued", progress: 0 }])).toEqual({ share: 0 });
  expect(await reachedAfter([at(0), at(0.4)])).toEqual({ share: 0.4 });
  expect(await reachedAfter([at(0.2), at(0.4)])).toEqual({ share: 0.4, secondsLeft: expect.any(Number) });
  expect(await reachedAfter([at(0.2), at(0.4), { state: "queued", progress: 0 }, at(0.1)])).toEqual({ share: 0.1 });
});

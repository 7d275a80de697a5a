import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRecognitionWatch } from "../../src/worker/recognition-watch.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());
const pass = (seconds: number) => void vi.advanceTimersByTime(seconds * 1_000);

test("a recognizer without progress strands waiting reels until it progresses", () => {
  const watch = createRecognitionWatch<string>(1);
  pass(60);
  expect(watch.isStalled()).toBe(false);
  watch.moved("heard");
  pass(2);
  watch.moved("waiting");
  expect(watch.stranded()).toEqual([]);
  pass(2);
  expect(watch.stranded()).toEqual(["waiting"]);
  watch.ended("waiting");
  expect(watch.isStalled()).toBe(true);
  expect(watch.stranded()).toEqual([]);
  watch.moved("heard");
  expect(watch.isStalled()).toBe(false);
  pass(4);
  watch.ended("heard");
  expect(watch.isStalled()).toBe(false);
});

test("if progress is usually slow, more time passes before an alarm", () => {
  const watch = createRecognitionWatch<string>(1);
  watch.moved("heard");
  for (let moves = 0; moves < 5; moves += 1) {
    pass(10);
    watch.moved("heard");
  }
  pass(15);
  expect(watch.isStalled()).toBe(false);
  pass(6);
  expect(watch.isStalled()).toBe(true);
});

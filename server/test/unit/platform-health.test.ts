import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Claim } from "../../src/ports.ts";
import { createPlatformHealth } from "../../src/worker/health.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

const minute = 60_000;
const claimOf = (transcriptionId: string, setbacks = 0): Claim => ({
  transcriptionId,
  attempt: 1,
  reel: { platform: "standin", mediaId: "1", shortcode: "a", url: "https://example.com/reel/a/" },
  languageHint: null,
  mayRetry: true,
  setbacks,
});

test("a probe leaves a reel to healthy workers for ten minutes", () => {
  const health = createPlatformHealth(() => true);
  health.unanswered();
  expect(health.mayPassOn(claimOf("one", 4), true)).toBe(true);
  vi.advanceTimersByTime(9 * minute);
  expect(health.mayPassOn(claimOf("one", 4), true)).toBe(true);
  expect(health.mayPassOn(claimOf("two"), true)).toBe(true);
  vi.advanceTimersByTime(minute);
  expect(health.mayPassOn(claimOf("one", 4), true)).toBe(false);
  expect(health.mayPassOn(claimOf("two"), true), "each reel has its own time").toBe(true);
  health.answered();
  expect(health.mayPassOn(claimOf("one", 4), true)).toBe(true);
});

test("a reel returned three times is fetched by a healthy worker", () => {
  const health = createPlatformHealth(() => true);
  expect(health.mayPassOn(claimOf("one", 2), false)).toBe(true);
  expect(health.mayPassOn(claimOf("one", 3), false)).toBe(false);
});

test("nothing is left to workers that aren't there or aren't well", () => {
  let isThere = true;
  const health = createPlatformHealth(() => isThere);
  expect(health.mayPassOn(claimOf("one"), true)).toBe(true);
  isThere = false;
  expect(health.mayPassOn(claimOf("one"), true)).toBe(false);
  expect(health.mayPassOn(claimOf("one"), false)).toBe(false);
});

import { type PlatformStandin, startPlatformStandin } from "@reelscript/platform-standin";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCanary } from "../../src/adapters/platforms/check-ways.ts";
import { instagram } from "../../src/adapters/platforms/instagram/instagram.ts";
import { directExits } from "../../src/adapters/platforms/exits.ts";
import type { Platform } from "../../src/adapters/platforms/platform.ts";
import { standinPlatform } from "../../src/adapters/platforms/platforms.ts";
import { createReelSources } from "../../src/adapters/reel-sources.ts";
import { askCanary } from "../../src/periodic/tasks.ts";
import { createLog } from "../../src/telemetry/create-log.ts";
import { createMetrics } from "../../src/telemetry/metrics.ts";
import { observeCanary } from "../../src/telemetry/observe-work.ts";

const never = new AbortController().signal;
const clock = { now: () => new Date("2026-11-20T10:00:00Z") };
let standin: PlatformStandin;
let platform: Platform;
beforeAll(async () => {
  standin = await startPlatformStandin();
  platform = standinPlatform(standin);
});
afterAll(() => standin.close());

const parts = (platform: Platform, { checksOf }: Awaited<ReturnType<typeof createReelSources>>) => ({
  platforms: [platform],
  checksOf,
  exitsOf: () => directExits,
});

async function canaryOf(code: string) {
  const sources = await createReelSources({ order: ["platform"], platforms: [platform], clock, log: () => undefined });
  return createCanary(standin.urlOf(code), parts(platform, sources));
}

function observed() {
  const lines: unknown[] = [];
  const log = createLog("warn");
  log.warn = ((fields: unknown) => lines.push(fields)) as typeof log.warn;
  const metrics = createMetrics({}, { version: "1.0.0", role: "all" });
  const onOutcome = observeCanary({ log, metrics, traces: undefined, decodings: new Map() });
  const figures = async () =>
    (await metrics.text()).split("\n").filter((line) => line.startsWith("reelscript_canary_answers_total{"));
  return { lines, onOutcome, figures };
}

test("each way is asked, counted, and logged when what it gives changes", async () => {
  const bytes = Buffer.from("media");
  const well = await canaryOf(standin.addReel({ bytes }).code);
  const walled = await canaryOf(standin.addReel({ bytes, wall: "tooManyRequests" }).code);
  const { lines, onOutcome, figures } = observed();
  const ask = (canary: typeof well) => askCanary(canary, onOutcome).run(clock.now(), never);

  await ask(well);
  const atFirst = lines.length;
  await ask(well);
  expect(lines, "nothing changed").toHaveLength(atFirst);
  await ask(walled);
  await ask(walled);
  const changed = lines.slice(atFirst) as { way: string; before: string; outcome: string }[];
  expect(changed).toContainEqual({ way: "page", before: "data", outcome: "wall" });
  expect(new Set(changed.map(({ way }) => way)).size, "one line each").toBe(changed.length);
  expect(await figures()).toEqual(
    expect.arrayContaining([
      'reelscript_canary_answers_total{way="page",outcome="data"} 2',
      'reelscript_canary_answers_total{way="page",outcome="wall"} 2',
    ]),
  );
});

test("is one task of all processes, once an hour", async () => {
  const task = askCanary(await canaryOf(standin.addReel({ bytes: Buffer.from("media") }).code), () => undefined);
  expect(task).toMatchObject({ everySeconds: 3_600, scope: "service" });
});

test.each([
  "https://example.com/reel/x/",
  "https://www.instagram.com/share/reel/abc/",
  "https://www.instagram.com/ana/",
])("%s is refused at the start", async (url) => {
  const sources = await createReelSources({ order: ["platform"], platforms: [instagram], clock, log: () => undefined });
  expect(() => createCanary(url, parts(instagram, sources))).toThrow(/^PLATFORM_CANARY_URL: /);
});

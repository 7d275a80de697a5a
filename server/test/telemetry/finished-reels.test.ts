import { ServiceError } from "@reelscript/contract";
import { expect, test } from "vitest";
import type { Store, Transcriptions } from "../../src/ports.ts";
import { createLog } from "../../src/telemetry/create-log.ts";
import { createMetrics } from "../../src/telemetry/metrics.ts";
import { observeWork } from "../../src/telemetry/observe-work.ts";
import { aReel, anAccount, anAllowance, ask, start, transcriptOf } from "../database/conformance/fixtures.ts";
import { openTestStore } from "../harness/test-stores.ts";

/** A worker's view of a real queue, of which the test changes single answers. */
async function watched(changes: (real: Transcriptions) => Partial<Transcriptions>) {
  const store = await openTestStore();
  const metrics = createMetrics({}, { version: "1.0.0", role: "worker" });
  const nothing = { source: {} as never, transcriber: {} as never };
  const changed: Store = { ...store, transcriptions: { ...store.transcriptions, ...changes(store.transcriptions) } };
  const telemetry = { log: createLog("silent"), metrics, traces: undefined, decodings: new Map() };
  const { store: observed } = observeWork({ store: changed, ...nothing }, telemetry);
  const { id } = await anAccount(store);
  await ask(store, aReel(), anAllowance(id));
  const claim = (await observed.transcriptions.claim("worker", 30, start))!;
  const outcomes = async () =>
    (await metrics.text()).split("\n").filter((line) => line.startsWith("reelscript_transcriptions_total{"));
  return { queue: observed.transcriptions, real: store.transcriptions, claim, outcomes, close: () => store.close() };
}

test("a reel whose lease is renewed during storing is finished, not lost", async () => {
  const { queue, claim, outcomes, close } = await watched((real) => ({
    async complete(...parameters) {
      const held = await real.complete(...parameters);
      // The renewal's answer comes first.
      expect(await queue.extend(claim, 1, 30, start)).toBe(false);
      return held;
    },
  }));
  await queue.complete(claim, transcriptOf(claim.reel), true, start);
  expect(await outcomes()).toEqual(['reelscript_transcriptions_total{outcome="done"} 1']);
  await close();
});

test("a reel stored without a response, and then again, is finished", async () => {
  let answers = 0;
  const { queue, claim, outcomes, close } = await watched((real) => ({
    async complete(...parameters) {
      const held = await real.complete(...parameters);
      answers += 1;
      if (answers === 1) throw new ServiceError("unavailable", "The answer is lost.");
      return held;
    },
  }));
  const store = () => queue.complete(claim, transcriptOf(claim.reel), true, start);
  await expect(store()).rejects.toThrow("The answer is lost.");
  expect(await store()).toBe(false);
  expect(await outcomes()).toEqual(['reelscript_transcriptions_total{outcome="done"} 1']);
  await close();
});

test("a reel that another worker has now is lost", async () => {
  const { queue, real, claim, outcomes, close } = await watched(() => ({}));
  await real.claim("other", 30, new Date(start.getTime() + 60_000));
  expect(await queue.complete(claim, transcriptOf(claim.reel), true, start)).toBe(false);
  expect(await outcomes()).toEqual(['reelscript_transcriptions_total{outcome="lost"} 1']);
  await close();
});

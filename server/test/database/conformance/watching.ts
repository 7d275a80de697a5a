import { expect, test } from "vitest";
import type { TranscriptionState } from "../../../src/ports.ts";
import {
  after,
  anAccount,
  anAllowance,
  aReel,
  ask,
  mustClaim,
  start,
  transcriptOf,
  walled,
  type Subject,
} from "./fixtures.ts";

export function watching({ store }: Subject): void {
  test("a watched transcription is told by its state, of now and from then on, to everybody", async () => {
    const { id } = await anAccount(store());
    const asked = await ask(store(), aReel(), anAllowance(id));
    if (asked.kind !== "started") throw new Error("not started");
    const told: (TranscriptionState | undefined)[][] = [[], [], []];
    const ends = told.map((states) => store().watchTranscription(asked.transcriptionId, (state) => states.push(state)));
    for (const states of told) await expect.poll(() => states).toContainEqual({ state: "queued", progress: 0 });
    const claim = await mustClaim(store(), start, 30);
    await store().transcriptions.extend(claim, 0.5, 30, after(1));
    for (const states of told) await expect.poll(() => states).toContainEqual({ state: "running", progress: 0.5 });
    ends[0]!();
    const [first] = told.map((states) => states.length);
    await store().transcriptions.complete(claim, transcriptOf(claim.reel), true, after(2));
    for (const states of told.slice(1)) await expect.poll(() => states.at(-1)).toEqual({ state: "done" });
    expect(told[0], "who no longer watches is told nothing").toHaveLength(first!);
    for (const end of ends) end();
  });

  test("failures are told with what they are, and what is not there as nothing", async () => {
    const { id } = await anAccount(store());
    const asked = await ask(store(), aReel(), anAllowance(id));
    if (asked.kind !== "started") throw new Error("not started");
    const claim = await mustClaim(store(), start, 30);
    await store().transcriptions.fail(claim, walled, { now: after(1) });
    const told: (TranscriptionState | undefined)[] = [];
    const ends = [asked.transcriptionId, "trn_nowhere"].map((one) =>
      store().watchTranscription(one, (state) => told.push(state)),
    );
    await expect.poll(() => told).toContainEqual({ state: "failed", failure: walled });
    await expect.poll(() => told).toContainEqual(undefined);
    for (const end of ends) end();
  });
}

import { expect, test } from "vitest";
import type { Transcriptions, TranscriptionState, Store } from "../../../src/ports.ts";
import { after, anAccount, mustClaim, mustStart, start, transcriptOf, walled } from "./fixtures.ts";

export function watching(store: Store): void {
  test("every watcher receives a transcription's current and later states", async () => {
    const { id } = await anAccount(store);
    const transcriptionId = await mustStart(store, id);
    const seenStates: (TranscriptionState | undefined)[][] = [[], [], []];
    const ends = seenStates.map((states) => store.watchTranscription(transcriptionId, (state) => states.push(state)));
    for (const states of seenStates) await expect.poll(() => states).toContainEqual({ state: "queued", progress: 0 });
    const claim = await mustClaim(store, start, 30);
    await store.transcriptions.extend(claim, 0.5, 30, after(1));
    for (const states of seenStates)
      await expect.poll(() => states).toContainEqual({ state: "running", progress: 0.5 });
    ends[0]!();
    const [first] = seenStates.map((states) => states.length);
    await store.transcriptions.complete(claim, transcriptOf(claim.reel), true, after(2));
    for (const states of seenStates.slice(1)) await expect.poll(() => states.at(-1)).toEqual({ state: "done" });
    expect(seenStates[0], "a watcher that has left gets no more states").toHaveLength(first!);
    for (const end of ends) end();
  });

  const passage = (number: number, text = `Passage ${number}.`, language = "en") => ({ number, language, text });
  const heardText = (text: string, language = "en") => ({ language, text });

  test("followers get each passage once; it is deleted with its attempt", async () => {
    const { id } = await anAccount(store);
    const transcriptionId = await mustStart(store, id);
    const extend: Transcriptions["extend"] = (...extension) => store.transcriptions.extend(...extension);
    const seenStates: (TranscriptionState | undefined)[] = [];
    const end = store.watchTranscription(transcriptionId, (state) => seenStates.push(state));
    const interim = async (attempt: number, ...passages: readonly object[]): Promise<void> => {
      await expect.poll(() => seenStates.at(-1)).toMatchObject({ state: "running", interim: { attempt, passages } });
    };

    const first = await mustClaim(store, start, 30);
    expect(await extend(first, 0.2, 30, after(1), [passage(1)])).toBe(true);
    await interim(1, heardText("Passage 1."));
    expect(await extend(first, 0.3, 30, after(2), [passage(1), passage(2, "a\u0000b", "ta")])).toBe(true);
    await interim(1, heardText("Passage 1."), heardText("ab", "ta"));
    const late: (TranscriptionState | undefined)[] = [];
    store.watchTranscription(transcriptionId, (state) => late.push(state))();
    const endLate = store.watchTranscription(transcriptionId, (state) => late.push(state));
    await expect
      .poll(() => late.at(-1), { message: "whoever comes later gets all of it" })
      .toMatchObject({ interim: { passages: [{}, {}] } });
    endLate();

    expect(await extend(first, 0.3, 30, after(2), [passage(0, "Pass")])).toBe(true);
    await expect
      .poll(() => seenStates.at(-1))
      .toMatchObject({ interim: { draft: heardText("Pass"), passages: [{}, {}] } });
    expect(await extend(first, 0.3, 30, after(2), [passage(0, "Passage th")])).toBe(true);
    await expect.poll(() => seenStates.at(-1)).toMatchObject({ interim: { draft: heardText("Passage th") } });
    expect(await extend(first, 0.3, 30, after(2), [passage(3, "Passage 3."), passage(0, "")])).toBe(true);
    await interim(1, heardText("Passage 1."), heardText("ab", "ta"), heardText("Passage 3."));
    expect(seenStates.at(-1)).not.toHaveProperty("interim.draft");

    expect(await store.transcriptions.release(first, false)).toBe(true);
    await expect.poll(() => seenStates.at(-1)).toEqual({ state: "queued", progress: 0 });
    const second = await mustClaim(store, after(4), 30);
    await expect.poll(() => seenStates.at(-1)).toEqual({ state: "running", progress: 0 });
    expect(await extend(first, 0.9, 30, after(5), [passage(3)]), "who lost it tells nothing").toBe(false);
    expect(await extend(second, 0.1, 30, after(5), [passage(1, "Again.")])).toBe(true);
    await interim(second.attempt, heardText("Again."));
    const third = await mustClaim(store, after(60), 30);
    expect(await extend(third, 0.1, 30, after(61), [passage(1, "Once more.")])).toBe(true);
    await interim(third.attempt, heardText("Once more."));

    await store.transcriptions.fail(third, walled, { now: after(62) });
    await expect.poll(() => seenStates.at(-1)).toEqual({ state: "failed", failure: walled });
    end();
  });

  test("failures are reported with their error, and missing ones as nothing", async () => {
    const { id } = await anAccount(store);
    const transcriptionId = await mustStart(store, id);
    const claim = await mustClaim(store, start, 30);
    await store.transcriptions.fail(claim, walled, { now: after(1) });
    const seenStates: (TranscriptionState | undefined)[] = [];
    const ends = [transcriptionId, "trn_nowhere"].map((one) =>
      store.watchTranscription(one, (state) => seenStates.push(state)),
    );
    await expect.poll(() => seenStates).toContainEqual({ state: "failed", failure: walled });
    await expect.poll(() => seenStates).toContainEqual(undefined);
    for (const end of ends) end();
  });
}

import { beforeEach, describe, expect, test } from "vitest";
import type { OpenedStore } from "../../src/adapters/database/open-store.ts";
import type { TranscriptionState } from "../../src/ports.ts";
import type { TcpProxy } from "../harness/start-tcp-proxy.ts";
import { anAccount, mustStart } from "./conformance/fixtures.ts";
import { askOnce, openThroughProxy } from "./opened-stores.ts";
import { testDatabaseUrl } from "./test-database-url.ts";

describe.skipIf(!testDatabaseUrl)("those who wait at a server (runs with TEST_DATABASE_URL)", () => {
  let direct: string;
  let proxy: TcpProxy;
  let store: OpenedStore;

  beforeEach(async () => {
    const opened = await openThroughProxy(testDatabaseUrl ?? "");
    ({ direct, proxy, store } = opened);
    return opened.close;
  });

  const started = async () => mustStart(store, (await anAccount(store)).id);
  const finishUnannounced = (id: string) =>
    askOnce(
      direct,
      `update transcription set state = 'done', lease_until = null, finished_at = now() where id = '${id}'`,
    );

  test("hear of an end that nobody announced", async () => {
    const ids = await Promise.all([started(), started()]);
    const seenStates: (TranscriptionState | undefined)[] = [];
    const ends = ids.map((id) => store.watchTranscription(id, (state) => seenStates.push(state)));
    await expect.poll(() => seenStates.length).toBeGreaterThan(1);
    await finishUnannounced(ids[1]!);
    await expect.poll(() => seenStates).toContainEqual({ state: "done" });
    for (const end of ends) end();
  });

  test("receive theirs among states and failures from a newer release", async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, started));
    const [resting, coded, reasoned, shapeless, done] = ids;
    const stateById = new Map<string, TranscriptionState | undefined>();
    const ends = ids.map((id) => store.watchTranscription(id, (state) => stateById.set(id, state)));
    await askOnce(direct, "alter table transcription drop constraint transcription_state_check");
    await askOnce(direct, `update transcription set state = 'resting' where id = '${resting}'`);
    const failWith = (id: string | undefined, failure: object | string) =>
      askOnce(
        direct,
        `update transcription set state = 'failed', finished_at = now(), failure = '${JSON.stringify(failure)}' where id = '${id}'`,
      );
    const failure = { code: "notFound", status: 404, message: "It is gone.", reason: "reelPrivate" };
    await failWith(coded, { ...failure, code: "gone" });
    await failWith(reasoned, { ...failure, reason: "reelMelted" });
    await failWith(shapeless, "no object");
    await finishUnannounced(done!);
    await expect.poll(() => stateById.get(done!)).toEqual({ state: "done" });
    expect(stateById.get(resting!)).toMatchObject({ state: "queued" });
    for (const unknown of [coded, shapeless])
      expect(stateById.get(unknown!)).toMatchObject({
        state: "failed",
        failure: { code: "internalError", status: 500 },
      });
    expect(stateById.get(reasoned!)).toEqual({ state: "failed", failure: { ...failure, reason: undefined } });
    for (const end of ends) end();
  });

  test("hear what theirs waits for, also from another release", async () => {
    const [platform, recognizer, moon] = await Promise.all([started(), started(), started()]);
    await askOnce(direct, "alter table transcription drop constraint transcription_waiting_for_check");
    // The release before knows only this column.
    await askOnce(direct, `update transcription set waits = true where id = '${platform}'`);
    await askOnce(direct, `update transcription set waiting_for = 'recognizer' where id = '${recognizer}'`);
    await askOnce(direct, `update transcription set waiting_for = 'moon' where id = '${moon}'`);
    const queued = { state: "queued", progress: 0 };
    expect(await store.transcriptions.find(platform)).toEqual({ ...queued, waitingFor: "platform" });
    expect(await store.transcriptions.find(recognizer)).toEqual({ ...queued, waitingFor: "recognizer" });
    expect(await store.transcriptions.find(moon)).toEqual(queued);
    // A worker of the release before claims by the same function.
    await askOnce(direct, `select claim_next('before', 30, now(), true, '{}') from generate_series(1, 3)`);
    for (const id of [recognizer, moon])
      expect(await store.transcriptions.find(id)).toEqual({ state: "running", progress: 0 });
  });

  test("wait through a time in which the database does not answer", async () => {
    const id = await started();
    const seenStates: (TranscriptionState | undefined)[] = [];
    const end = store.watchTranscription(id, (state) => seenStates.push(state));
    await expect.poll(() => seenStates.length).toBeGreaterThan(0);
    proxy.freeze();
    await finishUnannounced(id);
    // Long enough for a poll to fail.
    await expect(store.ping()).rejects.toThrow(/timeout/i);
    proxy.thaw();
    await expect.poll(() => seenStates.at(-1)).toEqual({ state: "done" });
    expect(seenStates).not.toContain(undefined);
    end();
  });

  test("ask together, however many they are", async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, started));
    const transactions = async () => {
      const [row] = await askOnce<{ count: string }>(
        direct,
        "select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()",
      );
      return Number(row?.count);
    };
    const before = await transactions();
    let callCount = 0;
    const ends = Array.from({ length: 300 }, (_, waiter) =>
      store.watchTranscription(ids[waiter % ids.length]!, () => (callCount += 1)),
    );
    await expect.poll(() => callCount).toBeGreaterThan(300 * 5);
    // The server counts a second late at most; a poll for each of them would be 300 a second.
    expect((await transactions()) - before).toBeLessThan(50);
    for (const end of ends) end();
  });
});

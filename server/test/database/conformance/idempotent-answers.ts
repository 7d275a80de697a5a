import { describe, expect, test } from "vitest";
import type { IdempotentAnswer, Store } from "../../../src/ports.ts";
import { runUpkeep } from "../../harness/look-after.ts";
import { aCall, after, anAccount, hashOf, leaseSeconds, start, unique } from "./fixtures.ts";

const day = 24 * 60 * 60;
const answer: IdempotentAnswer = { output: { transcript: "a\0b \ud800 ü", usage: { used: 1 } }, accepted: false };

export function idempotentAnswers(store: Store): void {
  const begin = (accountId: string, key: string, seconds = 0, body = "one") =>
    store.idempotentAnswers.begin({ ...aCall(accountId), key, request: hashOf(body), now: after(seconds) });
  async function mustBegin(...call: Parameters<typeof begin>): Promise<string> {
    const begun = await begin(...call);
    if (begun.kind !== "begun") throw new Error(`expected to begin, but it is ${begun.kind}`);
    return begun.token;
  }

  describe("idempotent answers", () => {
    test("exactly one of many calls starts; the others get inProgress", async () => {
      const { id } = await anAccount(store);
      const kinds = (await Promise.all(Array.from({ length: 12 }, () => begin(id, "race")))).map(({ kind }) => kind);
      expect(kinds.toSorted()).toEqual(["begun", ...Array.from({ length: 11 }, () => "inFlight")]);
    });

    test("a call is under way for as long as it is renewed", async () => {
      const { id } = await anAccount(store);
      const one = await mustBegin(id, "long");
      const other = await mustBegin(id, "dead");
      await store.idempotentAnswers.renew([one, "idm_gone"], after(leaseSeconds - 1));
      expect((await begin(id, "long", leaseSeconds)).kind).toBe("inFlight");
      expect((await begin(id, "dead", leaseSeconds)).kind).toBe("begun");
      expect(await store.idempotentAnswers.keep(other, answer, after(leaseSeconds))).toBe(false);
      expect(await store.idempotentAnswers.keep(one, answer, after(leaseSeconds))).toBe(true);
      await store.idempotentAnswers.renew([one], after(leaseSeconds + 60));
      expect((await begin(id, "long", leaseSeconds + day, "two")).kind, "an answer does not grow younger").toBe(
        "begun",
      );
    });

    test("a key that was given free can be used for anything", async () => {
      const { id } = await anAccount(store);
      await store.idempotentAnswers.release(await mustBegin(id, "freed"));
      const token = await mustBegin(id, "freed", 1, "two");
      expect(await store.idempotentAnswers.keep(token, { ...answer, accepted: true }, after(2))).toBe(true);
      await store.idempotentAnswers.release(token);
      expect(await begin(id, "freed", 3, "two")).toEqual({ kind: "answered", answer: { ...answer, accepted: true } });
    });

    test("are lost by callers that held the key too long", async () => {
      const { id } = await anAccount(store);
      const slow = await mustBegin(id, "slow");
      expect((await begin(id, "slow", leaseSeconds - 1)).kind).toBe("inFlight");
      const next = await mustBegin(id, "slow", leaseSeconds, "two");
      expect(await store.idempotentAnswers.keep(slow, answer, after(leaseSeconds + 1))).toBe(false);
      await store.idempotentAnswers.release(slow);
      expect((await begin(id, "slow", leaseSeconds + 2, "two")).kind).toBe("inFlight");
      expect(await store.idempotentAnswers.keep(next, answer, after(leaseSeconds + 3))).toBe(true);
      expect(await store.idempotentAnswers.keep(next, answer, after(leaseSeconds + 4)), "once").toBe(false);
    });

    test("answers are forgotten after 24 hours, and no sooner", async () => {
      const { id } = await anAccount(store);
      await store.idempotentAnswers.keep(await mustBegin(id, "old"), answer, start);
      await runUpkeep(store, "forget-idempotent-answers", after(day - 1));
      // Asked as of early, so that nothing but the upkeep takes the answer away.
      expect((await begin(id, "old", 1)).kind).toBe("answered");
      await runUpkeep(store, "forget-idempotent-answers", after(day));
      expect((await begin(id, "old", 1)).kind).toBe("begun");
    });

    test("calls in progress are freed at the process's start, responses stay", async () => {
      const { id } = await anAccount(store);
      await mustBegin(id, unique());
      const waiting = unique();
      await mustBegin(id, waiting);
      await store.idempotentAnswers.keep(await mustBegin(id, "stays"), answer, start);
      await store.idempotentAnswers.releaseAll();
      expect((await begin(id, waiting, 1)).kind).toBe("begun");
      expect((await begin(id, "stays", 1)).kind).toBe("answered");
    });
  });
}

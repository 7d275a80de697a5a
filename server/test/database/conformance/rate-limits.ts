import { describe, expect, test } from "vitest";
import type { RateBucket, Store } from "../../../src/ports.ts";
import { after, unique } from "./fixtures.ts";

const bucket = (name: RateBucket["name"], limit: number): RateBucket => ({ name, limit });

export function rateLimits(store: Store): void {
  describe("rate limits", () => {
    test("take exactly N in any rolling hour, and slide", async () => {
      const subject = unique();
      const limit = [bucket("default", 60)];
      for (let call = 0; call < 60; call += 1) {
        const { taken, states } = await store.rateLimits.take(subject, limit, after(call * 10));
        expect(taken).toBe(true);
        expect(states).toEqual([{ bucket: limit[0], remaining: 59 - call, resetSeconds: 3_600 - call * 10 }]);
      }
      const refused = await store.rateLimits.take(subject, limit, after(3_599.5));
      expect(refused).toEqual({ taken: false, states: [{ bucket: limit[0], remaining: 0, resetSeconds: 0.5 }] });
      expect((await store.rateLimits.take(subject, limit, after(3_600))).taken).toBe(true);
      expect((await store.rateLimits.take(subject, limit, after(3_609.999))).taken).toBe(false);
      expect((await store.rateLimits.take(subject, limit, after(3_610))).taken).toBe(true);
      // An hour without calls frees everything.
      const [fresh] = await store.rateLimits.peek(subject, limit, after(3_610 + 3_600));
      expect(fresh).toEqual({ bucket: limit[0], remaining: 60, resetSeconds: 0 });
    });

    test("count against all buckets or none", async () => {
      const subject = unique();
      const all = bucket("default", 4);
      const few = bucket("transcribe", 2);
      expect((await store.rateLimits.take(subject, [all, few], after(0))).taken).toBe(true);
      expect((await store.rateLimits.take(subject, [all, few], after(1))).taken).toBe(true);
      const refused = await store.rateLimits.take(subject, [all, few], after(2));
      expect(refused.taken).toBe(false);
      expect(refused.states.map(({ remaining }) => remaining)).toEqual([2, 0]);
      expect(
        (await store.rateLimits.take(subject, [few, all], after(2))).states.map((state) => state.remaining),
      ).toEqual([0, 2]);
      expect((await store.rateLimits.take(subject, [all], after(3))).states[0]?.remaining).toBe(1);
      expect((await store.rateLimits.take(subject, [all, bucket("bioWrite", 20)], after(4))).states).toEqual([
        { bucket: all, remaining: 0, resetSeconds: 3_596 },
        { bucket: bucket("bioWrite", 20), remaining: 19, resetSeconds: 3_600 },
      ]);
      expect(
        (await store.rateLimits.take(subject, [all, few], after(5))).states.map(({ resetSeconds }) => resetSeconds),
      ).toEqual([3_595, 3_595]);
    });

    test("take exactly N of three hundred at once", async () => {
      const subject = unique();
      const buckets = [bucket("default", 60), bucket("transcribe", 100)];
      const answers = await Promise.all(
        Array.from({ length: 300 }, (_, call) => store.rateLimits.take(subject, buckets, after(call / 1_000))),
      );
      expect(answers.filter(({ taken }) => taken)).toHaveLength(60);
      expect((await store.rateLimits.peek(subject, buckets, after(1))).map(({ remaining }) => remaining)).toEqual([
        0, 40,
      ]);
    });

    test("a lowered limit admits a call only when enough have expired", async () => {
      const subject = unique();
      for (let call = 0; call < 5; call += 1)
        await store.rateLimits.take(subject, [bucket("default", 5)], after(call * 100));

      const lowered = [bucket("default", 2)];
      const expected = [{ bucket: lowered[0], remaining: 0, resetSeconds: 3_300 }];
      expect(await store.rateLimits.take(subject, lowered, after(600))).toEqual({
        taken: false,
        states: [{ ...expected[0], resetSeconds: 3_300 }],
      });
      expect(await store.rateLimits.peek(subject, lowered, after(600))).toEqual(expected);
      expect((await store.rateLimits.take(subject, lowered, after(3_899))).taken).toBe(false);
      expect((await store.rateLimits.take(subject, lowered, after(3_900))).taken).toBe(true);
    });

    test("a very high limit stays exact in number", async () => {
      const subject = unique();
      const buckets = [bucket("default", 1_200), bucket("transcribe", 1_100)];
      const takes = (from: number) =>
        Promise.all(
          Array.from({ length: 400 }, (_, call) =>
            store.rateLimits.take(subject, call % 2 ? buckets : buckets.slice(0, 1), after(from + call / 10)),
          ),
        );
      const answers = [...(await takes(0)), ...(await takes(60)), ...(await takes(120)), ...(await takes(180))];
      expect(answers.filter(({ taken }) => taken)).toHaveLength(1_200);
      const [state] = await store.rateLimits.peek(subject, buckets, after(240));
      expect(state?.remaining).toBe(0);
      expect((await store.rateLimits.take(subject, buckets, after(3_599))).taken).toBe(false);
      expect((await store.rateLimits.take(subject, buckets, after(3_600 + 30))).taken).toBe(true);
    });
  });
}

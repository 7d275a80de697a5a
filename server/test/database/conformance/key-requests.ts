import { rememberedRequests } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import type { KeyRequest, Store } from "../../../src/ports.ts";
import { after, aKey, anAccount, start } from "./fixtures.ts";

export function keyRequests(store: Store): void {
  const keyId = async (): Promise<string> => (await aKey(store, (await anAccount(store)).id)).id;
  const aRequest = (seconds: number, operation = "getUsage"): KeyRequest => ({
    at: after(seconds),
    operation,
    door: "rest",
    status: 200,
  });
  const many = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => aRequest(from + index));
  const add = (...requests: [string, readonly KeyRequest[]][]) => store.keyRequests.add(new Map(requests));
  const secondsOf = async (keyId: string) =>
    (await store.keyRequests.list(keyId)).map(({ at }) => (at.getTime() - start.getTime()) / 1_000);

  describe("requests of keys", () => {
    test("are listed newest first, whatever the order in which they were told", async () => {
      const key = await keyId();
      expect(await store.keyRequests.list(key)).toEqual([]);
      await add([key, [aRequest(2), { ...aRequest(5, "transcribeReel"), door: "mcp", status: 429 }]]);
      await add([key, [aRequest(3)]]);
      expect(await store.keyRequests.list(key)).toEqual([
        { at: after(5), operation: "transcribeReel", door: "mcp", status: 429 },
        aRequest(3),
        aRequest(2),
      ]);
      await store.keyRequests.add(new Map());
      expect(await store.keyRequests.list("key_\0")).toEqual([]);
    });

    test("are deleted except the last ones, within and across batches", async () => {
      const one = await keyId();
      const other = await keyId();
      await add([one, many(0, 70)], [other, many(0, 3)]);
      expect(await secondsOf(one)).toEqual(many(20, 70).map((_, index) => 69 - index));
      await add([other, many(3, 40)], [one, many(70, 72)]);
      await add([other, many(40, 60)]);
      expect(await secondsOf(other)).toEqual(many(10, 60).map((_, index) => 59 - index));
      expect(await secondsOf(one)).toHaveLength(rememberedRequests);
      expect((await secondsOf(one)).at(0)).toBe(71);
    });

    test("of several processes are all kept, for keys in any order", async () => {
      const keys = await Promise.all(Array.from({ length: 6 }, keyId));
      await Promise.all(
        Array.from({ length: 8 }, (_, process) => {
          const batch = keys.map((key): [string, KeyRequest[]] => [key, [aRequest(process)]]);
          return add(...(process % 2 === 0 ? batch : batch.toReversed()));
        }),
      );
      for (const key of keys) expect(await secondsOf(key)).toEqual([7, 6, 5, 4, 3, 2, 1, 0]);
    });

    test("of a key that is gone are passed over", async () => {
      const key = await keyId();
      await add(["key_nobody", many(0, 1)], [key, many(0, 1)]);
      expect(await secondsOf(key)).toEqual([0]);
      expect(await secondsOf("key_nobody")).toEqual([]);
    });
  });
}

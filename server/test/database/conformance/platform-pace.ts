import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/ports.ts";
import { after, start, unique } from "./fixtures.ts";

export function platformPace(store: Store): void {
  const take = (
    exits: readonly string[],
    seconds: number,
    { platform = "standin", turns = 1, withinSeconds = 60 } = {},
  ) =>
    store.platformPace.take({
      platform,
      exits,
      turns,
      intervalSeconds: 3,
      withinSeconds,
      now: after(seconds),
    });

  describe("turns at a platform", () => {
    test("begin immediately without a queue, and otherwise at intervals", async () => {
      const exit = unique();
      const begun = [];
      for (const seconds of [0, 0, 1, 8.5, 20]) begun.push(await take([exit], seconds));
      expect(begun).toEqual([0, 3, 6, 9, 20].map((seconds) => ({ exit, beginsAt: after(seconds) })));
    });

    test("are counted by platform and exit", async () => {
      const one = unique();
      const other = unique();
      for (const wish of [[one], [other]]) expect(await take(wish, 0)).toMatchObject({ beginsAt: start });
      expect(await take([one], 0, { platform: "another" })).toMatchObject({ beginsAt: start });
      expect(await take([one], 0)).toMatchObject({ beginsAt: after(3) });
    });

    test("are at the first free exit, or the one idle longest", async () => {
      const names = [unique(), unique(), unique()];
      const [first, second, third] = names;
      const turns = [];
      for (const seconds of [0, 0.5, 1, 1, 1, 1, 30]) turns.push(await take(names, seconds));
      expect(turns).toEqual([
        { exit: first, beginsAt: after(0) },
        { exit: second, beginsAt: after(0.5) },
        { exit: third, beginsAt: after(1) },
        { exit: first, beginsAt: after(3) },
        { exit: second, beginsAt: after(3.5) },
        { exit: third, beginsAt: after(4) },
        { exit: first, beginsAt: after(30) },
      ]);
    });

    test("several are reserved in a row", async () => {
      const exit = unique();
      expect(await take([exit], 0, { turns: 3 })).toMatchObject({ beginsAt: start });
      expect(await take([exit], 0)).toMatchObject({ beginsAt: after(9) });
    });

    test("a hundred simultaneous reservations get distinct turns within their wait", async () => {
      const exit = unique();
      const wishes = Array.from({ length: 100 }, () => take([exit], 0, { withinSeconds: 30 }));
      const begun = (await Promise.all(wishes)).flatMap((turn) => turn?.beginsAt.getTime() ?? []);
      expect(begun.toSorted((one, other) => one - other)).toEqual(
        Array.from({ length: 11 }, (_, index) => after(3 * index).getTime()),
      );
      expect(await take([exit], 3, { withinSeconds: 30 })).toEqual({ exit, beginsAt: after(33) });
    });

    test("what a clock that was wrong reserved holds nobody up", async () => {
      const exit = unique();
      await take([exit], 86_400);
      expect(await take([exit], 0)).toMatchObject({ beginsAt: start });
      expect(await take([exit], 0)).toMatchObject({ beginsAt: after(3) });
    });
  });
}

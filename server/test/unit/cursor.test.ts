import fc from "fast-check";
import { expect, test } from "vitest";
import { readCursor, writeCursor } from "../../src/describe/cursor.ts";

const scope = ["scripts", "acc_1", "date", "hook", undefined];

test("a position comes back as it was", () => {
  const value = fc.oneof(fc.constant(null), fc.double({ min: -6e13, max: 8.64e15, noNaN: true }));
  fc.assert(
    fc.property(value, fc.maxSafeInteger(), (sortedBy, number) => {
      const cursor = writeCursor(scope, { sortedBy, number });
      expect(cursor).toMatch(/^[\w-]{16,200}$/);
      const read = readCursor(scope, cursor);
      expect([read?.sortedBy === sortedBy, read?.number === number]).toEqual([true, true]);
    }),
  );
  expect(readCursor(scope, undefined)).toBeUndefined();
});

test("one of another list is refused", () => {
  const cursor = writeCursor(scope, { sortedBy: 1, number: 2 });
  for (const [index] of scope.entries())
    expect(() => readCursor(scope.with(index, "other"), cursor), String(index)).toThrow("`cursor`");
});

test("one forged with the right checksum is a position or refused", () => {
  const [checksum] = JSON.parse(Buffer.from(writeCursor(scope, { sortedBy: 1, number: 2 }), "base64url").toString());
  const cursorAt = (position: string) => Buffer.from(position.replace("[", `["${checksum}",`)).toString("base64url");
  expect(readCursor(scope, cursorAt("[1,2]"))).toEqual({ sortedBy: 1, number: 2 });
  for (const position of [
    "",
    "{}",
    "null",
    "[]",
    "[1]",
    "[1,1.5]",
    '["1",2]',
    "[1e308,2]",
    "[-1e15,2]",
    "[1,1e300]",
    '[{"a":1},2]',
    "[[1],2]",
  ])
    expect(() => readCursor(scope, cursorAt(position)), position).toThrow("`cursor`");
});

test("whatever comes is refused without a fault", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (cursor) => {
      expect(() => readCursor(scope, cursor)).toThrow("`cursor`");
    }),
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { mergePatch, type Json } from "../../src/features/bio/apply-patch.ts";

// The cases of RFC 7396, appendix A.
test.each<[Json, Json, Json]>([
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [
    ["a", "b"],
    ["c", "d"],
    ["c", "d"],
  ],
  [{ a: "b" }, ["c"], ["c"]],
  [{ a: "foo" }, null, null],
  [{ a: "foo" }, "bar", "bar"],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])("%j patched with %j is %j", (target, patch, result) => expect(mergePatch(target, patch)).toEqual(result));

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;
const isObject = (value: unknown): value is Record<string, Json> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What a patch says of a path: a value, `null` for gone, or nothing. */
test("holds for whatever is patched with whatever", () => {
  fc.assert(
    fc.property(json, json, (target, patch) => {
      const before = JSON.stringify([target, patch]);
      const merged = mergePatch(target, patch);
      expect(JSON.stringify([target, patch]), "nothing is changed in place").toBe(before);
      expect(mergePatch(merged, patch), "once more changes nothing").toEqual(merged);
      check(target, patch, merged);
    }),
    { numRuns: 1_000 },
  );
});

function check(target: Json | undefined, patch: Json, merged: Json | undefined): void {
  if (!isObject(patch)) return expect(merged).toEqual(patch);
  if (!isObject(merged)) throw new Error("an object patched into something else");
  const old = isObject(target) ? target : {};
  const names = new Set([...Object.keys(old), ...Object.keys(patch), ...Object.keys(merged)]);
  for (const name of names)
    if (!Object.hasOwn(patch, name)) expect(merged[name]).toEqual(old[name]);
    else if (patch[name] === null) expect(Object.hasOwn(merged, name)).toBe(false);
    else check(Object.hasOwn(old, name) ? old[name] : undefined, patch[name]!, merged[name]);
}

test("an own property named __proto__ stays a property", () => {
  const patch = JSON.parse('{"__proto__": {"polluted": true}}') as Json;
  const merged = mergePatch({}, patch);
  expect(Object.hasOwn(merged as object, "__proto__")).toBe(true);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

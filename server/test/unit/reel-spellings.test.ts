import { expect, test } from "vitest";
import { reelSpellings } from "../../src/worker/work-on-claim.ts";

const author = (handle: string | null, displayName: string | null = null) => ({ handle, displayName, verified: null });

test.each([
  [
    "a handle and a display name",
    null,
    author("office.bloopers", "Nina Ottolenghi"),
    ["Nina", "Ottolenghi", "Office", "Bloopers"],
  ],
  ["tags written together", "#GordonRamsay @chef_marco", author(null), ["Gordon", "Ramsay", "Chef", "Marco"]],
  ["names before other words", "a visit to Kowloon", author(null), ["Kowloon", "visit"]],
  ["letters of any script", "#हिन्दी Éric", author(null), ["हिन्दी", "Éric"]],
] as const)("are those of %s", (_, caption, by, first) => {
  expect(reelSpellings({ caption, author: by }).slice(0, first.length)).toEqual(first);
});

test("leave out addresses and numbers, and each word stands once", () => {
  const caption = "See https://example.org/Kowloon and www.example.org: 10,000 Kowloon, KOWLOON? Kowloon!";
  expect(reelSpellings({ caption, author: author(null) })).toEqual(["See", "Kowloon", "KOWLOON", "and"]);
});

test("are at most 200 of a caption of any length", () => {
  const caption = Array.from(
    { length: 100_000 },
    (_, index) => `Name${String.fromCharCode(97 + (index % 26))}${"x".repeat(index % 30)}`,
  ).join(" ");
  expect(reelSpellings({ caption, author: author(null) }).length).toBeLessThanOrEqual(200);
});

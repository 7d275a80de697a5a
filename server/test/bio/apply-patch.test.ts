import { BioContent, operations, ServiceError } from "@reelscript/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyPatch, changesBetween, mergePatch, type Json } from "../../src/features/bio/apply-patch.ts";
import { jsonSchemaOf, readInput } from "../../src/run/schemas.ts";
import { arbitraryOf, type Schema } from "../openapi/arbitrary-of.ts";

const counter = () => {
  let last = 0;
  return () => `lnk_new${(last += 1)}`;
};
const patched = (content: BioContent, patch: unknown): BioContent => {
  const { ifRevision: _, dryRun: _dryRun, ...read } = readInput(operations.updateBioPage.input, patch);
  return applyPatch(content, read, counter());
};
const empty = BioContent.parse({});
const full = patched(empty, {
  displayName: "Ana",
  bio: "Coffee.",
  links: [
    { title: "One", url: "https://example.com/1" },
    { title: "Two", url: "tel:+15550100", highlighted: true },
    { type: "header", title: "More" },
  ],
  socials: [{ platform: "email", url: "mailto:ana@example.com" }],
  seo: { title: "Ana's links", noindex: true },
  theme: { preset: "dark", background: { type: "color", value: "#112233" }, colors: { text: "#fff" } },
});

describe("a patch", () => {
  test("fills an empty page, with ids for links and default values", () => {
    expect(full).toEqual({
      displayName: "Ana",
      bio: "Coffee.",
      avatarUrl: null,
      links: [
        {
          id: "lnk_new1",
          type: "link",
          title: "One",
          url: "https://example.com/1",
          thumbnailUrl: null,
          enabled: true,
          highlighted: false,
          startsAt: null,
          endsAt: null,
        },
        expect.objectContaining({ id: "lnk_new2", url: "tel:+15550100", highlighted: true }),
        expect.objectContaining({ id: "lnk_new3", type: "header", url: null }),
      ],
      socials: [{ platform: "email", url: "mailto:ana@example.com", handle: null }],
      seo: { title: "Ana's links", description: null, imageUrl: null, noindex: true, sitemap: false },
      theme: {
        preset: "dark",
        background: { type: "color", value: "#112233" },
        button: { style: "look", radius: "md" },
        colors: { text: "#fff", button: null, buttonText: null },
        font: "look",
      },
    });
  });

  test.each<[unknown, string[]]>([
    [{}, []],
    [{ displayName: "Ana" }, []],
    [{ displayName: "Bea" }, ["displayName"]],
    [{ displayName: null, bio: null }, ["displayName", "bio"]],
    [{ seo: { description: "x" } }, ["seo.description"]],
    [{ seo: { noindex: null } }, ["seo.noindex"]],
    [{ seo: null }, ["seo.title", "seo.noindex"]],
    [{ theme: { colors: { button: "#ABCDEF", text: null } } }, ["theme.colors.text", "theme.colors.button"]],
    [{ theme: { background: { value: "#445566" } } }, ["theme.background.value"]],
    [{ theme: { background: null } }, ["theme.background"]],
    [{ theme: null }, ["theme.preset", "theme.background", "theme.colors.text"]],
    [{ links: null }, ["links[0]", "links[1]", "links[2]"]],
    [{ socials: [] }, ["socials[0]"]],
    [
      { links: [{ id: "lnk_new1", title: "One!", url: "https://example.com/1" }] },
      ["links[0].title", "links[1]", "links[2]"],
    ],
  ])("%j changes %j and nothing else", (patch, paths) => {
    expect(changesBetween(full, patched(full, patch)).map(({ path }) => path)).toEqual(paths);
  });

  const link = { title: "T", url: "https://example.com" };
  const many = (count: number, each: object = link): object[] => Array.from({ length: count }, () => ({ ...each }));
  test.each<[string, unknown, string]>([
    [
      "an unknown id",
      { links: [link, link, link, { ...link, id: "lnk_gone" }] },
      "`links[3].id`: the page has no link with this id",
    ],
    ["an id twice", { links: many(2, { ...link, id: "lnk_new1" }) }, "`links[1].id`: occurs more than once"],
    [
      "a script",
      { links: [link, { ...link, url: "javascript:alert(1)" }] },
      "`links[1].url`: must be an http, https, mailto, tel or sms URL",
    ],
    ["a long URL", { links: [{ ...link, url: `https://example.com/${"x".repeat(2_048)}` }] }, "`links[0].url`"],
    ["no URL", { links: [{ title: "T" }] }, "`links[0].url`: is missing"],
    ["a header with a URL", { links: [{ ...link, type: "header" }] }, "`links[0].url`: must be left out"],
    ["no title", { links: [{ url: "https://example.com" }] }, "`links[0].title` is missing"],
    ["an empty title", { links: [{ ...link, title: "" }] }, "`links[0].title`: must not be empty"],
    ["a long title", { links: [{ ...link, title: "x".repeat(81) }] }, "`links[0].title`"],
    [
      "an end before the start",
      { links: [{ ...link, startsAt: "2026-05-02T00:00:00Z", endsAt: "2026-05-01T23:00:00.5Z" }] },
      "`links[0].endsAt`: must be later",
    ],
    [
      "a local time",
      { links: [{ ...link, startsAt: "2026-05-02T00:00:00+02:00" }] },
      "`links[0].startsAt`: must be a date and time in UTC",
    ],
    ["too many links", { links: many(101) }, "`links`"],
    ["an unknown field", { links: [{ ...link, clicks: 7 }] }, "`links[0].clicks`: unknown field"],
    [
      "a platform twice",
      { socials: many(2, { platform: "x", url: "https://x.com/a" }) },
      "`socials[1].platform`: occurs",
    ],
    ["a long name", { displayName: "x".repeat(61) }, "`displayName`"],
    ["a name of two lines", { displayName: "a\nb" }, "`displayName`: must be one line"],
    ["half a character", { bio: "\ud800" }, "`bio`: must not hold control characters"],
    ["a zero character", { bio: "a\0b" }, "`bio`: must not hold control characters"],
    ["a name of a color", { theme: { colors: { text: "red" } } }, "`theme.colors.text`: must be a hex color"],
    ["five digits", { theme: { colors: { button: "#12345" } } }, "`theme.colors.button`: must be a hex color"],
    [
      "a color as a gradient",
      { theme: { background: { type: "gradient" } } },
      "`theme.background.value`: must be two hex colors",
    ],
    [
      "an image over http",
      { theme: { background: { type: "image", value: "http://example.com/a.png" } } },
      "`theme.background.value`: must be an https URL",
    ],
    ["a revision as content", { revision: 3 }, "`revision`: unknown field"],
  ])("with %s is refused by its path", (_name, patch, message) => {
    expect(() => patched(full, patch)).toThrow(ServiceError);
    expect(() => patched(full, patch)).toThrow(message);
  });

  test.each([
    "https://",
    "https://bank.example@evil.example/",
    "https:///www.bank.com@evil.example/",
    "https:/www.bank.com@evil.example/",
    "https:\\\\www.bank.com@evil.example/",
    "https://www.bank.com%40@evil.example/",
    "https://www.bank.com:443@evil.example/",
    "https://:pass@evil.example/",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    " javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "blob:https://example.com/1",
    "file:///etc/passwd",
    "intent://x#Intent;end",
    "//evil.example",
    "/l/lnk_1",
  ])("never leads to %j, nor shows an image from there", (url) => {
    expect(() => patched(full, { links: [{ ...link, url }] })).toThrow("`links[0].url`: must be");
    expect(() => patched(full, { socials: [{ platform: "website", url }] })).toThrow("`socials[0].url`: must be");
    expect(() => patched(full, { avatarUrl: url })).toThrow("`avatarUrl`: must be an https URL");
    expect(() => patched(full, { seo: { imageUrl: url } })).toThrow("`seo.imageUrl`: must be an https URL");
  });

  test("needs a type for a background that was not there", () => {
    expect(() => patched(empty, { theme: { background: { value: "#fff" } } })).toThrow(
      '`theme.background.type`: must be "color"',
    );
  });

  test.each([
    "https://example.com",
    "HTTP://EXAMPLE.COM/a?b=c@d#e",
    "https://example.com/@ana",
    "http://[2001:db8::1]:8080/",
    "https://例え.jp/パス",
    "mailto:ana@example.com?subject=Hi",
    "tel:+1-555-0100",
  ])("takes the URL %s as it is", (url) => {
    expect(patched(empty, { links: [{ title: "T", url }] }).links[0]!.url).toBe(url);
  });

  test("may fill the page up to its size, and not further", () => {
    const url = `https://example.com/${"x".repeat(2_000)}`;
    const fits = patched(empty, { links: many(29, { title: "T", url }) });
    expect(fits.links).toHaveLength(29);
    const refused = expect.objectContaining({ status: 413, message: expect.stringContaining("maximum is 65536") });
    expect(() => patched(empty, { links: many(40, { title: "T", url }) })).toThrow(refused);
  });
});

test("any accepted patch keeps the rest and is idempotent", () => {
  const schema = jsonSchemaOf(operations.updateBioPage.input, "input") as Schema;
  let accepted = 0;
  fc.assert(
    fc.property(arbitraryOf(schema), (patch) => {
      let after: BioContent;
      try {
        after = patched(full, patch);
      } catch (error) {
        expect(error).toBeInstanceOf(ServiceError);
        return;
      }
      accepted += 1;
      expect(BioContent.parse(after), "complete").toEqual(after);
      const given = patch as Record<string, unknown>;
      for (const name of Object.keys(full) as (keyof BioContent)[])
        if (given[name] === undefined) expect(after[name]).toEqual(full[name]);
      const again = { ...given, ...(given["links"] ? { links: after.links } : {}) };
      expect(changesBetween(after, patched(after, again))).toEqual([]);
    }),
    { numRuns: 700 },
  );
  expect(accepted, "not all were refused").toBeGreaterThan(10);
});

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

test("an own property named __proto__ stays a property", () => {
  const patch = JSON.parse('{"__proto__": {"polluted": true}}') as Json;
  const merged = mergePatch({}, patch);
  expect(Object.hasOwn(merged as object, "__proto__")).toBe(true);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

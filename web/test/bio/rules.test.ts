import { BioContent, BioHandle, bioPresets, operations } from "@reelscript/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  colorHints,
  handleProblem,
  imageProblem,
  linkProblem,
  problemsOf,
} from "../../src/pages/bio/draft/problems-of.ts";
import { meaningOf, tidySocialUrl, tidyUrl } from "../../src/pages/bio/draft/typed-url.ts";
import { fromLocalField, toLocalField } from "../../src/pages/bio/panels/link-row.tsx";
import { sharedAs } from "../../src/pages/bio/draft/preview-content.ts";

const linkOfTests = {
  id: "lnk_1",
  type: "link",
  thumbnailUrl: null,
  enabled: true,
  highlighted: false,
  startsAt: null,
  endsAt: null,
} as const;
const accepts = (patch: unknown): boolean => operations.updateBioPage.input.safeParse(patch).success;

describe("the same as the contract", () => {
  const starts = ["https://", "HTTP://", "mailto:", "tel:", "sms:", "ftp:", "javascript:"];
  const parts = ["a", ",", "me@", "example.com", "/x", " ", "\n", "?q", "#", "+49", "(1)", "[::1]", ":80", "%", "\\"];
  const piece = fc.constantFrom(...starts, ...parts);
  const text = fc.oneof(
    fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join("")),
    fc.webUrl(),
    fc.string(),
  );

  test("are the URLs of links and images", () => {
    fc.assert(
      fc.property(text, (url) => {
        expect(linkProblem(url) === undefined).toBe(accepts({ links: [{ title: "a", url }] }));
        expect(imageProblem(url) === undefined).toBe(accepts({ avatarUrl: url }));
      }),
      { numRuns: 2_000 },
    );
  });

  test("are the lengths of texts, counted in visible characters", () => {
    const letters = ["a", "é", "நி", "👩‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🇵🇹", "e\u0301\u0323"];
    const title = fc.array(fc.constantFrom(...letters), { minLength: 70, maxLength: 90 });
    fc.assert(
      fc.property(title, (parts) => {
        const link = { title: parts.join(""), url: "https://example.com" };
        const isTooLong = problemsOf({ ...BioContent.parse({}), links: [{ ...linkOfTests, ...link }] }).length > 0;
        expect([isTooLong, accepts({ links: [link] })]).toEqual([parts.length > 80, parts.length <= 80]);
      }),
    );
    expect(accepts({ displayName: "👩‍👩‍👧‍👦".repeat(60) })).toBe(true);
    expect(accepts({ displayName: `a${"\u0301".repeat(2_000)}` }), "one letter with too many marks").toBe(false);
  });

  test("are the shapes of handles", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "Z", "0", "9", ".", "_", "-", " ", "é"), maxLength: 33 }),
        (handle) => {
          expect(handleProblem(handle) === undefined).toBe(BioHandle.safeParse(handle).success);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe("what somebody meant", () => {
  test.each([
    ["lenabakes.com/nine", "https://lenabakes.com/nine"],
    [" www.example.co.uk ", "https://www.example.co.uk"],
    ["example.com:8080?x=1", "https://example.com:8080?x=1"],
    ["http://example.com", "http://example.com"],
    ["lena@lenabakes.com", "mailto:lena@lenabakes.com"],
    ["+351 21 000 00 00", "tel:+351210000000"],
    ["https://a b", "https://a b"],
    ["bread", "bread"],
    ["1.5", "1.5"],
    ["", ""],
    ["example.com", "https://example.com"],
    ["//example.com/a", "https://example.com/a"],
    ["https:/example.com", "https://example.com"],
    ["http//example.com", "http://example.com"],
    ["nina@example.org", "mailto:nina@example.org"],
    ["nina@example.org, ben@example.org", "mailto:nina@example.org,ben@example.org"],
    ["Nina <nina@example.org>; Ben <ben@example.org>", "mailto:nina@example.org,ben@example.org"],
    ["mailto:nina@example.org ben@example.org", "mailto:nina@example.org,ben@example.org"],
    ["mailto:nina@example.org?subject=Hi", "mailto:nina@example.org?subject=Hi"],
    ["tel:+49 170 1234567", "tel:+491701234567"],
    ["+49 (0)170/123-4567", "tel:+491701234567"],
    ["tel:0170 1234567", "tel:01701234567"],
    ["0049 170 1234567", "tel:+491701234567"],
    ["callto://+1 (555) 010-0199", "tel:+15550100199"],
    ["sms:+49 170 1234567", "sms:+491701234567"],
    ["SMSTO:+491701234567", "sms:+491701234567"],
    ["whatsapp:+49 170 1234567", "https://wa.me/491701234567"],
    ["whatsapp://send?phone=491701234567&text=Hi%20there", "https://wa.me/491701234567?text=Hi%20there"],
    ["whatsapp:0170 1234567", "whatsapp:0170 1234567"],
    ["tg://resolve?domain=lenabakes", "https://t.me/lenabakes"],
    ["wa.me/491701234567", "https://wa.me/491701234567"],
    ["0170 1234567", "0170 1234567"],
    ["javascript:alert(1)", "javascript:alert(1)"],
  ])("%s is %s", (text, url) => expect(tidyUrl(text)).toBe(url));

  test("is said of what was completed", () => {
    expect(
      ["nina@example.org; ben@example.org", "tel:+49 170 1", "sms:+49 170 1", "whatsapp:+49 170 12", "example.com"].map(
        (text) => meaningOf(tidyUrl(text)),
      ),
    ).toEqual([
      "Now a link that writes an email to nina@example.org and ben@example.org.",
      "Now a link that calls +491701.",
      "Now a link that sends a text message to +491701.",
      "Now a link that opens a WhatsApp chat with +4917012.",
      "Now a link that opens example.com.",
    ]);
  });

  test("is a link that the service takes", () => {
    const texts = [
      "a@example.com b@example.com",
      "sms:+49 170 1234567",
      "whatsapp:+49 170 1234567",
      "00351 21 000 00 00",
    ];
    for (const text of texts) expect([text, linkProblem(tidyUrl(text))]).toEqual([text, undefined]);
  });

  test.each([
    ["instagram", "ana.coffee", "https://www.instagram.com/ana.coffee/"],
    ["tiktok", "@lena", "https://www.tiktok.com/@lena"],
    ["tiktok", "tiktok.com/@lena", "https://tiktok.com/@lena"],
    ["website", "lena.example", "https://lena.example"],
    ["email", "me@example.com", "mailto:me@example.com"],
    ["x", "https://x.com/lena", "https://x.com/lena"],
  ] as const)("on %s %s is %s", (platform, text, url) => expect(tidySocialUrl(platform, text)).toBe(url));
});

describe("hints on colors", () => {
  const hintsOn = (part: Partial<BioContent["theme"]>, colors: Partial<BioContent["theme"]["colors"]> = {}) =>
    colorHints({
      ...BioContent.parse({}).theme,
      ...part,
      colors: { text: null, button: null, buttonText: null, ...colors },
    });

  test("detect a link too pale for its text, and invalid colors", () => {
    const { button } = hintsOn({ preset: "warm" }, { button: "#f3c9b5", buttonText: "#ffffff" });
    expect(button?.message).toBe("Too little contrast (1.5:1; needs 4.5:1).");
    expect(hintsOn({ preset: "warm" }, { button: button?.better ?? null, buttonText: "#ffffff" })).toEqual({});
    const background = { type: "color", value: "#ffffff" } as const;
    expect(hintsOn({ background }, { text: "#777777" }).text?.message, "never rounded up").toContain("4.4:1");
  });

  test("check a gradient's worse end, and ignore a color being typed", () => {
    const background = { type: "gradient", value: "#ffffff,#333333" } as const;
    expect(hintsOn({ background }, { text: "#111111" }).text?.message).toMatch(/^Too little contrast/);
    expect(hintsOn({}, { text: "#1", button: "", buttonText: "red" })).toEqual({});
  });

  test.each(Object.keys(bioPresets) as (keyof typeof bioPresets)[])("say nothing of the look %s itself", (preset) =>
    expect(hintsOn({ preset })).toEqual({}),
  );
});

test("moments go through fields of local time unharmed", () => {
  expect(fromLocalField(toLocalField("2026-12-01T09:00:00.000Z"))).toBe("2026-12-01T09:00:00.000Z");
  expect([toLocalField(null), fromLocalField("")]).toEqual(["", null]);
});

test("without sharing texts a page uses name, address, bio and drawn picture", () => {
  const content = BioContent.parse({ displayName: "Lena", bio: "Bread,\nmostly." });
  expect(sharedAs(content, "lena")).toEqual({ title: "Lena (@lena)", description: "Bread, mostly.", image: null });
  expect(sharedAs(BioContent.parse({}), null)).toEqual({ title: "Reelscript", description: undefined, image: null });
});

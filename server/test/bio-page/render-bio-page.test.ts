import { randomUUID } from "node:crypto";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { BioContent, contrastOf } from "@reelscript/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { paletteOf } from "../../src/bio-page/palette-of.ts";
import { renderBioPage } from "../../src/bio-page/render-bio-page.ts";
import { presets, samplePage } from "./sample-page.ts";

const link = (title: string, changes: Record<string, unknown> = {}) => ({
  id: `lnk_${title}`,
  title,
  url: "https://example.com/",
  ...changes,
});
/** Every text of a page beside each color that it may lie on. */
function contrasts(theme: BioContent["theme"]): [what: string, contrast: number][] {
  const palette = paletteOf(theme);
  const behind = palette.sheet === null ? [...palette.grounds, ...palette.shades] : [palette.sheet];
  const on = (what: string, ink: string, grounds: readonly string[]): [string, number][] =>
    grounds.map((ground) => [`${what} ${ink} on ${ground}`, contrastOf(ground, ink)]);
  return [
    ...on("text", palette.text, behind),
    ...on("dim", palette.dim, behind),
    ...on("link", palette.linkText, palette.link === null ? behind : [palette.link]),
    ...on("highlight", palette.highlightText, [palette.highlight]),
    ...on("name", palette.nameText, [palette.text]),
  ];
}

describe("colors", () => {
  test.each(presets)("the look %s can be read in every style", (preset) => {
    for (const style of ["look", "fill", "outline", "soft"])
      for (const [what, contrast] of contrasts(BioContent.parse({ theme: { preset, button: { style } } }).theme))
        expect(contrast, `${style}: ${what}`).toBeGreaterThanOrEqual(4.5);
  });

  test("whatever colors the owner chooses, every text can be read", () => {
    const color = fc
      .tuple(fc.nat(255), fc.nat(255), fc.nat(255))
      .map((channels) => `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`);
    const maybe = fc.option(color);
    const background = fc.option(
      fc.oneof(
        color.map((value) => ({ type: "color", value })),
        fc.tuple(color, color).map((ends) => ({ type: "gradient", value: ends.join(",") })),
        fc.constant({ type: "image", value: "https://example.com/a.jpg" }),
      ),
    );
    const themes = fc.record({
      preset: fc.constantFrom(...presets),
      background,
      button: fc.record({ style: fc.constantFrom("look", "fill", "outline", "soft") }),
      colors: fc.record({ text: maybe, button: maybe, buttonText: maybe }),
    });
    fc.assert(
      fc.property(themes, (theme) => {
        for (const [what, contrast] of contrasts(BioContent.parse({ theme }).theme))
          expect(contrast, what).toBeGreaterThanOrEqual(4.5);
      }),
      { numRuns: 500 },
    );
  });

  test("what can be read stays as the owner chose it", () => {
    const colors = { text: "#222222", button: "#7a4a21", buttonText: "#fff7ee" };
    const { text, link: ground, linkText } = paletteOf(BioContent.parse({ theme: { colors } }).theme);
    expect({ text, button: ground, buttonText: linkText }).toEqual(colors);
  });
});

const hosted = "/media/images/0123456789abcdefghij-_.webp";

test("a page loads the service’s own images and no others", () => {
  const { html, headers } = renderBioPage(
    samplePage({
      avatarUrl: hosted,
      links: [link("One", { thumbnailUrl: hosted })],
      seo: { imageUrl: hosted },
      theme: { background: { type: "image", value: hosted } },
    }),
  );
  expect(headers["content-security-policy"]).toContain("img-src data: 'self';");
  expect(html.match(/<picture>/g)).toHaveLength(2);
  expect(html).toContain(`url("${hosted}")`);
  expect(html).toContain(`og:image" content="https://reelscript.example${hosted.replace("webp", "jpg")}"`);
});

describe("hostile content", () => {
  const evil = `</style><script>alert(1)</script><img src=x onerror=alert(1)>"'&`;
  const { html, headers } = renderBioPage(
    samplePage({
      displayName: evil.slice(0, 60),
      bio: evil,
      links: [link(evil.slice(0, 80), { id: `lnk"><b>`, thumbnailUrl: `https://example.com/"onerror="alert(1)` })],
      socials: [{ platform: "website", url: `https://example.com/"><script>`, handle: evil.slice(0, 60) }],
      seo: { title: evil.slice(0, 60), description: evil, imageUrl: `https://example.com/'"><script>` },
      theme: { background: { type: "image", value: `https://example.com/a?")}</style><script>\\a` } },
    }),
  );

  test("ends nothing and begins nothing", () => {
    expect(html.match(/<script/g), "the data for search engines alone").toHaveLength(1);
    expect(html.match(/<\/style>/g)).toHaveLength(1);
    expect(html.match(/<(?:b|iframe)>/g)).toBeNull();
    const body = html.slice(html.indexOf("<body>")).replaceAll(/"[^"]*"/g, '""');
    expect(body, "attributes end where we end them").not.toMatch(/<[^>]*onerror/);
    const data = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? "";
    expect(JSON.parse(data)).toMatchObject({ mainEntity: { name: evil.slice(0, 60) } });
  });

  test("an image of another site is not on the page at all", () => {
    expect(html).not.toMatch(/example\.com\/(?:a\?|"onerror|'&quot;)|<picture|url\(/);
    expect(headers["content-security-policy"]).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
  });
});

describe("links", () => {
  test("lead through the counting address; mail and telephone links lead there directly", () => {
    const links = [
      link("Web", { highlighted: true }),
      link("Mail", { url: "mailto:ana@example.com" }),
      link("Call", { url: "tel:+351210000000" }),
      { id: "lnk_head", type: "header", title: "Only words" },
    ];
    const { html } = renderBioPage(samplePage({ links, socials: [] }));
    expect([...html.matchAll(/<li><a ([^>]*)>/g)].map(([, attributes]) => attributes)).toEqual([
      'href="/l/lnk_Web" rel="nofollow noopener" class="highlighted"',
      'href="mailto:ana@example.com"',
      'href="tel:+351210000000"',
    ]);
    expect(html).toContain('<li><h2 dir="auto">Only words</h2></li>');
  });

  test("of a preview lead nowhere", () => {
    const { html, headers } = renderBioPage(samplePage(), "preview");
    expect(html).not.toMatch(/<a[^>]*\shref/);
    expect(headers).toMatchObject({ "x-frame-options": "SAMEORIGIN", "x-robots-tag": "noindex" });
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'self'");
    expect(headers["content-security-policy"], "no picture is named").toContain("img-src data:;");
  });
});

describe("what surrounds the page", () => {
  test.each(presets)("a full page in the look %s fits in 5 kB", (preset) => {
    const links = Array.from({ length: 12 }, (_, index) =>
      link(`${index}`, {
        id: randomUUID(),
        title: `A link with words of its own ${randomUUID()}`,
        highlighted: index === 0,
      }),
    );
    const page = samplePage({ links: [...links, { id: "lnk_h", type: "header", title: "More" }], theme: { preset } });
    const { html } = renderBioPage({ ...page, countedAs: `bio_${"a".repeat(20)}` });
    expect(brotliCompressSync(html).length).toBeLessThan(4_000);
    expect(gzipSync(html).length).toBeLessThan(5_000);
    expect(html.match(/<script(?! type="application\/ld\+json")/g)).toHaveLength(1);
    expect(html).not.toMatch(/ style=/);
  });

  test("metadata describes the page to search engines, unless it is hidden", () => {
    const { html, headers } = renderBioPage(samplePage({ avatarUrl: hosted }));
    for (const part of [
      "<title>Lena Bakes (@lenabakes)</title>",
      '<link rel="canonical" href="https://reelscript.example/@lenabakes">',
      '<meta property="og:url" content="https://reelscript.example/@lenabakes">',
      '<meta property="og:image" content="https://reelscript.example/@lenabakes/card-',
      `"image":"https://reelscript.example${hosted.replace("webp", "jpg")}"`,
      `<source type="image/webp" srcset="${hosted.replace(".webp", "-small.webp")}">`,
      '"@type":"ProfilePage"',
      '"sameAs":["https://www.instagram.com/lenabakes/","https://www.youtube.com/@lenabakes"]',
    ])
      expect(html).toContain(part);
    expect(html).not.toContain("noindex");
    expect(headers["x-robots-tag"]).toBeUndefined();
    const hidden = renderBioPage(samplePage({ seo: { noindex: true } }));
    expect(hidden.html).toContain('<meta name="robots" content="noindex">');
    expect(hidden.headers["x-robots-tag"]).toBe("noindex");
  });

  test.each([
    ["மீனா", "ta", "ltr", "உருவாக்கியது"],
    ["आरव Edits", "hi", "ltr", "बनाया गया"],
    ["وليد يتحرك", "ar", "rtl", "صُنعت"],
    ["ریل بنانے والے", "ur", "rtl", "Made with"],
  ])("%s is told to be in %s, from %s", (displayName, lang, dir, words) => {
    const { html } = renderBioPage(samplePage({ displayName, bio: null, links: [] }));
    expect(html).toContain(`<html lang="${lang}" dir="${dir}">`);
    expect(html).toContain(words);
  });

  test("Latin letters do not tell a language, and none is claimed", () => {
    expect(renderBioPage(samplePage({ displayName: "Pão em palavras" })).html).toContain('<main lang="">');
  });

  test("an empty page shows visitors its handle, and its owner hints", () => {
    const empty = { ...samplePage(), content: BioContent.parse({}) };
    const html = renderBioPage(empty).html;
    expect(html).toContain('<h1><span dir="auto">@lenabakes</span></h1>');
    expect(html).not.toContain("<ul>");
    const preview = renderBioPage({ ...empty, handle: null }, "preview").html;
    expect(preview).toContain("Your name");
    expect(preview).toContain("Your links appear here");
    expect(preview).not.toContain("canonical");
  });
});

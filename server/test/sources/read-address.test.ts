import { ServiceError } from "@reelscript/contract";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { grammarAt, linkGrammars, readAddress, reelNamedBy, trimAddress } from "@reelscript/contract/values";
import { instagram } from "../../src/adapters/platforms/instagram/instagram.ts";
import { publicPlatforms, standinPlatform } from "../../src/adapters/platforms/platforms.ts";
import { readReelUrl } from "../../src/adapters/platforms/reel-locator.ts";

const standin = standinPlatform({ origin: "http://127.0.0.1:8788", mediaOrigin: "http://127.0.0.1:8789" });
const platforms = [...publicPlatforms, standin];
const codes = { instagram: "DLlGZiCOBQ0", tiktok: "7106798200794926362", youtube: "dQw4w9WgXcQ" };
const reel = `https://www.instagram.com/reel/${codes.instagram}/`;

/** `undefined` for what is refused; any other error goes through. */
function originOf(text: string): string | undefined {
  try {
    const link = readReelUrl(text, platforms);
    return new URL(link.kind === "reel" ? link.address.url : link.url).origin;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

describe("the one reading of addresses", () => {
  test("every address that a grammar writes, it reads", () => {
    for (const { platform, origin, hosts, pathOf, playerOf } of linkGrammars) {
      const code = codes[platform];
      const shortened = ["vm.tiktok.com", "vt.tiktok.com", "youtu.be", "www.youtu.be"];
      const pages = hosts.filter((host) => !shortened.includes(host)).map((host) => `https://${host}${pathOf(code)}`);
      for (const text of [`${origin}${pathOf(code)}`, playerOf(code, 0), playerOf(code, 90), ...pages]) {
        expect(readAddress(text), text).toMatchObject({ grammar: { platform }, link: { kind: "reel", code } });
        expect(readAddress(`${text}\u200B`)?.link, text).toEqual({ kind: "reel", code });
        expect(reelNamedBy(text)?.key, text).toBe(`${platform} ${code}`);
      }
    }
    for (const text of ["https://vt.tiktok.com/ZSe4FqkKd", "https://www.instagram.com/share/reel/BARSSL4rTu"]) {
      const { link, grammar } = readAddress(text) ?? expect.fail(text);
      if (link.kind !== "share") throw new Error(text);
      expect(readAddress(`${link.origin ?? grammar?.origin}${link.path}`)?.link).toEqual(link);
    }
  });

  test.each([
    `<${reel}>`,
    `[a reel](${reel})`,
    `[${reel}](${reel})`,
    `“${reel}”`,
    `'${reel}'`,
    `«${reel}».`,
    `Look at this: ${reel}, it's great!`,
    `Compare https://shop.example/cake with ${reel}.`,
    `*${reel}*`,
    `See instagram.com/reel/${codes.instagram}!`,
    `https://www.instagram.com/REEL/${codes.instagram}/`,
    `https://www.instagram.com/some.one/Reel/${codes.instagram}`,
    `https://www.kkinstagram.com/reel/${codes.instagram}/`,
    `https://eeinstagram.com/p/${codes.instagram}`,
    `https://d.vxinstagram.com/some.one/reels/${codes.instagram}`,
    `https://href.li/?${reel}`,
    `https://href.li/?${encodeURIComponent(reel)}`,
    `https://web.archive.org/web/20240501120000/${reel}`,
    `https://web.archive.org/web/2024/${reel.replace("//", "/")}`,
    `https://archive.example/save/${encodeURIComponent(reel)}`,
    `https://out.example/?u=${encodeURIComponent(encodeURIComponent(reel))}`,
    `https://out.example/?u=${encodeURIComponent(encodeURIComponent(encodeURIComponent(reel)))}`,
    encodeURIComponent(reel),
    `https://chat.example/send?text=${encodeURIComponent(`Watch ${reel} now`)}`,
  ])("%j names the reel", (text) => {
    expect(readAddress(text)?.link).toEqual({ kind: "reel", code: codes.instagram });
    expect(reelNamedBy(text)?.key).toBe(`instagram ${codes.instagram}`);
  });

  test.each([
    ["https://www.youtube.com/SHORTS/dQw4w9WgXcQ", `youtube ${codes.youtube}`],
    [`https://www.tiktok.com/@a.b/Video/${codes.tiktok}`, `tiktok ${codes.tiktok}`],
    [`https://vxtiktok.com/@a.b/video/${codes.tiktok}`, `tiktok ${codes.tiktok}`],
  ])("%j names a reel of another platform", (text, key) => {
    expect(reelNamedBy(text)?.key).toBe(key);
  });

  test.each([
    `Both ${reel} and https://www.instagram.com/reel/DPv0aTqM9eX/`,
    "no address here.",
    `${" ".repeat(30_000)}x <${reel}>`,
  ])("of several addresses, or none, none is taken: %#", (text) => {
    expect(readAddress(text)?.link.kind).not.toBe("reel");
  });

  test("addresses in addresses are looked into three times", () => {
    const wrapped = (times: number): string => {
      let text = reel;
      for (let time = 0; time < times; time += 1) text = `https://out.example/?u=${encodeURIComponent(text)}`;
      return text;
    };
    for (const times of [0, 1, 2, 3])
      expect(readAddress(wrapped(times))?.link).toEqual({ kind: "reel", code: codes.instagram });
    expect(readAddress(wrapped(4))?.grammar).toBeUndefined();
  });

  test("spaces and format characters leave the ends of an address alone", () => {
    const edges = fc.array(
      fc.constantFrom(
        " ",
        "\n",
        "\u00A0",
        "\u00AD",
        "\u200B",
        "\u200D",
        "\u202A",
        "\uFEFF",
        "%20",
        "%E2%80%8F",
        "%c2%ad",
      ),
    );
    fc.assert(
      fc.property(edges, edges, (before, after) => {
        const text = [...before, "https://a.example/%F0%9F%99%82", ...after].join("");
        expect(trimAddress(text)).toBe("https://a.example/%F0%9F%99%82");
      }),
    );
    const flag = "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}";
    for (const whole of [`https://a.example/${flag}`, "https://a.example/%80", "%", ""])
      expect(trimAddress(whole)).toBe(whole);
  });

  test("the canonical URL names the same reel", () => {
    const code = fc.stringMatching(/^[B-Za-z0-7][\w-]{9}$/);
    const shape = fc.constantFrom("reel/", "reels/", "p/", "tv/", "some.one/reel/", "some.one/p/");
    const tail = fc.constantFrom("", "/", "/?igsh=abc%3D%3D", "/embed/captioned/", "#top");
    fc.assert(
      fc.property(fc.constantFrom(instagram, standin), shape, code, tail, (platform, kind, shortcode, end) => {
        const first = readReelUrl(`${platform.origin}/${kind}${shortcode}${end}`, platforms);
        if (first.kind !== "reel") throw new Error("not a reel");
        expect(first.address).toMatchObject({ platform: platform.name, shortcode });
        expect(readReelUrl(first.address.url, platforms)).toEqual(first);
      }),
    );
  });

  test("no link of one platform is ever read as another's", () => {
    const code = fc.oneof(
      fc.constantFrom(codes.tiktok, codes.youtube, "DLlGZiCOBQ0", "ZTR45GpSF", "audio", ""),
      fc.stringMatching(/^[\w-]{1,20}$/),
    );
    const shape = fc
      .tuple(
        fc.constantFrom(
          "/reel/X/",
          "/reels/X",
          "/p/X/",
          "/tv/X",
          "/a.b/reel/X",
          "/share/X",
          "/share/reel/X",
          "/share/video/X",
          "/@a.b/video/X",
          "/@_/photo/X",
          "/v/X.html",
          "/v/X",
          "/t/X",
          "/X",
          "/shorts/X",
          "/watch?v=X",
          "/@a.b/shorts",
          "/X/X",
          "/watch/X?v=X",
          "//X//",
        ),
        code,
      )
      .map(([path, part]) => path.replaceAll("X", part));
    const host = fc
      .tuple(
        fc.constantFrom(...linkGrammars.flatMap(({ hosts, origin }) => [...hosts, new URL(origin).hostname])),
        fc.constantFrom("", "", "", "www.", "m.", "vm.", "x.", "www.www."),
        fc.constantFrom("", "", ":8443", "."),
      )
      .map((parts) => ({ known: parts[0], host: `${parts[1]}${parts[0]}${parts[2]}` }));
    fc.assert(
      fc.property(host, shape, ({ known: knownHost, host: at }, path) => {
        const text = `https://${at}${path}`;
        const ownGrammar = grammarAt(knownHost) ?? expect.fail(knownHost);
        const read = readAddress(text);
        let platform: string | undefined;
        try {
          const link = readReelUrl(text, platforms);
          platform = link.kind === "reel" ? link.address.platform : link.platform.name;
          if (link.kind === "share") expect(ownGrammar.hosts).toContain(new URL(link.url).hostname);
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error;
        }
        expect([undefined, ownGrammar.platform]).toContain(platform);
        // The dashboard recognizes every address that the service takes.
        if (platform !== undefined) expect(["reel", "share"]).toContain(read?.link.kind);
        if (read?.grammar === undefined) expect(platform).toBeUndefined();
      }),
      { numRuns: 3_000 },
    );
  });

  test("hostile text is refused or understood, never anything else", () => {
    const part = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "https://",
        "www.instagram.com",
        "www.tiktok.com",
        "vm.tiktok.com",
        "youtu.be",
        "@",
        "/",
        "/reel/",
        "share/",
        "?u=",
        "%",
        "\\",
        "..",
        "\0",
        "[::1]",
      ),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const origins = ["https://vm.tiktok.com", "https://vt.tiktok.com", ...platforms.map(({ origin }) => origin)];
        expect([undefined, ...origins]).toContain(originOf(parts.join("")));
      }),
      { numRuns: 500 },
    );
  });
});

import { ServiceError } from "@reelscript/contract";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { instagram } from "../../src/adapters/platforms/instagram/instagram.ts";
import { standinPlatform } from "../../src/adapters/platforms/platforms.ts";
import { readReelUrl } from "../../src/adapters/platforms/reel-url.ts";

const standin = standinPlatform({ origin: "http://127.0.0.1:8788", mediaOrigin: "http://127.0.0.1:8789" });
const platforms = [instagram, standin];

const address = {
  platform: "instagram",
  mediaId: "3667365614373573684",
  shortcode: "DLlGZiCOBQ0",
  url: "https://www.instagram.com/reel/DLlGZiCOBQ0/",
};

const shapes = [
  "https://www.instagram.com/reel/DLlGZiCOBQ0/",
  "https://www.instagram.com/reel/DLlGZiCOBQ0",
  "  https://instagram.com/reels/DLlGZiCOBQ0/\n",
  "http://instagram.com/p/DLlGZiCOBQ0/?foo=bar#abc",
  "https://WWW.Instagram.COM/tv/DLlGZiCOBQ0/",
  "https://m.instagram.com/reel/DLlGZiCOBQ0/?igsh=NWN3Y2ZuZ2prem9p",
  "https://instagr.am/p/DLlGZiCOBQ0/",
  "https://www.instagram.com/marvelskies.fc/reel/DLlGZiCOBQ0/",
  "https://www.instagram.com/some_one/p/DLlGZiCOBQ0/?igshid=MzRlODBiNWFlZA==",
  "https://www.instagram.com/p/DLlGZiCOBQ0/embed/",
  "https://www.instagram.com/reel/DLlGZiCOBQ0/embed/captioned/?utm_source=ig_web_copy_link",
  "https://www.instagram.com//reel//DLlGZiCOBQ0//",
  "https://user:secret@www.instagram.com:8443/reel/DLlGZiCOBQ0/",
  "https://ddinstagram.com/reel/DLlGZiCOBQ0/",
  "https://d.ddinstagram.com/reel/DLlGZiCOBQ0/",
  "https://g.ddinstagram.com/p/DLlGZiCOBQ0/",
  "https://www.instagram.com/reel/ADLlGZiCOBQ0/",
  "https://l.instagram.com/?u=https%3A%2F%2Fwww.instagram.com%2Freel%2FDLlGZiCOBQ0%2F&e=AT0",
];

const rejected = [
  "",
  "DLlGZiCOBQ0",
  "instagram.com/reel/DLlGZiCOBQ0/",
  "https//www.instagram.com/reel/DLlGZiCOBQ0/",
  "instagram://media?id=482584233761418119",
  "ftp://www.instagram.com/reel/DLlGZiCOBQ0/",
  "javascript:alert(1)",
  "https://www.instagram.com/",
  "https://www.instagram.com/reels/",
  "https://www.instagram.com/reels/audio/1234567890/",
  "https://www.instagram.com/reel/audio/",
  "https://www.instagram.com/stories/somebody/3667365614373573684/",
  "https://www.instagram.com/stories/p/DLlGZiCOBQ0/",
  "https://www.instagram.com/explore/p/DLlGZiCOBQ0/",
  "https://www.instagram.com/somebody/",
  "https://www.instagram.com/somebody/reels/",
  "https://www.instagram.com/some%20body/p/DLlGZiCOBQ0/",
  "https://www.instagram.com/Reel/DLlGZiCOBQ0/",
  "https://www.instagram.com/reel/DLlGZi%43OBQ0/",
  "https://www.instagram.com/reel/________________/",
  "https://www.instagram.com/share/",
  "https://www.instagram.com/share/reel/",
  "https://www.instagram.com/share/reel/a/b/",
  "https://www.instagram.com/share/else/BARSSL4rTu/",
  "https://instagram.com.evil.example/reel/DLlGZiCOBQ0/",
  "https://www.instagram.com@evil.example/reel/DLlGZiCOBQ0/",
  "https://evil.example/https://www.instagram.com/reel/DLlGZiCOBQ0/",
  "https://evil.example/reel/DLlGZiCOBQ0/",
  "https://xinstagram.com/reel/DLlGZiCOBQ0/",
  "https://127.0.0.1:8788/reel/DLlGZiCOBQ0/",
  "http://127.0.0.1:8789/reel/DLlGZiCOBQ0/",
  "http://127.0.0.1/reel/DLlGZiCOBQ0/",
  "https://l.instagram.com/?u=https%3A%2F%2Fevil.example%2Freel%2FDLlGZiCOBQ0%2F",
  "https://l.instagram.com/",
  `https://www.instagram.com/reel/DLlGZiCOBQ0/?${"a".repeat(2_048)}`,
];

function refusalOf(text: string): ServiceError {
  try {
    readReelUrl(text, platforms);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error(`accepted: ${text}`);
}

/** `undefined` for what is refused; any other error goes through. */
function originOf(text: string): string | undefined {
  try {
    const found = readReelUrl(text, platforms);
    return new URL(found.kind === "reel" ? found.address.url : found.url).origin;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

describe("URLs of reels", () => {
  test.each(shapes)("%s names the reel", (url) => {
    expect(readReelUrl(url, platforms)).toEqual({ kind: "reel", address });
  });

  test("letters keep their case", () => {
    expect(readReelUrl("https://instagram.com/p/aye83DjauH/", platforms)).toMatchObject({
      address: { mediaId: "482584233761418119", shortcode: "aye83DjauH" },
    });
    expect(readReelUrl("https://instagram.com/p/AYE83DJAUH/", platforms)).not.toMatchObject({
      address: { mediaId: "482584233761418119" },
    });
  });

  test("the long form of a private account's post keeps its code", () => {
    const code = "C5_A1TQNPrYw4c2g9KAUTPUl8RVHqiAdAcOOSY0";
    expect(readReelUrl(`https://www.instagram.com/p/${code}/`, platforms)).toEqual({
      kind: "reel",
      address: {
        platform: "instagram",
        mediaId: "3350400310592207576",
        shortcode: code,
        url: `https://www.instagram.com/reel/${code}/`,
      },
    });
  });

  test.each(["/share/BARSSL4rTu", "/share/reel/BARSSL4rTu/", "/share/p/BARSSL4rTu?igsh=1", "/share/reels/BARSSL4rTu"])(
    "%s is a share link",
    (path) => {
      const [bare] = path.split("?");
      expect(readReelUrl(`https://instagram.com${path}`, platforms)).toEqual({
        kind: "share",
        platform: instagram,
        url: `https://www.instagram.com${bare?.replace(/\/$/, "")}/`,
      });
    },
  );

  test("the stand-in is a platform of its own, at exactly its origin", () => {
    expect(readReelUrl("http://127.0.0.1:8788/someone/reel/DLlGZiCOBQ0/?igsh=1", platforms)).toEqual({
      kind: "reel",
      address: { ...address, platform: "standin", url: "http://127.0.0.1:8788/reel/DLlGZiCOBQ0/" },
    });
    expect(() => readReelUrl("http://127.0.0.1:8788/reel/DLlGZiCOBQ0/", [instagram])).toThrow(ServiceError);
  });

  test.each(rejected)("%.80s is refused, and the message says what is accepted", (url) => {
    const { code, status, message } = refusalOf(url);
    expect({ code, status }).toEqual({ code: "invalidRequest", status: 400 });
    expect(message).toMatch(/^url /);
    expect(message).toContain("https://www.instagram.com/reel/{code}/");
  });

  test("the canonical URL names the same reel", () => {
    const code = fc.stringMatching(/^[B-Za-z0-7][\w-]{9}$/);
    const shape = fc.constantFrom("reel/", "reels/", "p/", "tv/", "some.one/reel/", "some.one/p/");
    const tail = fc.constantFrom("", "/", "/?igsh=abc%3D%3D", "/embed/captioned/", "#top");
    fc.assert(
      fc.property(fc.constantFrom(...platforms), shape, code, tail, (platform, kind, shortcode, end) => {
        const first = readReelUrl(`${platform.origin}/${kind}${shortcode}${end}`, platforms);
        if (first.kind !== "reel") throw new Error("not a reel");
        expect(first.address).toMatchObject({ platform: platform.name, shortcode });
        expect(readReelUrl(first.address.url, platforms)).toEqual(first);
      }),
    );
  });

  test("hostile text is refused or understood, never anything else", () => {
    const part = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "https://",
        "www.instagram.com",
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
        expect([undefined, ...platforms.map(({ origin }) => origin)]).toContain(originOf(parts.join("")));
      }),
      { numRuns: 500 },
    );
  });
});

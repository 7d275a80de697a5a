import { ServiceError } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import { instagram } from "../../src/adapters/platforms/instagram/instagram.ts";
import { publicPlatforms, standinPlatform } from "../../src/adapters/platforms/platforms.ts";
import { readReelUrl } from "../../src/adapters/platforms/reel-locator.ts";

const standin = standinPlatform({ origin: "http://127.0.0.1:8788", mediaOrigin: "http://127.0.0.1:8789" });
const platforms = [...publicPlatforms, standin];

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
  "https://l.facebook.com/l.php?u=https%3A%2F%2Fwww.instagram.com%2Freel%2FDLlGZiCOBQ0%2F%3Ffbclid%3DIw&h=AT0",
  "https://lm.facebook.com/l.php?u=https%3A%2F%2Finstagram.com%2Fp%2FDLlGZiCOBQ0&h=AT0",
  "https://l.threads.com/?u=https%3A%2F%2Fwww.instagram.com%2Freel%2FDLlGZiCOBQ0%2F&e=AT0",
  "https://l.wl.co/l?u=https%3A%2F%2Fwww.instagram.com%2Freel%2FDLlGZiCOBQ0%2F",
  "https://www.instagram.com/accounts/login/?next=%2Freel%2FDLlGZiCOBQ0%2F&source=desktop_nav",
  "https://www.instagram.com/accounts/login/?next=https://www.instagram.com/reel/DLlGZiCOBQ0/",
  "https://www.instagram.com/accounts/login/?next=https%3A%2F%2Fwww.instagram.com%2Freels%2FDLlGZiCOBQ0%2F%3Fhl%3Den",
  "https://www.instagram.com/challenge/?next=/p/DLlGZiCOBQ0/",
  "https://api.instagram.com/oembed/?url=https://www.instagram.com/p/DLlGZiCOBQ0/&omitscript=true",
  "https://consent.example/?a=1&amp;continue=https%3A%2F%2Fwww.instagram.com%2Freel%2FDLlGZiCOBQ0%2F",
  "https://www.instagram.com./reel/DLlGZiCOBQ0/",
  "instagram.com/reel/DLlGZiCOBQ0/",
  "www.instagram.com/reel/DLlGZiCOBQ0?igsh=1",
  "Instagram.com:443/reel/DLlGZiCOBQ0/",
  "//www.instagram.com/reel/DLlGZiCOBQ0/",
  "\u200Ehttps://www.instagram.com/reel/DLlGZiCOBQ0/\u200B\u2060",
  "\uFEFFinstagram.com/reel/DLlGZiCOBQ0\u00AD",
  "https://www.instagram.com/reel/DLlGZiCOBQ0%E2%80%8B",
  "%E2%80%8Ehttps://www.instagram.com/reel/DLlGZiCOBQ0/%EF%BB%BF%20",
  "https://www.instagram.com/reel/DLlGZiCOBQ0%E2%80%8B/?igsh=1",
  "https://www.instagram.com/p/DLlGZiCOBQ0/c/17900000000000000/",
  "https://www.instagram.com/reel/DLlGZiCOBQ0/liked_by/",
  "https://www.instagram.com/reel/DLlGZiCOBQ0/?utm_source=ig_web_button_share_sheet&amp;igsh=1",
  "https://www.instagram.com/reel/DLlGZiCOBQ0&igsh=1",
  "https://www.instagram.com/some_one/reel/DLlGZiCOBQ0&amp;hl=en/",
];

const tiktok = "7106798200794926362";
const short = "dQw4w9WgXcQ";
const elsewhere = [
  [`https://www.tiktok.com/@some.one/video/${tiktok}?is_from_webapp=1&sender_device=pc`, "tiktok", tiktok],
  [`https://www.tiktok.com/@some.one/photo/${tiktok}`, "tiktok", tiktok],
  [`https://www.tiktok.com/@/video/${tiktok}`, "tiktok", tiktok],
  [`https://m.tiktok.com/v/${tiktok}.html?u_code=d`, "tiktok", tiktok],
  [`https://www.tiktok.com/v/${tiktok}`, "tiktok", tiktok],
  [`https://tiktok.com/share/video/${tiktok}/`, "tiktok", tiktok],
  [`https://www.youtube.com/shorts/${short}?feature=share`, "youtube", short],
  [`https://m.youtube.com/shorts/${short}`, "youtube", short],
  [`https://www.youtube.com/watch?feature=shared&v=${short}&t=12s`, "youtube", short],
  [`https://youtu.be/${short}?si=abc`, "youtube", short],
  [`https://l.instagram.com/?u=${encodeURIComponent(`https://youtu.be/${short}`)}&e=AT0`, "youtube", short],
  [`https://www.tiktok.com/player/v1/${tiktok}?autoplay=1`, "tiktok", tiktok],
  [`https://www.tiktok.com/embed/${tiktok}`, "tiktok", tiktok],
  [`https://www.tiktok.com/embed/v2/${tiktok}?lang=en`, "tiktok", tiktok],
  [`https://t.tiktok.com/i18n/share/video/${tiktok}/?_t=ZS`, "tiktok", tiktok],
  [`https://www.tiktokv.com/share/video/${tiktok}/`, "tiktok", tiktok],
  [`https://www.tiktok.com/foryou?is_copy_url=1&is_from_webapp=v1&item_id=${tiktok}`, "tiktok", tiktok],
  [`https://www.tiktok.com/login?redirect_url=%2F%40some.one%2Fvideo%2F${tiktok}&lang=en`, "tiktok", tiktok],
  [`https://www.tiktok.com/link/v2?aid=1988&scene=bio_url&target=youtu.be%2F${short}`, "youtube", short],
  [`https://www.tiktok.com/oembed?url=https://www.tiktok.com/@some.one/video/${tiktok}`, "tiktok", tiktok],
  [`tiktok.com/@some.one/video/${tiktok}\u200B`, "tiktok", tiktok],
  [`https://www.youtube.com/embed/${short}?si=abc`, "youtube", short],
  [`https://www.youtube-nocookie.com/embed/${short}?start=3`, "youtube", short],
  [`https://www.youtube.com/live/${short}?feature=share`, "youtube", short],
  [`https://www.youtube.com/v/${short}?version=3`, "youtube", short],
  [`https://youtube.googleapis.com/v/${short}`, "youtube", short],
  [`https://music.youtube.com/watch?v=${short}&list=RDAMVM`, "youtube", short],
  [`https://www.youtube.com/watch?feature=share&amp;v=${short}`, "youtube", short],
  [`https://studio.youtube.com/video/${short}/edit`, "youtube", short],
  [`https://www.youtubekids.com/watch?v=${short}`, "youtube", short],
  [`https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3D${short}%26feature%3Dshare`, "youtube", short],
  [
    `https://accounts.google.com/ServiceLogin?continue=${encodeURIComponent(
      `https://www.youtube.com/signin?action_handle_signin=true&next=${encodeURIComponent(`/shorts/${short}`)}`,
    )}&hl=en`,
    "youtube",
    short,
  ],
  [`https://m.youtube.com/watch/${short}?app=desktop`, "youtube", short],
  [`https://youtu.be/${short}&feature=channel`, "youtube", short],
  [`https://www.youtube.com/shorts/${short}&amp;t=3`, "youtube", short],
  [`https://www.youtube.com/watch?v=${short}?si=abc`, "youtube", short],
  [`https://www.youtube.com/watch?v=${short}%26t=3`, "youtube", short],
  [`https://www.tiktok.com/@some.one/video/${tiktok}&is_from_webapp=1`, "tiktok", tiktok],
  [`https://www.tiktok.com/foryou?item_id=${tiktok}?lang=en`, "tiktok", tiktok],
  [`www.youtube.com./shorts/${short}%E2%80%8D`, "youtube", short],
] as const;

const rejected = [
  "",
  "DLlGZiCOBQ0",
  "someone@instagram.com/reel/DLlGZiCOBQ0/",
  "mailto:someone@instagram.com/reel/DLlGZiCOBQ0/",
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
  "https://www.instagram.com/reel/DLlGZi%43OBQ0/",
  "https://www.instagram.com/reel/________________/",
  "https://www.instagram.com/share/",
  "https://www.instagram.com/share/reel/",
  "https://www.instagram.com/share/reel/a/b/",
  "https://www.instagram.com/share/else/BARSSL4rTu/",
  "https://instagram.com.evil.example/reel/DLlGZiCOBQ0/",
  "https://www.instagram.com@evil.example/reel/DLlGZiCOBQ0/",
  "https://evil.example/reel/DLlGZiCOBQ0/",
  "https://xinstagram.com/reel/DLlGZiCOBQ0/",
  "https://127.0.0.1:8788/reel/DLlGZiCOBQ0/",
  "http://127.0.0.1:8789/reel/DLlGZiCOBQ0/",
  "http://127.0.0.1/reel/DLlGZiCOBQ0/",
  "https://l.instagram.com/?u=https%3A%2F%2Fevil.example%2Freel%2FDLlGZiCOBQ0%2F",
  "https://l.instagram.com/",
  "https://www.instagram.com/accounts/login/?next=%2Fsomebody%2F",
  "https://l.facebook.com/l.php?u=javascript%3Aalert(1)",
  "https://evil.example/?u=http%3A%2F%2F127.0.0.1%3A8788%2Freel%2FDLlGZiCOBQ0%2F",
  "https://www.tiktok.com/@some.one",
  "https://www.tiktok.com/@some.one/live",
  "https://www.tiktok.com/@some.one/video/0123",
  "https://www.tiktok.com/music/original-sound-7106798200794926362",
  "https://www.tiktok.com/reel/DLlGZiCOBQ0/",
  "https://us.tiktok.com/reel/DLlGZiCOBQ0/",
  "https://vm.tiktok.com/",
  "https://vm.tiktok.com/@some.one/video/7106798200794926362",
  "https://www.youtube.com/shorts/",
  "https://www.youtube.com/shorts/dQw4w9WgXcR",
  "https://www.youtube.com/watch?list=PL1",
  "https://www.youtube.com/@some.one/shorts",
  "https://youtu.be/",
  "https://www.youtube.com/embed/videoseries?list=PL1",
  "https://www.youtube.com/embed/live_stream?channel=UC1",
  "https://www.youtube.com/clip/UgkxAbcdefghij",
  "https://music.youtube.com/playlist?list=PL1",
  "https://www.tiktok.com/embed/@some.one",
  "https://www.tiktok.com/foryou",
  "https://www.instagram.com/shorts/dQw4w9WgXcQ",
  "https://www.instagram.com/@some.one/video/7106798200794926362",
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

describe("URLs of reels", () => {
  test.each(shapes)("%s names the reel", (url) => {
    expect(readReelUrl(url, platforms)).toEqual({ kind: "reel", address });
  });

  test.each(elsewhere)("%s names a reel of %s", (url, platform, id) => {
    const link = readReelUrl(url, platforms);
    expect(link).toMatchObject({ kind: "reel", address: { platform, mediaId: id, shortcode: id } });
    if (link.kind === "reel") expect(readReelUrl(link.address.url, platforms)).toEqual(link);
  });

  test.each([
    ["https://vm.tiktok.com/ZTR45GpSF/?k=1", "https://vm.tiktok.com/ZTR45GpSF/"],
    ["https://vt.tiktok.com/ZSe4FqkKd", "https://vt.tiktok.com/ZSe4FqkKd/"],
    ["https://www.tiktok.com/t/ZTR45GpSF", "https://www.tiktok.com/t/ZTR45GpSF/"],
    ["lite.tiktok.com/t/ZTR45GpSF/", "https://www.tiktok.com/t/ZTR45GpSF/"],
    ["https://vm.tiktok.com./ZTR45GpSF/", "https://vm.tiktok.com/ZTR45GpSF/"],
    ["https://l.facebook.com/l.php?u=https%3A%2F%2Fvm.tiktok.com%2FZTR45GpSF%2F", "https://vm.tiktok.com/ZTR45GpSF/"],
  ])("%s is asked where it leads", (text, url) => {
    expect(readReelUrl(text, platforms)).toMatchObject({ kind: "share", platform: { name: "tiktok" }, url });
  });

  test("messages name the platforms that are set up, and no others", () => {
    const refused = (shownPlatforms: readonly (typeof instagram)[]): unknown => {
      try {
        return readReelUrl("https://www.tiktok.com/@some.one", platforms, shownPlatforms);
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(refused([instagram])).toBe(
      "url does not name a reel. Accepted: https://www.instagram.com/reel/{code}/, other links of the same reel, and share links.",
    );
    expect(refused([])).toBe("url does not name a reel.");
  });

  test("a link of a platform that is off says so", () => {
    expect(() => readReelUrl(`https://youtu.be/${short}`, [instagram, standin])).toThrow(
      expect.objectContaining({
        code: "invalidRequest",
        status: 400,
        reason: "platformOff",
        message: expect.stringContaining("YouTube"),
      }),
    );
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
});

import { describe, expect, test } from "vitest";
import { mostBatchLinks } from "@reelscript/contract";
import { reelKey, reelLinksIn } from "../../src/pages/transcribe/reel-links.ts";

const reel = "https://www.instagram.com/reel/DQx7Kb2sV1n/";

describe("links of reels in pasted text", () => {
  test.each([
    [reel, [reel]],
    ["instagram.com/reel/DQx7Kb2sV1n", ["https://instagram.com/reel/DQx7Kb2sV1n"]],
    [`Watch this: ${reel}?igsh=NWN3&utm_source=ig_web_copy_link.`, [reel]],
    [`(${reel}), "https://www.instagram.com/p/DPv0aTqM9eX/"!`, [reel, "https://www.instagram.com/p/DPv0aTqM9eX/"]],
    ['<a href="https://www.instagram.com/reels/DPv0aTqM9eX/">x</a>', ["https://www.instagram.com/reels/DPv0aTqM9eX/"]],
    [
      "[a reel](https://www.instagram.com/lena.bakes/reel/DPv0aTqM9eX/)",
      ["https://www.instagram.com/lena.bakes/reel/DPv0aTqM9eX/"],
    ],
    [`https://l.instagram.com/?u=${encodeURIComponent(`${reel}?igsh=1`)}&e=AT0`, [reel]],
    [
      `https://www.google.com/url?q=${encodeURIComponent(`https://l.instagram.com/?u=${encodeURIComponent(reel)}`)}`,
      [reel],
    ],
    ["https://www.instagram.com/share/reel/BAoffHost1", ["https://www.instagram.com/share/reel/BAoffHost1"]],
    ["http://127.0.0.1:8788/reel/CenAusten01/", ["http://127.0.0.1:8788/reel/CenAusten01/"]],
    [
      "tiktok.com/@lena.bakes/video/7106798200794926362?lang=en",
      ["https://tiktok.com/@lena.bakes/video/7106798200794926362"],
    ],
    ["https://vm.tiktok.com/ZTR45GpSF/", ["https://vm.tiktok.com/ZTR45GpSF/"]],
    [
      "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=3 youtu.be/dQw4w9WgXcQ",
      ["https://www.youtube.com/shorts/dQw4w9WgXcQ"],
    ],
    ["https://us.tiktok.com/reel/DQx7Kb2sV1n/ https://www.youtube.com/reel/DQx7Kb2sV1n/", []],
    ["https://user:word@www.instagram.com/reel/DQx7Kb2sV1n/#x", [reel]],
    ["https://www.instagram.com/reel/A-b_C_/", ["https://www.instagram.com/reel/A-b_C_/"]],
    ["https://l.facebook.com/l.php?u=https%3A%2F%2Fyoutu.be%2FdQw4w9WgXcQ&h=1", ["https://youtu.be/dQw4w9WgXcQ"]],
    [`https://www.instagram.com/accounts/login/?next=%2Freel%2FDQx7Kb2sV1n%2F`, [reel]],
    [`${reel}\u200Byoutu.be/dQw4w9WgXcQ\u200E`, [reel, "https://youtu.be/dQw4w9WgXcQ"]],
    ["https://www.instagram.com./reel/DQx7Kb2sV1n/%E2%80%8B", [reel]],
    ["https://www.youtube.com/watch?feature=share&amp;v=dQw4w9WgXcQ", ["https://www.youtube.com/shorts/dQw4w9WgXcQ"]],
    ["https://youtu.be/dQw4w9WgXcQ&feature=channel", ["https://www.youtube.com/shorts/dQw4w9WgXcQ"]],
    ["someone@instagram.com/reel/DQx7Kb2sV1n is no link", []],
    ["https://www.instagram.com/reels/audio/123/", []],
    ["https://www.instagram.com/lena.bakes/", []],
    ["no link at all", []],
    ["https://", []],
  ])("in %j", (text, reels) => {
    expect(reelLinksIn(text).reels).toEqual(reels);
  });

  test("are each taken once, whatever their shape", () => {
    const text = `${reel} https://www.instagram.com/p/DQx7Kb2sV1n/?img_index=1 instagram.com/reels/DQx7Kb2sV1n`;
    expect(reelLinksIn(text).reels).toEqual([reel]);
    expect(reelKey("https://www.instagram.com/p/DQx7Kb2sV1n/")).toBe(reelKey(reel));
  });

  test("are told apart from others, and are not endless", () => {
    expect(reelLinksIn(`https://shop.example/x ${reel}`)).toEqual({
      reels: [reel],
      rest: [],
      duplicates: 0,
      others: ["https://shop.example/x"],
      plainLines: [],
    });
    const many = Array.from(
      { length: mostBatchLinks + 9 },
      (_, index) => `https://www.instagram.com/reel/Code${index}/`,
    );
    const { reels, rest } = reelLinksIn(many.join("\n"));
    expect(reels).toHaveLength(mostBatchLinks);
    expect([...reels, ...rest]).toEqual(many);
  });

  test("that wrap each other for ever come to an end", () => {
    let url = reel;
    for (let depth = 0; depth < 9; depth += 1) url = `https://out.example/?u=${encodeURIComponent(url)}`;
    expect(reelLinksIn(url)).toEqual({ reels: [], rest: [], duplicates: 0, others: [url], plainLines: [] });
  });

  test("leave lines without any link, each once", () => {
    const text = `Reels for Monday\r\n${reel}\n\n  DPv0aTqM9eX \nDPv0aTqM9eX\nsee ${reel} too\nhttps://shop.example/x`;
    expect(reelLinksIn(text).plainLines).toEqual(["Reels for Monday", "DPv0aTqM9eX"]);
  });
});

import { BioContent, operations } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import { readBioContent } from "../../src/adapters/database/bio/read-bio-content.ts";

const patch = (change: unknown) => operations.updateBioPage.input.safeParse(change);
const link = (title: string) => ({ title, url: "https://example.com/" });

describe("words of a bio page", () => {
  test("lose what would turn their direction, and keep what writing needs", () => {
    const turned = "\u202Egnp.exe\u202C \u2066x\u2069";
    const read = patch({ displayName: turned, bio: `a\n${turned}`, links: [link(turned)], seo: { title: turned } });
    expect(read.data).toMatchObject({
      displayName: "gnp.exe x",
      bio: "a\ngnp.exe x",
      links: [{ title: "gnp.exe x" }],
      seo: { title: "gnp.exe x" },
    });
    for (const displayName of ["می\u200Cخواهم", "क्\u200Dष", "👩\u200D🍳 Lena", "וליד\u200F!"])
      expect(patch({ displayName: displayName }).data?.displayName).toBe(displayName);
  });

  test.each(["\u200B", "\u3164", "\u2800\u00AD", "\u202E\u202C", " \u00A0", "\u0301"])(
    "cannot be invisible: %j",
    (nothing) => {
      expect(patch({ displayName: nothing }).success).toBe(false);
      expect(patch({ links: [link(nothing)] }).success).toBe(false);
    },
  );

  test.each([
    "Reelscript",
    "Reelsсript Support",
    "R e e l s c r i p t",
    "ReeIscript",
    "REELSCRIРT",
    "Rééĺscript",
    "𝐑𝐞𝐞𝐥𝐬𝐜𝐫𝐢𝐩𝐭",
    "Ｒｅｅｌｓｃｒｉｐｔ",
    "Reel\u200Bscript",
    "Ree1\u202Escript",
    "ʀᴇᴇʟꜱᴄʀɪᴘᴛ",
    "Reełscript",
    "Ɍɇɇłꞩȼɍɨᵽŧ",
    "ɽɛɛʟʂɕɾɩƥƭ",
    "ᎡᎬᎬᏞᏚᏟᎡᏆᏢᎢ",
    "🅁🄴🄴🄻🅂🄲🅁🄸🄿🅃",
    "🅡🅔🅔🅛🅢🅒🅡🅘🅟🅣",
    "🆁🅴🅴🅻🆂🅲🆁🅸🅿🆃",
    "🇷🇪🇪🇱🇸🇨🇷🇮🇵🇹",
  ])("cannot pass for this service: %s", (displayName) => {
    const { error } = patch({ displayName });
    expect(error?.issues[0]?.message).toBe("must not look like the name of this service");
  });

  test.each(["Лена Рид", "Reel Scripted by Ana", "Ελένη", "Script Doctor", "Mrs. Reel"])(
    "may be anybody's: %s",
    (displayName) => expect(patch({ displayName }).success).toBe(displayName !== "Reel Scripted by Ana"),
  );

  test("may be in a link's host, however often it is read", () => {
    const links = [{ title: "Books", url: "https://bücher.example/ü" }];
    const refused = Array.from({ length: 5_000 }, () => patch({ links })).filter(({ success }) => !success);
    expect(refused).toEqual([]);
    expect(patch({ links: [{ title: "x", url: "https://[/" }] }).success).toBe(false);
  });

  test("that were stored before cannot make a page unreadable", () => {
    const stored = {
      displayName: "\u3164",
      links: [
        { id: "lnk_1", ...link("\u200B") },
        { id: "lnk_2", ...link("\u202EShop") },
      ],
      seo: { title: "\u200B" },
    };
    const content = readBioContent(stored);
    expect(content.links).toMatchObject([
      { title: "Untitled", enabled: false },
      { title: "Shop", enabled: true },
    ]);
    expect([content.displayName, content.seo.title]).toEqual([null, null]);
    expect(readBioContent({})).toEqual(BioContent.parse({}));
  });
});

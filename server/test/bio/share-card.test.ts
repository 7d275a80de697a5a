import { BioContent } from "@reelscript/contract";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { drawShareCard } from "../../src/adapters/pictures/draw-share-card.ts";
import { writable } from "../../src/adapters/pictures/card-text.ts";
import { shareCardOf } from "../../src/bio-page/share-card.ts";
import { createShowShareCard } from "../../src/features/bio/show-share-card.ts";
import { presets } from "../bio-page/sample-page.ts";
import { ask } from "../harness/ask.ts";
import { giveSession } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const cardOf = (content: unknown) => shareCardOf(BioContent.parse(content), "ana.coffee");

describe("the picture of a link", () => {
  test("is 1200 by 630 pixels, small, and different for every look", async () => {
    const seen = new Set<string>();
    for (const preset of presets) {
      const bytes = await drawShareCard(cardOf({ displayName: "Ana Souza", bio: "Coffee.", theme: { preset } }));
      const { format, width, height } = await sharp(bytes).metadata();
      expect({ format, width, height }, preset).toEqual({ format: "jpeg", width: 1_200, height: 630 });
      expect(bytes.byteLength, preset).toBeLessThan(200_000);
      seen.add(Buffer.from(bytes).toString("base64"));
    }
    expect(seen.size).toBe(presets.length);
  });

  test.each([
    [`</span><b>"'&<script>`, "x".repeat(60)],
    ["வணக்கம் ".repeat(7), "مرحبا ".repeat(10)],
    ["東京の料理", "🍞🥐"],
    ["&amp; &#0; %n %s", "Z\u0301\u0302\u0303a\u0301\u0302lgo"],
  ])("can be drawn of hostile and long words: %s and %s", async (displayName, words) => {
    const card = cardOf({ displayName, bio: words.repeat(4).slice(0, 300) });
    expect((await sharp(await drawShareCard(card)).metadata()).width).toBe(1_200);
  });

  test("says only what the fonts can write", () => {
    expect(["Ana 🍞 Souza", "Ștefan Škoda", "Zoë’s “café”", "आरव", "東京", "Привет", "🍞"].map(writable)).toEqual([
      "Ana Souza",
      "Stefan Skoda",
      "Zoë’s “café”",
      "आरव",
      undefined,
      undefined,
      "",
    ]);
  });

  test("is drawn once for any number of requests, never if unpublished", async () => {
    const content = BioContent.parse({ displayName: "Ana" });
    const { shareCardTag } = await import("../../src/bio-page/share-card.ts");
    const tag = shareCardTag(shareCardOf(content, "ana"));
    let drawn = 0;
    const page = { id: "bio_1", handle: "ana", content, revision: 1, updatedAt: null, takenDownAt: null };
    const show = createShowShareCard({
      publicBioPages: {
        resolve: async (handle) =>
          handle === "ana" ? { kind: "page", bioId: "bio_1", revision: 1 } : { kind: "free" },
        read: async () => page,
        findLink: () => expect.fail("not asked for"),
      },
      bioImages: {
        keep: () => expect.fail("not asked for"),
        owned: () => expect.fail("not asked for"),
        read: () => expect.fail("the page has no portrait"),
      },
      clock: { now: () => new Date() },
      draw: async () => {
        drawn += 1;
        return new Uint8Array([1]);
      },
    });
    await Promise.all(Array.from({ length: 20 }, () => show("ana", tag)));
    expect(await show("ana", "0123456789abcdef")).toEqual({ kind: "moved", path: `/@ana/card-${tag}.jpg` });
    await expect(show("bea", tag)).rejects.toMatchObject({ code: "notFound" });
    expect(drawn).toBe(1);
  });
});

describe("over HTTP", () => {
  const service = serviceOfTests({ transcriber: null });

  test("the picture shows the portrait that was uploaded, in every look", async () => {
    const person = await giveSession(service, { email: "portrait@example.com" });
    await person.api("claimBioHandle", { handle: "portrait.owner" });
    const red = await sharp({ create: { width: 400, height: 500, channels: 3, background: "#ee0000" } })
      .png()
      .toBuffer();
    const uploaded = await person.jar.fetch(`${service.url}/app/bio/images`, {
      method: "POST",
      headers: { "content-type": "image/png", origin: service.url },
      body: new Uint8Array(red),
    });
    const { url: avatarUrl } = (await uploaded.json()) as { url: string };
    for (const preset of presets) {
      await person.api("updateBioPage", { displayName: "Ana", avatarUrl, theme: { preset } });
      const { text } = await ask(service.url, "/@portrait.owner");
      const [, address = ""] = /property="og:image" content="([^"]+)"/.exec(text) ?? [];
      const { bytes } = await ask(service.url, new URL(address).pathname);
      const { data } = await sharp(bytes)
        .extract({ left: 190, top: 300, width: 1, height: 1 })
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect([data[0]! > 200, data[1]! < 60, data[2]! < 60], preset).toEqual([true, true, true]);
    }
  });

  test("the page names its permanently cacheable picture; other addresses lead to it", async () => {
    const person = await giveSession(service, { email: "card@example.com" });
    await person.api("claimBioHandle", { handle: "card.owner" });
    await person.api("updateBioPage", { displayName: "Ana Souza" });
    const cardPath = async () => {
      const { text } = await ask(service.url, "/@card.owner");
      const [, address = ""] = /property="og:image" content="([^"]+)"/.exec(text) ?? [];
      expect(address.startsWith(`${service.url}/@card.owner/card-`)).toBe(true);
      return new URL(address).pathname;
    };
    const path = await cardPath();
    const picture = await ask(service.url, path, { host: "evil.example" });
    expect([picture.status, picture.headers["content-type"], picture.headers["cache-control"]]).toEqual([
      200,
      "image/jpeg",
      "public, max-age=31536000, immutable",
    ]);
    expect((await sharp(picture.bytes).metadata()).width).toBe(1_200);
    await person.api("updateBioPage", { displayName: "Ana Lima" });
    const next = await cardPath();
    expect(next).not.toBe(path);
    await person.api("claimBioHandle", { handle: "card.owner2" });
    for (const old of [path, next]) {
      const moved = await ask(service.url, old);
      expect([moved.status, moved.headers["cache-control"]]).toEqual([302, "public, max-age=0, s-maxage=60"]);
      expect(moved.headers.location).toMatch(/^\/@card\.owner2\/card-[\w-]{16}\.jpg$/);
      expect((await ask(service.url, String(moved.headers.location))).status).toBe(200);
    }
    for (const none of ["/@nobody/card-0123456789abcdef.jpg", "/@card.owner2/card-x.jpg", "/@card.owner2/../x"])
      expect((await ask(service.url, none)).status).toBe(404);
  });
});

import { describe, expect, test } from "vitest";
import sharp from "sharp";
import { createScriptedTranscriber } from "../harness/scripted-transcriber.ts";
import { signInNew } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const opensPerHour = 40;
const segments = [
  { start: 0, end: 5, text: "The same sentence for every reel." },
  { start: 6, end: 14, text: "Then a second one follows." },
  { start: 14, end: 24, text: "One two three four five six seven eight nine ten." },
  { start: 24, end: 30, text: "Nobody without an account reads this." },
];
const transcriber = createScriptedTranscriber();
const service = serviceOfTests({
  transcriber,
  trustProxy: true,
  rateLimits: { address: opensPerHour },
});

/** Somebody who shares a script. */
async function aSharer() {
  const person = await signInNew(service);
  const url = service.newReel({ handle: "cook.daily" });
  transcriber.tell({ text: segments.map(({ text }) => text).join(" "), segments });
  expect((await person.api("transcribeReel", { url })).status).toBe(200);
  const { id } = (await person.api("searchMyScripts")).body.scripts[0];
  const { link } = (await person.api("createShareLink", { id })).body;
  return { person, id, link, reel: url };
}

let networks = 0;
const aNetwork = (): string => `198.51.100.${(networks += 1)}`;
const open = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { headers: { accept: "text/html", ...headers } });

describe("a reel that people without an account paste", () => {
  const paste = (url: string, headers: Record<string, string> = {}) =>
    fetch(`${service.url}/try?${new URLSearchParams({ url }).toString()}`, {
      redirect: "manual",
      headers: { accept: "text/html", "x-forwarded-for": aNetwork(), ...headers },
    });
  const signIn = (url: string): string =>
    `/app/sign-in?${new URLSearchParams({ return_to: `/app/transcribe?${new URLSearchParams({ urls: url }).toString()}` }).toString()}`;

  test("shows 15 seconds of a transcribed reel, and keeps the link", async () => {
    const { reel } = await aSharer();
    const page = await paste(reel);
    const html = await page.text();
    expect([page.status, page.headers.get("cache-control"), page.headers.get("x-robots-tag")]).toEqual([
      200,
      "no-store",
      "noindex",
    ]);
    expect(html).toContain("Then a second one follows.");
    expect(html, "a tenth of the third line").toContain(">One…<");
    expect(html).not.toMatch(/two three|Nobody without an account/);
    expect(html.replaceAll("&amp;", "&")).toContain(`href="${signIn(reel)}"`);
    expect(page.headers.getSetCookie()).toEqual([]);
  });

  test("leads to sign-in if it is uncached, taken down or invalid", async () => {
    const { person, id, reel } = await aSharer();
    const { transcript } = (await service.store.scripts.find(person.accountId, id))!;
    const { platform, mediaId } = transcript.reel as unknown as { platform: string; mediaId: string };
    const decision = { by: "operator", reason: "asked", now: new Date() };
    await service.store.moderation.takeDown({ platform, mediaId, url: reel, shortcode: "" }, decision);
    for (const url of [reel, service.newReel({ handle: "cook.daily" }), "not a link", "https://evil.example/reel/x/"]) {
      const { status, headers } = await paste(url);
      expect([url, status, headers.get("location")]).toEqual([url, 302, signIn(url)]);
    }
    const { headers } = await paste(reel, { cookie: "reelscript_session=x" });
    expect(headers.get("location")).toBe(`/app/transcribe?${new URLSearchParams({ urls: reel }).toString()}`);
    const sample = await fetch(`${service.url}/try`, { headers: { accept: "text/html" } });
    expect(await sample.text()).toContain("Nobody tells you this about bread.");
  });

  test("is looked up only so often from one network", async () => {
    const from = { "x-forwarded-for": aNetwork() };
    const url = service.newReel();
    for (let tries = 0; tries < opensPerHour; tries += 1) expect((await paste(url, from)).status).toBe(302);
    expect((await paste(url, from)).status).toBe(429);
    expect((await paste(url)).status).toBe(302);
  });
});

describe("a share link", () => {
  test("shows the script to anybody, and leaves no trace", async () => {
    const { person, id, link, reel } = await aSharer();
    expect(link).toMatchObject({ scriptId: id, account: "cook.daily" });
    expect(new URL(link.url).pathname).toMatch(/^\/s\/[0-9A-Za-z]{43}$/);
    const page = await open(link.url);
    const html = await page.text();
    expect(page.status).toBe(200);
    const { transcript } = (await person.api("getScript", { id })).body;
    expect(html).toContain(transcript.slice(0, 20));
    expect(html).toContain(`href="${reel}" rel="noopener noreferrer nofollow"`);
    expect(html).not.toContain(person.email.split("@")[0]);
    expect(html.match(/<script[^>]*>/g)).toEqual([`<script src="/docs/shared-script.js" defer>`]);
    expect(html).not.toMatch(/<iframe|<video/);
    expect(html.match(/<h1/g), "one title").toHaveLength(1);
    expect(html.match(/class="action"/g), "one ink button").toHaveLength(1);
    expect(html).toContain("Transcribe your own reel");
    expect(Object.fromEntries(page.headers)).toMatchObject({
      "cache-control": "private, no-store",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex, nofollow, noarchive",
      "content-security-policy": expect.stringContaining("default-src 'none'"),
    });
    expect(page.headers.getSetCookie()).toEqual([]);
    expect((await person.api("createShareLink", { id })).body.link).toEqual(link);
    expect((await person.api("listShareLinks")).body).toEqual({ links: [link], limit: 100 });
    expect((await person.api("exportAccount")).body.shareLinks).toEqual([link]);
  });

  test("has a picture for chats, which ends with it", async () => {
    const { person, link } = await aSharer();
    const [, address = ""] = /property="og:image" content="([^"]+)"/.exec(await (await open(link.url)).text()) ?? [];
    expect(address).toBe(`${link.url}/card.jpg`);
    const picture = await fetch(address);
    expect([picture.headers.get("content-type"), picture.headers.get("cache-control")]).toEqual([
      "image/jpeg",
      "private, no-store",
    ]);
    const { width, height } = await sharp(Buffer.from(await picture.arrayBuffer())).metadata();
    expect([width, height]).toEqual([1_200, 630]);
    await person.api("revokeShareLink", { id: link.id });
    expect((await fetch(address)).status).toBe(404);
  });

  test("shows what was corrected, escaped", async () => {
    const { person, id, link } = await aSharer();
    const { version, segments } = (await person.api("getScriptCorrection", { id })).body;
    const texts = segments.map(() => `<img src=x onerror="alert(1)"> & so on`);
    expect((await person.api("correctScript", { id, ifVersion: version, texts })).status).toBe(200);
    const html = await (await open(link.url)).text();
    expect(html).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; so on");
    expect(html).not.toContain("<img");
    expect(html).toContain("corrected by the person who shared it");
  });

  test.each(["revoked", "deleted", "suspended", "taken down", "account gone"])("ends when it is %s", async (how) => {
    const { person, id, link, reel } = await aSharer();
    const now = new Date();
    const decision = { by: "operator", reason: "asked", now };
    if (how === "revoked") expect((await person.api("revokeShareLink", { id: link.id })).status).toBe(200);
    if (how === "deleted") expect((await person.api("deleteScript", { id })).status).toBe(200);
    if (how === "suspended") await service.store.moderation.suspend(person.accountId, decision);
    if (how === "taken down") {
      const { transcript } = (await service.store.scripts.find(person.accountId, id))!;
      const { platform, mediaId } = transcript.reel as unknown as { platform: string; mediaId: string };
      await service.store.moderation.takeDown({ platform, mediaId, url: reel, shortcode: "" }, decision);
    }
    if (how === "account gone") await service.store.accounts.remove(person.accountId, now);
    const page = await open(link.url);
    expect(page.status).toBe(404);
    expect(await page.text()).toContain("This link doesn’t work");
    expect(page.headers.get("x-robots-tag")).toBe("noindex");
    const json = await fetch(link.url, { headers: { accept: "application/json" } });
    expect([json.status, await json.json()]).toMatchObject([404, { error: { code: "notFound" } }]);
    if (how !== "revoked") return;
    expect((await person.api("revokeShareLink", { id: link.id })).status).toBe(404);
    const { link: next } = (await person.api("createShareLink", { id })).body;
    expect(next.url).not.toBe(link.url);
    expect((await open(next.url)).status).toBe(200);
  });

  test("is nobody else's to make, list or revoke", async () => {
    const { id, link } = await aSharer();
    const stranger = await aSharer();
    for (const [name, input] of [
      ["createShareLink", { id }],
      ["createShareLink", { id: "scr_nothing" }],
      ["revokeShareLink", { id: link.id }],
    ] as const)
      expect((await stranger.person.api(name, input)).status).toBe(404);
    expect((await stranger.person.api("listShareLinks")).body.links).toHaveLength(1);
    expect((await open(link.url)).status).toBe(200);
  });

  test("can't be guessed, and none has more than the limit", async () => {
    const { person, id, link } = await aSharer();
    for (const wrong of [
      `${link.url}x`,
      link.url.slice(0, -1),
      `${service.url}/s/%00`,
      `${service.url}/s/${"A".repeat(43)}`,
    ])
      expect((await open(wrong)).status, wrong).toBe(404);
    const { accountId } = person;
    const now = new Date();
    await person.api("revokeShareLink", { id: link.id });
    const create = (token: string, most: number) =>
      service.store.shareLinks.create({ accountId, scriptId: id, token, most, now });
    expect(await create("first", 0)).toBe("full");
    const newLinks = await Promise.all(["a", "b", "c"].map((token) => create(token.repeat(43), 1)));
    expect(new Set(newLinks.map((one) => (typeof one === "string" ? one : one.token))).size).toBe(1);
  });

  test("is opened only so often from one network", async () => {
    const { link } = await aSharer();
    const from = { "x-forwarded-for": aNetwork() };
    for (let tries = 0; tries < opensPerHour; tries += 1) expect((await open(link.url, from)).status).toBe(200);
    expect((await open(link.url, from)).status).toBe(429);
    expect((await open(link.url, { "x-forwarded-for": aNetwork() })).status).toBe(200);
  });
});

import { readFileSync } from "node:fs";
import { siteName, trafficSources } from "@reelscript/contract/values";
import { describe, expect, test } from "vitest";
import {
  browserOf,
  deviceOf,
  judgeBioRequest,
  visitorOf,
  type BioRequest,
} from "../../src/features/bio/visits/judge-bio-request.ts";
import { sourceOf } from "../../src/features/bio/visits/source-of.ts";

/** How browsers of people and programs name themselves; with the app whose own browser it is. */
const [, ...seen] = readFileSync(new URL("user-agents.tsv", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => {
    const [device = "", app = "", userAgent = ""] = line.split("\t");
    return { device, app: app || null, userAgent };
  });

const iphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1";
const pixelInInstagram =
  "Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP1A.240505.005; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/124.0.6367.82 Mobile Safari/537.36 Instagram 332.0.0.38.90 Android (34/14; 420dpi; 1080x2148; Google/google; Pixel 8; shiba; shiba; en_US; 600000000)";
const request = (userAgent: string | undefined, changes: Partial<BioRequest> = {}): BioRequest => ({
  bioId: "bio_1",
  linkId: null,
  method: "GET",
  network: "203.0.113.7",
  host: "reelscript.example",
  owner: false,
  country: null,
  ...changes,
  headers: { "user-agent": userAgent, ...changes.headers },
});

test.each(seen.filter(({ device }) => device !== "machine"))(
  "$userAgent is a person’s, of kind $device, from $app",
  ({ userAgent, device, app }) => {
    expect(judgeBioRequest(request(userAgent))).toBe("counted");
    expect(deviceOf(request(userAgent))).toBe(device);
    expect(sourceOf(request(userAgent, { headers: { referer: "https://reelscript.example/@ana" } }))).toBe(app);
  },
);

const machines = seen.filter(({ device }) => device === "machine").map(({ userAgent }) => userAgent);
test.each([undefined, "", " ", ...machines])("a machine’s: %s", (userAgent) =>
  expect(judgeBioRequest(request(userAgent))).toBe("bots"),
);

test.each(["HEAD", "OPTIONS", "POST"])("%s asks for no content, and is not even told apart", (method) => {
  expect(judgeBioRequest(request(iphone, { method }))).toBeUndefined();
  expect(judgeBioRequest(request("curl/8.5.0", { method, owner: true }))).toBeUndefined();
});

test.each([
  ["sec-purpose", "prefetch"],
  ["sec-purpose", "prefetch;prerender"],
  ["sec-purpose", "prefetch;anonymous-client-ip"],
  ["purpose", "prefetch"],
  ["x-purpose", "preview"],
  ["x-moz", "prefetch"],
])("%s: %s is a prefetch, even the owner's; bots' count as bots", (name, value) => {
  expect(judgeBioRequest(request(iphone, { headers: { [name]: value } }))).toBe("prefetch");
  expect(judgeBioRequest(request(iphone, { headers: { [name]: value }, owner: true }))).toBe("prefetch");
  expect(judgeBioRequest(request("curl/8.5.0", { headers: { [name]: value } }))).toBe("bots");
});

test("the owner is told apart", () => expect(judgeBioRequest(request(iphone, { owner: true }))).toBe("owner"));

describe("a visitor", () => {
  const salt = new Uint8Array(32).fill(7);
  const hash = (changes: Partial<BioRequest> = {}, userAgent = iphone, by = salt) => {
    const visit = request(userAgent, changes);
    return Buffer.from(visitorOf(by, visit.bioId, browserOf(visit))).toString("hex");
  };

  test("is 8 bytes that depend on browser, network, page and salt", () => {
    expect(hash()).toMatch(/^[0-9a-f]{16}$/);
    expect(hash({ linkId: "lnk_1", headers: { referer: "https://t.co/" } })).toBe(hash());
    const others = [
      hash({}, pixelInInstagram),
      hash({ network: "203.0.113.8" }),
      hash({ bioId: "bio_2" }),
      hash({}, iphone, new Uint8Array(32).fill(8)),
    ];
    expect(new Set([hash(), ...others]).size).toBe(5);
  });

  test("cannot be confused by where one part ends", () => {
    expect(hash({ network: "2" }, "3")).not.toBe(hash({ network: "23" }, ""));
  });
});

test.each([
  [undefined, null],
  ["", null],
  ["no url", null],
  ["https://www.Instagram.com/ana/?x=1", "instagram.com"],
  ["https://l.instagram.com/", "instagram.com"],
  ["http://t.co:8080/x", "x.com"],
  ["http://t.co./x", "x.com"],
  ["android-app://com.example.reader/", "com.example.reader"],
  ["https://m.example.com/", "example.com"],
  ["https://reelscript.example/@ana", null],
  ["javascript:alert(1)", null],
  [`https://${"a".repeat(260)}/`, null],
])("who comes from %s comes from %s", (referer, source) => {
  expect(sourceOf(request(iphone, { headers: { referer } }))).toBe(source);
});

test.each([
  ["android-app://com.zhiliaoapp.musically/", "tiktok.com", "TikTok"],
  ["android-app://com.zhiliaoapp.musically.go/", "tiktok.com", "TikTok"],
  ["android-app://com.ss.android.ugc.trill/", "tiktok.com", "TikTok"],
  ["https://m.tiktok.com/", "tiktok.com", "TikTok"],
  ["https://vm.tiktok.com/ZM1/", "tiktok.com", "TikTok"],
  ["android-app://com.google.android.gm/", "mail.google.com", "Gmail"],
  ["android-app://com.google.android.gm/https/mail.google.com", "mail.google.com", "Gmail"],
  ["https://mail.google.com/", "mail.google.com", "Gmail"],
  ["android-app://com.google.android.googlequicksearchbox/", "google.com", "Google"],
  ["https://www.google.co.in/", "google.com", "Google"],
  ["https://docs.google.com/", "docs.google.com", "docs.google.com"],
  ["android-app://com.twitter.android/", "x.com", "X"],
  ["https://mobile.twitter.com/", "x.com", "X"],
  ["android-app://com.pinterest/", "pinterest.com", "Pinterest"],
  ["https://in.pinterest.com/", "pinterest.com", "Pinterest"],
  ["https://www.pinterest.co.uk/", "pinterest.com", "Pinterest"],
  ["android-app://com.snapchat.android/", "snapchat.com", "Snapchat"],
  ["android-app://com.whatsapp.w4b/", "whatsapp.com", "WhatsApp"],
  ["https://api.whatsapp.com/", "whatsapp.com", "WhatsApp"],
  ["https://wa.me/1", "whatsapp.com", "WhatsApp"],
  ["android-app://org.telegram.messenger/", "telegram.org", "Telegram"],
  ["https://t.me/", "telegram.org", "Telegram"],
  ["android-app://com.reddit.frontpage/", "reddit.com", "Reddit"],
  ["https://out.reddit.com/", "reddit.com", "Reddit"],
  ["https://old.reddit.com/", "reddit.com", "Reddit"],
  ["android-app://com.facebook.lite/", "facebook.com", "Facebook"],
  ["https://lm.facebook.com/", "facebook.com", "Facebook"],
  ["https://mbasic.facebook.com/", "facebook.com", "Facebook"],
  ["android-app://com.facebook.orca/", "messenger.com", "Messenger"],
  ["android-app://com.instagram.barcelona/", "threads.net", "Threads"],
  ["https://www.threads.com/", "threads.net", "Threads"],
  ["android-app://com.instagram.android/", "instagram.com", "Instagram"],
  ["https://m.youtube.com/", "youtube.com", "YouTube"],
  ["https://youtu.be/x", "youtube.com", "YouTube"],
  ["android-app://com.linkedin.android/", "linkedin.com", "LinkedIn"],
  ["https://notfacebook.com/", "notfacebook.com", "notfacebook.com"],
  ["https://facebook.com.evil.example/", "facebook.com.evil.example", "facebook.com.evil.example"],
])("%s is counted as %s and shown as %s", (referer, site, name) => {
  expect(sourceOf(request(iphone, { headers: { referer } }))).toBe(site);
  expect(siteName(site)).toBe(name);
});

test("no two platforms claim the same host, package, utm name or mark", () => {
  for (const kind of ["hosts", "packages", "utm", "marks"] as const) {
    const all = trafficSources.flatMap((source) => source[kind]);
    expect(all.filter((one, index) => all.indexOf(one) !== index)).toEqual([]);
    expect(all.filter((one) => one !== one.toLowerCase())).toEqual([]);
  }
});

describe("on the way from the page itself", () => {
  const from = (query: string, userAgent = iphone) =>
    sourceOf(request(userAgent, { headers: { referer: `https://reelscript.example/@ana?${query}` } }));

  test.each([
    ["utm_source=ig&utm_medium=social&utm_content=link_in_bio&fbclid=PAZ", "instagram.com"],
    ["utm_source=Instagram", "instagram.com"],
    ["utm_source=newsletter", "newsletter"],
    ["utm_source=www.example.com", "example.com"],
    ["igsh=MWQ1", "instagram.com"],
    ["igshid=NTc4", "instagram.com"],
    ["ttclid=E.C.P", "tiktok.com"],
    ["fbclid=IwZX", "facebook.com"],
    ["fbclid=IwZX&igsh=MWQ1", "instagram.com"],
    ["gclid=Cj0K", "google.com"],
    ["ref=somebody", null],
    ["utm_source=", null],
    ["utm_source=%3Cscript%3E", null],
    ["utm_source=constructor", "constructor"],
    [`utm_source=${"a".repeat(61)}`, null],
  ])("%s tells %s", (query, source) => expect(from(query)).toBe(source));

  test("an app outranks Meta's mark, and utm_source outranks the app", () => {
    expect(from("fbclid=IwZX", pixelInInstagram)).toBe("instagram.com");
    expect(from("utm_source=newsletter", pixelInInstagram)).toBe("newsletter");
  });

  test("the page's report outranks everything except the owner's tag", () => {
    const sourceWith = (query: string, linked: string, userAgent = iphone) =>
      sourceOf(request(userAgent, { headers: { referer: `https://reelscript.example/@ana?${query}` }, from: linked }));
    expect(sourceWith("", "https://www.instagram.com")).toBe("instagram.com");
    expect(sourceWith("", "android-app://com.zhiliaoapp.musically")).toBe("tiktok.com");
    expect(sourceWith("utm_source=newsletter", "https://www.instagram.com")).toBe("newsletter");
    expect(sourceWith("fbclid=IwZX", "https://linktr.ee", pixelInInstagram)).toBe("linktr.ee");
    for (const nothing of ["", "https://reelscript.example", "javascript:alert(1)", "%"])
      expect(sourceWith("igsh=MWQ1", nothing)).toBe("instagram.com");
  });

  test("the address of another site tells nothing by its query", () => {
    const referer = "https://evil.example/?utm_source=ig";
    expect(sourceOf(request(iphone, { headers: { referer } }))).toBe("evil.example");
  });
});

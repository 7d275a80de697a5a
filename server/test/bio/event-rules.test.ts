import { describe, expect, test } from "vitest";
import { deviceOf, judge, referrerOf, visitorOf, type BioRequest } from "../../src/features/bio/event-rules.ts";

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

describe("people", () => {
  test.each([
    iphone,
    pixelInInstagram,
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/21F79 [FBAN/FBIOS;FBAV/465.0.0;FBDV/iPhone14,5]",
    "Mozilla/5.0 (Linux; Android 11; CUBOT X50 Build/RP1A) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0",
    "Mozilla/5.0 (Linux; Android 13; SM-A546B) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/120.0.0.0 Mobile Safari/537.36 musical_ly_2023 BytedanceWebview/d8a21c6",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 16_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) GSA/260.0 Mobile/15E148 Safari/604.1",
    "Opera/9.80 (J2ME/MIDP; Opera Mini/9.80; U; en) Presto/2.12 Version/12.16",
  ])("are counted: %s", (userAgent) => expect(judge(request(userAgent))).toBe("counted"));
});

describe("machines", () => {
  test.each([
    undefined,
    "",
    " ",
    "curl/8.5.0",
    "python-requests/2.32.0",
    "WhatsApp/2.24.11.78 A",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "Mozilla/5.0 (compatible; facebookexternalhit/1.1)",
    "meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
    "Mozilla/5.0 (compatible; meta-webindexer/1.1)",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 (compatible; Google-InspectionTool/1.0)",
    "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)",
    "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
    "Twitterbot/1.0",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)",
    "Mozilla/5.0 (Linux; Android 10) thirdLandingPageFeInfra",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/126.0.0.0 Safari/537.36",
  ])("are bots: %s", (userAgent) => expect(judge(request(userAgent))).toBe("bots"));
});

test.each(["HEAD", "OPTIONS", "POST"])("%s asks for no content, and is not even told apart", (method) => {
  expect(judge(request(iphone, { method }))).toBeUndefined();
  expect(judge(request("curl/8.5.0", { method, owner: true }))).toBeUndefined();
});

test.each([
  ["sec-purpose", "prefetch"],
  ["sec-purpose", "prefetch;prerender"],
  ["sec-purpose", "prefetch;anonymous-client-ip"],
  ["purpose", "prefetch"],
  ["x-purpose", "preview"],
  ["x-moz", "prefetch"],
])("%s: %s is a prefetch, also the owner's; a bot's is a bot's", (name, value) => {
  expect(judge(request(iphone, { headers: { [name]: value } }))).toBe("prefetch");
  expect(judge(request(iphone, { headers: { [name]: value }, owner: true }))).toBe("prefetch");
  expect(judge(request("curl/8.5.0", { headers: { [name]: value } }))).toBe("bots");
});

test("the owner is told apart", () => expect(judge(request(iphone, { owner: true }))).toBe("owner"));

describe("a visitor", () => {
  const salt = new Uint8Array(32).fill(7);
  const hash = (changes: Partial<BioRequest> = {}, userAgent = iphone, by = salt) =>
    Buffer.from(visitorOf(by, request(userAgent, changes))).toString("hex");

  test("is 8 bytes, the same for the same browser, network and page under the same salt alone", () => {
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
    expect(hash({ bioId: "bio_1", network: "2" })).not.toBe(hash({ bioId: "bio_12", network: "" }));
  });
});

test.each([
  ["mobile", iphone],
  ["mobile", pixelInInstagram],
  ["mobile", "Opera/9.80 (J2ME/MIDP; Opera Mini/9.80; U; en) Presto/2.12 Version/12.16"],
  [
    "tablet",
    "Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 Version/12.1 Mobile/15E148 Safari/604.1",
  ],
  [
    "tablet",
    "Mozilla/5.0 (Linux; Android 13; SM-X700) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36",
  ],
  ["desktop", "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.4 Safari/605.1.15"],
  ["desktop", "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/125.0 Safari/537.36"],
  ["unknown", "Mozilla/5.0 (PlayStation; PlayStation 5/2.26) AppleWebKit/605.1.15"],
])("a %s is %s", (device, userAgent) => expect(deviceOf(request(userAgent))).toBe(device));

test.each([
  [undefined, null],
  ["", null],
  ["no url", null],
  ["https://www.Instagram.com/ana/?x=1", "instagram.com"],
  ["https://l.instagram.com/", "l.instagram.com"],
  ["http://t.co:8080/x", "t.co"],
  ["android-app://com.google.android.gm/", "com.google.android.gm"],
  ["https://reelscript.example/@ana", null],
  ["javascript:alert(1)", null],
  [`https://${"a".repeat(260)}/`, null],
])("the referrer %s is %s", (referer, host) => {
  expect(referrerOf(request(iphone, { headers: { referer } }))).toBe(host);
});

interface SeenUserAgent {
  readonly from: string;
  readonly userAgent: string;
  readonly device: "mobile" | "tablet" | "desktop" | "unknown";
  /** Where an app's own browser says that the visitor came from. */
  readonly app?: string;
}

const appleWebKit = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
const chromium = "AppleWebKit/537.36 (KHTML, like Gecko)";
const iphone = (rest: string, version = "17_5"): string =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${version} like Mac OS X) ${appleWebKit} ${rest}`;
const android = (device: string, rest: string): string => `Mozilla/5.0 (Linux; Android ${device}) ${chromium} ${rest}`;

const phone = (from: string, userAgent: string, app?: string): SeenUserAgent => ({
  from,
  userAgent,
  device: "mobile",
  ...(app !== undefined && { app }),
});
const other = (device: SeenUserAgent["device"], from: string, userAgent: string): SeenUserAgent => ({
  from,
  userAgent,
  device,
});

/** Browsers of people, as they name themselves. */
export const people: readonly SeenUserAgent[] = [
  phone("Safari on an iPhone", iphone("Version/17.5 Mobile/15E148 Safari/604.1")),
  phone("Safari on iOS 26", iphone("Version/26.0 Mobile/15E148 Safari/604.1", "18_6")),
  phone("Chrome on an iPhone", iphone("CriOS/126.0.6478.54 Mobile/15E148 Safari/604.1")),
  phone("Firefox on an iPhone", iphone("FxiOS/127.0 Mobile/15E148 Safari/605.1.15")),
  phone("Edge on an iPhone", iphone("Version/17.0 EdgiOS/125.0.2535.96 Mobile/15E148 Safari/605.1.15")),
  phone("DuckDuckGo on an iPhone", iphone("Version/17.5 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15")),
  phone("Chrome on Android", android("10; K", "Chrome/126.0.0.0 Mobile Safari/537.36")),
  phone("Firefox on Android", "Mozilla/5.0 (Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0"),
  phone(
    "Samsung Internet",
    android("14; SAMSUNG SM-S918B", "SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36"),
  ),
  phone("Opera on Android", android("13; SM-A536E", "Chrome/124.0.0.0 Mobile Safari/537.36 OPR/82.3.4342.79457")),
  phone("Edge on Android", android("10; HD1913", "Chrome/125.0.6422.165 Mobile Safari/537.36 EdgA/125.0.2535.87")),
  phone(
    "UC Browser",
    "Mozilla/5.0 (Linux; U; Android 12; en-US; RMX3491 Build/RKQ1.211119.001) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/100.0.4896.58 UCBrowser/13.7.2.1636 Mobile Safari/537.36",
  ),
  phone(
    "the browser of a Xiaomi",
    "Mozilla/5.0 (Linux; U; Android 13; en-gb; 2201117TG Build/TKQ1.221114.001) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/112.0.5615.136 Mobile Safari/537.36 XiaoMi/MiuiBrowser/14.4.0-g",
  ),
  phone(
    "a Cubot, which is a phone",
    "Mozilla/5.0 (Linux; Android 11; CUBOT X50 Build/RP1A) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36",
  ),
  phone("Opera Mini", "Opera/9.80 (J2ME/MIDP; Opera Mini/9.80; U; en) Presto/2.12 Version/12.16"),
  phone(
    "a feature phone with KaiOS",
    "Mozilla/5.0 (Mobile; LYF/F320B/LYF-F320B-001-01-15-130718-i; Android; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5",
  ),
  phone(
    "Instagram on an iPhone",
    iphone(
      "Mobile/21F79 Instagram 334.0.4.32.98 (iPhone14,5; iOS 17_5; en_US; en; scale=3.00; 1170x2532; 610418922; IABMV/1)",
    ),
    "instagram.com",
  ),
  phone(
    "Instagram on a Pixel, whose maker is Google",
    android(
      "14; Pixel 8 Build/AP1A.240505.005; wv",
      "Version/4.0 Chrome/124.0.6367.82 Mobile Safari/537.36 Instagram 332.0.0.38.90 Android (34/14; 420dpi; 1080x2148; Google/google; Pixel 8; shiba; shiba; en_US; 600000000)",
    ),
    "instagram.com",
  ),
  phone(
    "Instagram on a Samsung",
    android(
      "13; SM-G991B Build/TP1A.220624.014; wv",
      "Version/4.0 Chrome/125.0.6422.147 Mobile Safari/537.36 Instagram 333.0.0.42.91 Android (33/13; 480dpi; 1080x2176; samsung; SM-G991B; o1s; exynos2100; hi_IN; 604247854; IABMV/1)",
    ),
    "instagram.com",
  ),
  phone(
    "Threads on an iPhone",
    iphone(
      "Mobile/15E148 Barcelona 336.0.0.24.108 (iPhone15,2; iOS 17_5; en_US; en; scale=3.00; 1179x2556; 612345678)",
    ),
    "threads.net",
  ),
  phone(
    "Facebook on an iPhone",
    iphone(
      "Mobile/21F79 [FBAN/FBIOS;FBAV/465.0.0.39.103;FBBV/602060281;FBDV/iPhone14,5;FBMD/iPhone;FBSN/iOS;FBSV/17.5;FBSS/3;FBID/phone;FBLC/en_US;FBOP/5]",
    ),
    "facebook.com",
  ),
  phone(
    "Facebook on Android",
    android(
      "13; SM-A146U Build/TP1A.220624.014; wv",
      "Version/4.0 Chrome/125.0.6422.165 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/467.1.0.52.83;]",
    ),
    "facebook.com",
  ),
  phone(
    "Messenger on Android",
    android(
      "12; M2102J20SG Build/SKQ1.211006.001; wv",
      "Version/4.0 Chrome/125.0.6422.165 Mobile Safari/537.36 [FB_IAB/Orca-Android;FBAV/461.0.0.46.109;]",
    ),
    "messenger.com",
  ),
  phone(
    "TikTok on Android",
    android(
      "13; SM-A546B Build/TP1A; wv",
      "Version/4.0 Chrome/120.0.0.0 Mobile Safari/537.36 musical_ly_2023403030 JsSdk/1.0 NetType/WIFI Channel/googleplay AppName/musical_ly app_version/34.3.3 ByteLocale/en BytedanceWebview/d8a21c6",
    ),
    "tiktok.com",
  ),
  phone(
    "TikTok on an iPhone",
    iphone(
      "Mobile/15E148 musical_ly_34.5.0 JsSdk/2.0 NetType/4G Channel/App Store ByteLocale/es Region/ES BytedanceWebview/d8a21c6",
    ),
    "tiktok.com",
  ),
  phone("X on an iPhone", iphone("Mobile/15E148 Twitter for iPhone/10.44"), "x.com"),
  phone("LinkedIn on an iPhone", iphone("Mobile/21F79 [LinkedInApp]/9.29.7962"), "linkedin.com"),
  phone("Pinterest on an iPhone", iphone("Mobile/15E148 [Pinterest/iOS]"), "pinterest.com"),
  phone(
    "Snapchat on an iPhone",
    iphone("Version/17.5 Mobile/15E148 Safari/604.1 Snapchat/12.88.0.44 (like Safari/8618.2.12.10.9, panda)"),
    "snapchat.com",
  ),
  phone(
    "WeChat on Android",
    android(
      "12; V2049A Build/SP1A.210812.003; wv",
      "Version/4.0 Chrome/116.0.0.0 Mobile Safari/537.36 XWEB/1160117 MMWEBSDK/20240404 MicroMessenger/8.0.49.2600(0x2800313D) WeChat/arm64 Weixin NetType/WIFI Language/zh_CN ABI/arm64",
    ),
    "wechat.com",
  ),
  phone("KakaoTalk on an iPhone", iphone("Mobile/15E148 KAKAOTALK 10.8.2"), "kakao.com"),
  phone("Line on an iPhone", iphone("Mobile/15E148 Safari Line/14.8.0"), "line.me"),
  phone("the Google app on an iPhone", iphone("GSA/320.0.639184023 Mobile/15E148 Safari/604.1"), "google.com"),
  phone(
    "Telegram's own browser",
    android("14; 23021RAAEG", "Chrome/125.0.6422.113 Mobile Safari/537.36 Telegram-Android/10.14.3"),
  ),
  other(
    "tablet",
    "Safari on an old iPad",
    `Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) ${appleWebKit} Version/12.1 Mobile/15E148 Safari/604.1`,
  ),
  other("tablet", "Chrome on a Samsung tablet", android("13; SM-X700", "Chrome/126.0.0.0 Safari/537.36")),
  other(
    "tablet",
    "Silk on a Fire tablet",
    android("9; KFTRWI", "Silk/124.4.1 like Chrome/124.0.6367.124 Safari/537.36"),
  ),
  other("tablet", "Firefox on a tablet", "Mozilla/5.0 (Android 13; Tablet; rv:127.0) Gecko/127.0 Firefox/127.0"),
  other(
    "desktop",
    "Safari on a Mac, or on a new iPad, which says the same",
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${appleWebKit} Version/17.5 Safari/605.1.15`,
  ),
  other(
    "desktop",
    "Chrome on Windows",
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chromium} Chrome/126.0.0.0 Safari/537.36`,
  ),
  other(
    "desktop",
    "Edge on Windows",
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chromium} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0`,
  ),
  other(
    "desktop",
    "Firefox on Windows",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0",
  ),
  other(
    "desktop",
    "Firefox on Linux",
    "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:126.0) Gecko/20100101 Firefox/126.0",
  ),
  other(
    "desktop",
    "Chrome on a Chromebook",
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chromium} Chrome/125.0.0.0 Safari/537.36`,
  ),
  other(
    "desktop",
    "Opera on a Mac",
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${chromium} Chrome/124.0.0.0 Safari/537.36 OPR/110.0.0.0`,
  ),
  other(
    "unknown",
    "a PlayStation",
    `Mozilla/5.0 (PlayStation; PlayStation 5/2.26) ${appleWebKit} Version/13.0 Safari/605.1.15`,
  ),
];

/** Programs, as they name themselves. */
export const machines: readonly string[] = [
  "curl/8.5.0",
  "Wget/1.21.4",
  "python-requests/2.32.0",
  "Go-http-client/2.0",
  "okhttp/4.12.0",
  "axios/1.7.2",
  "node",
  "Java/17.0.11",
  "PostmanRuntime/7.39.0",
  "WhatsApp/2.24.11.78 A",
  "WhatsApp/2.2413.51 N",
  "TelegramBot (like TwitterBot)",
  "Viber/13.3.0.5 CFNetwork/1121.2.2 Darwin/19.2.0",
  "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
  "Mozilla/5.0 (compatible; facebookexternalhit/1.1)",
  "facebookcatalog/1.0",
  "meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)",
  "meta-externalfetcher/1.1",
  "Mozilla/5.0 (compatible; meta-webindexer/1.1)",
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "Mozilla/5.0 (compatible; Google-InspectionTool/1.0)",
  "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
  "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
  "Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b",
  "Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)",
  "Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)",
  "Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)",
  "Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)",
  "Mozilla/5.0 (compatible; DotBot/1.2; +https://opensiteexplorer.org/dotbot; help@moz.com)",
  "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)",
  "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot",
  "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)",
  "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)",
  "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)",
  "CCBot/2.0 (https://commoncrawl.org/faq/)",
  "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
  "Twitterbot/1.0",
  "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
  "Mozilla/5.0 (compatible; Pinterestbot/1.0; +https://www.pinterest.com/bot.html)",
  "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
  "Slack-ImgProxy (+https://api.slack.com/robots)",
  "Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5",
  "Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)",
  "Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)",
  "Mozilla/5.0 (Linux; Android 10) thirdLandingPageFeInfra",
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/126.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Linux; Android 11; moto g power (2022)) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/119.0.0.0 Mobile Safari/537.36 Chrome-Lighthouse",
  "Mozilla/5.0 (compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
  "Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)",
];

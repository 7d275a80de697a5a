/** How visits from one platform are recognized. */
interface TrafficSource {
  /** In answers, as `host`. */
  readonly site: string;
  /** For people. */
  readonly name: string;
  /** Additional hosts; a name that begins with a dot matches every host that ends so, and `.*` all countries. */
  readonly hosts: readonly string[];
  /** Its apps on Android, which name themselves as referrers: `android-app://com.example.app`. */
  readonly packages: readonly string[];
  /** The name of its in-app browser in the user agent. */
  readonly agents: readonly RegExp[];
  /** Values of `utm_source` that people write into links. */
  readonly utm: readonly string[];
  /** Parameters that it appends to links. */
  readonly marks: readonly string[];
}

const source = (
  site: string,
  name: string,
  { hosts = [], packages = [], agents = [], utm = [], marks = [] }: Partial<TrafficSource>,
): TrafficSource => ({ site, name, hosts, packages, agents, utm, marks });

/**
 * The first matching agent and the first matching mark decide: Meta's other apps also call themselves Facebook and append
 * `fbclid`.
 */
export const trafficSources: readonly TrafficSource[] = [
  source("instagram.com", "Instagram", {
    hosts: [".instagram.com", "instagr.am", "ig.me"],
    packages: ["com.instagram.android", "com.instagram.lite"],
    agents: [/\bInstagram [\d(]/],
    utm: ["ig", "insta", "instagram"],
    marks: ["igsh", "igshid"],
  }),
  source("threads.net", "Threads", {
    hosts: [".threads.net", ".threads.com", "threads.com"],
    packages: ["com.instagram.barcelona"],
    agents: [/\bBarcelona \d/],
    utm: ["threads"],
  }),
  source("messenger.com", "Messenger", {
    hosts: [".messenger.com", "m.me"],
    packages: ["com.facebook.orca", "com.facebook.mlite"],
    agents: [/\bFBAN\/Messenger|\bOrca-Android|\bFB_IAB\/(?:MESSENGER|Orca)/],
    utm: ["messenger"],
  }),
  source("whatsapp.com", "WhatsApp", {
    hosts: [".whatsapp.com", ".whatsapp.net", "wa.me", "l.wl.co"],
    packages: ["com.whatsapp", "com.whatsapp.w4b"],
    utm: ["wa", "whatsapp"],
  }),
  source("tiktok.com", "TikTok", {
    hosts: [".tiktok.com", ".tiktokv.com"],
    packages: [
      "com.zhiliaoapp.musically",
      "com.zhiliaoapp.musically.go",
      "com.ss.android.ugc.trill",
      "com.tiktok.lite.go",
    ],
    agents: [/\bmusical_ly|\bBytedanceWebview\/|\btrill_\d/],
    utm: ["tiktok", "tt"],
    marks: ["ttclid"],
  }),
  source("youtube.com", "YouTube", {
    hosts: [".youtube.com", "youtu.be", ".youtube-nocookie.com"],
    packages: [
      "com.google.android.youtube",
      "com.google.android.youtube.tv",
      "com.google.android.apps.youtube.creator",
      "com.google.android.apps.youtube.music",
    ],
    utm: ["youtube", "yt"],
  }),
  source("x.com", "X", {
    hosts: [".x.com", ".twitter.com", "twitter.com", "t.co"],
    packages: ["com.twitter.android", "com.twitter.android.lite"],
    agents: [/\bTwitter for |\bTwitterAndroid/],
    utm: ["twitter", "x"],
    marks: ["twclid"],
  }),
  source("linkedin.com", "LinkedIn", {
    hosts: [".linkedin.com", "lnkd.in"],
    packages: ["com.linkedin.android", "com.linkedin.android.lite"],
    agents: [/\bLinkedInApp\b/],
    utm: ["linkedin"],
    marks: ["li_fat_id"],
  }),
  source("pinterest.com", "Pinterest", {
    hosts: [".pinterest.com", "pinterest.*", "pin.it"],
    packages: ["com.pinterest", "com.pinterest.twa"],
    agents: [/\bPinterest\/|\[Pinterest/],
    utm: ["pinterest"],
    marks: ["epik"],
  }),
  source("snapchat.com", "Snapchat", {
    hosts: [".snapchat.com"],
    packages: ["com.snapchat.android"],
    agents: [/\bSnapchat\//],
    utm: ["snap", "snapchat"],
    marks: ["sccid"],
  }),
  source("reddit.com", "Reddit", {
    hosts: [".reddit.com", "redd.it"],
    packages: ["com.reddit.frontpage"],
    agents: [/\bRedditApp\b|\bReddit\/Version/],
    utm: ["reddit"],
    marks: ["rdt_cid"],
  }),
  source("telegram.org", "Telegram", {
    hosts: [".telegram.org", "t.me", "telegram.me"],
    packages: [
      "org.telegram.messenger",
      "org.telegram.messenger.web",
      "org.telegram.plus",
      "org.thunderdog.challegram",
    ],
    agents: [/\bTelegram-Android\//],
    utm: ["telegram", "tg"],
  }),
  source("discord.com", "Discord", {
    hosts: [".discord.com", "discordapp.com"],
    packages: ["com.discord"],
    utm: ["discord"],
  }),
  source("bsky.app", "Bluesky", { hosts: [".bsky.app"], packages: ["xyz.blueskyweb.app"], utm: ["bluesky", "bsky"] }),
  source("wechat.com", "WeChat", {
    hosts: [".wechat.com"],
    packages: ["com.tencent.mm"],
    agents: [/\bMicroMessenger\//],
  }),
  source("kakao.com", "KakaoTalk", { packages: ["com.kakao.talk"], agents: [/\bKAKAOTALK\b/] }),
  source("line.me", "LINE", {
    hosts: [".line.me"],
    packages: ["jp.naver.line.android"],
    agents: [/(?:^|[\s/])Line\/\d/],
    utm: ["line"],
  }),
  source("sharechat.com", "ShareChat", { hosts: [".sharechat.com"], packages: ["in.mohalla.sharechat"] }),
  source("mojapp.in", "Moj", { hosts: [".mojapp.in"], packages: ["in.mohalla.video"] }),
  source("mail.google.com", "Gmail", {
    packages: ["com.google.android.gm", "com.google.android.gm.lite"],
    utm: ["gmail"],
  }),
  source("outlook.com", "Outlook", {
    hosts: ["outlook.live.com", "outlook.office.com", "outlook.office365.com"],
    packages: ["com.microsoft.office.outlook"],
    utm: ["outlook"],
  }),
  source("mail.yahoo.com", "Yahoo Mail", { packages: ["com.yahoo.mobile.client.android.mail"] }),
  source("slack.com", "Slack", { hosts: [".slack.com"], packages: ["com.slack"], utm: ["slack"] }),
  source("google.com", "Google", {
    hosts: ["google.*"],
    packages: ["com.google.android.googlequicksearchbox", "com.google.android.apps.searchlite"],
    agents: [/\bGSA\/\d/],
    utm: ["google"],
    marks: ["gclid", "gbraid", "wbraid"],
  }),
  source("bing.com", "Bing", {
    hosts: [".bing.com"],
    packages: ["com.microsoft.bing"],
    utm: ["bing"],
    marks: ["msclkid"],
  }),
  source("facebook.com", "Facebook", {
    hosts: [".facebook.com", "fb.com", "fb.me", "fb.watch"],
    packages: ["com.facebook.katana", "com.facebook.lite"],
    agents: [/\bFBAN\/|\bFBAV\/|\bFB_IAB\//],
    utm: ["facebook", "fb"],
    marks: ["fbclid"],
  }),
];

/** The name that people use for a site from which visits came. */
export const siteName = (site: string): string => names.get(site) ?? site;

const names = new Map(trafficSources.map(({ site, name }) => [site, name]));

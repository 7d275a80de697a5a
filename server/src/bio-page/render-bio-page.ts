import type { BioContent } from "@reelscript/contract";
import { imageFile } from "./image-file.ts";
import { looks } from "./looks.ts";
import { jsonMarkup, markup, type Markup } from "../markup/markup.ts";
import { documentOf, type Page, type RenderedPage } from "./page-document.ts";
import { iconOf, imageOf, isShown, linkOf, nowhere, portraitOf, socialOf, type Leading } from "./page-parts.ts";
import { paletteOf } from "./palette-of.ts";
import { shareCardOf, shareCardPath } from "./share-card.ts";
import { styleOf } from "./style-of.ts";

export interface BioPageInput {
  readonly content: BioContent;
  readonly handle: string | null;
  /** The service's address, without a slash at the end. */
  readonly baseUrl: string;
  /** The page's id, by which its views are counted; without it no views are counted. */
  readonly countedAs?: string | undefined;
  /** Visitors report the page here: an https or mailto URL. */
  readonly abuseContact?: string | undefined;
  /** Decides which links are shown. */
  readonly now: Date;
}

/** Our own texts on a page in that language. */
const madeWith: Readonly<Record<string, string>> = {
  hi: "बनाया गया:",
  ta: "உருவாக்கியது:",
  te: "తయారీ:",
  ar: "صُنعت بـ",
};

const leadings = { public: "counted", draft: "directly", preview: "nowhere" } as const satisfies Record<
  string,
  Leading
>;

/**
 * Requests the picture that counts the view, and reports the site that linked to the page: the picture's own referrer is the
 * page, and caches serve the same page to all visitors. Only scheme and host are sent.
 */
const visitScript =
  'const r=/^[^/]+\\/\\/[^/?#]+/.exec(document.referrer);new Image().src=document.querySelector("[data-visit]").dataset.visit+"?from="+encodeURIComponent(r?r[0]:"")';

/**
 * The public page is one document that runs nothing but `visitScript`; its links go through `/l/<link id>`, which counts clicks. A preview is
 * framed by the editor: its links are disabled, and empty parts have placeholders. A draft opens in a tab of its own, with a
 * line at the top that says that only the owner sees it.
 */
export function renderBioPage(
  { content, handle, baseUrl, countedAs, abuseContact, now }: BioPageInput,
  mode: keyof typeof leadings = "public",
): RenderedPage {
  const { displayName, bio, avatarUrl, socials, seo, theme } = content;
  const isPublic = mode === "public";
  const links = content.links.filter((link) => isShown(link, now));
  const { lang, dir } = languageOf([displayName, bio].join(" ").trim() || links.map(({ title }) => title).join(" "));
  const name = displayName || (handle === null ? (isPublic ? "Reelscript" : "Your name") : `@${handle}`);
  const title = seo.title || (handle === null || !displayName ? name : `${name} (@${handle})`);
  const description = oneLine(seo.description || bio || "");
  const palette = paletteOf(theme);
  const thumbnails = links.some(({ thumbnailUrl }) => imageFile(thumbnailUrl, ".webp") !== null);
  const url = `${baseUrl}/@${handle}`;
  const shared = imageFile(seo.imageUrl, ".jpg") ?? (handle && shareCardPath(shareCardOf(content, handle)));
  // There is nothing to find before the page is published.
  const isEmpty = !displayName && links.length === 0;

  const portraitFile = imageFile(avatarUrl, ".jpg");
  const picture = imageOf(avatarUrl);
  const isCounted = isPublic && countedAs !== undefined;
  const portrait = picture ?? portraitOf(handle ?? name, looks[theme.preset].portrait);
  const line = bio || (isPublic ? "" : "A few words about you.");
  const list =
    links.length > 0
      ? markup`<ul>${links.map((link) => linkOf(link, leadings[mode]))}</ul>`
      : !isPublic && markup`<ul><li><a${nowhere}><span>Your links appear here</span></a></li></ul>`;
  return documentOf({
    title,
    description,
    lang,
    dir,
    style: styleOf(content, palette, {
      thumbnails,
      portrait: picture !== undefined,
      socials: socials.length > 0,
      banner: mode === "draft",
      joined: lang !== "",
    }),
    isIndexed: isPublic && !seo.noindex && !isEmpty,
    icon: iconOf(displayName || handle || "R", palette.highlight, palette.highlightText),
    about:
      isPublic && handle !== null
        ? aboutPage({
            portrait: portraitFile && `${baseUrl}${portraitFile}`,
            socials,
            url,
            handle,
            name,
            title,
            description,
            image: `${baseUrl}${shared}`,
          })
        : "",
    body: markup`${mode === "draft" && banner}<div class="page"><main${lang === "" ? markup` lang=""` : ""}><header><div class="portrait">${portrait}</div><div class="identity"><h1><span dir="auto">${name}</span></h1>${
      displayName && handle !== null && markup`<p class="handle"><bdi>@${handle}</bdi></p>`
    }${line && markup`<p class="about" dir="auto">${line}</p>`}${
      socials.length > 0 &&
      markup`<div class="elsewhere">${socials.map((social) => socialOf(social, leadings[mode]))}</div>`
    }</div></header>${list}</main>${footerOf(lang, mode, abuseContact && reportUrl(abuseContact, url))}</div>${isCounted && markup`<noscript data-visit="/v/${countedAs}"><img class="visit" src="/v/${countedAs}" alt=""></noscript>`}`,
    script: isCounted ? visitScript : undefined,
    images: isCounted || thumbnails || picture !== undefined || palette.image !== null,
    framed: mode === "preview",
  });
}

const banner = markup`<p class="draft-note" lang="en" dir="ltr"><b>Not public yet.</b> Only you can see this draft.</p>`;

function footerOf(lang: string, mode: keyof typeof leadings, report: string | undefined): Markup {
  const to = (url: string) => (mode === "preview" ? nowhere : markup` href="${url}"`);
  return markup`<footer${madeWith[lang] === undefined ? markup` lang="en" dir="ltr"` : ""}><p class="made-with">${madeWith[lang] ?? "Made with"} <a${to("/")}>Reelscript</a></p>${
    report !== undefined &&
    markup`<p class="made-with report-link" lang="en" dir="ltr"><a${to(report)} rel="nofollow">Report this page</a></p>`
  }</footer>`;
}

/** The page that fills the frame of the preview when there is nothing to show. */
export const renderProblem = (message: string): RenderedPage =>
  documentOf({
    title: "No preview",
    description: "",
    lang: "en",
    dir: "ltr",
    style:
      "body{margin:0;min-height:100vh;display:grid;place-content:center;padding:28px;background:#f3f2f1;color:#1d1820;font:16px/1.5 system-ui,sans-serif;text-align:center;overflow-wrap:anywhere}",
    isIndexed: false,
    icon: "data:,",
    about: "",
    body: markup`<main><h1>No preview</h1><p>${message}</p></main>`,
    images: false,
    framed: true,
  });

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

interface About extends Pick<BioContent, "socials"> {
  readonly url: string;
  readonly handle: string;
  /** null: drawn from the name. */
  readonly portrait: string | null;
  readonly name: string;
  readonly title: string;
  /** One line. */
  readonly description: string;
  /** 1200 by 630 pixels unless the owner gave it. */
  readonly image: string;
}

/** Metadata for search engines and link previews. */
function aboutPage({ url, handle, name, title, description, image, portrait, socials }: About): Markup {
  const sameAs = socials.map((social) => social.url).filter((address) => /^https?:/i.test(address));
  const person = {
    "@type": "Person",
    name,
    alternateName: handle,
    ...(description !== "" && { description }),
    image: portrait ?? image,
    url,
    ...(sameAs.length > 0 && { sameAs }),
  };
  const linked = { "@context": "https://schema.org", "@type": "ProfilePage", mainEntity: person };
  return markup`<link rel="canonical" href="${url}"><meta property="og:type" content="profile"><meta property="og:site_name" content="Reelscript"><meta property="og:title" content="${title}">${
    description && markup`<meta property="og:description" content="${description}">`
  }<meta property="og:url" content="${url}"><meta property="og:image" content="${image}"><meta property="og:image:alt" content="${title}"><meta name="twitter:card" content="summary_large_image"><script type="application/ld+json">${jsonMarkup(linked)}</script>`;
}

/** The address for reports of a page. The subject of a mail already names the page. */
function reportUrl(contact: string, pageUrl: string): string {
  if (!/^mailto:/i.test(contact)) return contact;
  const subject = encodeURIComponent(`Report of ${pageUrl}`);
  return `${contact}${contact.includes("?") ? "&" : "?"}subject=${subject}`;
}

/** Scripts that only one language uses, or that one language uses by far the most often among creators of reels. */
const languages: Readonly<Record<string, string>> = {
  Devanagari: "hi",
  Tamil: "ta",
  Telugu: "te",
  Arabic: "ar",
  Kannada: "kn",
  Malayalam: "ml",
  Bengali: "bn",
  Gujarati: "gu",
  Gurmukhi: "pa",
  Sinhala: "si",
  Thai: "th",
  Hebrew: "he",
  Greek: "el",
  Hangul: "ko",
  Hiragana: "ja",
  Katakana: "ja",
};
const scripts = Object.keys(languages).map((script) => ({ script, letter: new RegExp(`\\p{Script=${script}}`, "gu") }));
const rightToLeft = new Set(["ar", "he", "ur", "fa"]);

/** The language and direction of a text, if its script identifies them. */
function languageOf(text: string): Pick<Page, "lang" | "dir"> {
  const counts = scripts.map(({ script, letter }) => ({ script, count: text.match(letter)?.length ?? 0 }));
  const most = counts.reduce((best, one) => (one.count > best.count ? one : best));
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  // People mix English words into every language, and hardly any into English.
  const lang = most.count > letters * 0.3 ? refined(languages[most.script] ?? "", text) : "";
  return { lang, dir: rightToLeft.has(lang) ? "rtl" : "ltr" };
}

/** Urdu and Persian have letters that Arabic lacks. */
function refined(lang: string, text: string): string {
  if (lang !== "ar") return lang;
  if (/[ٹڈڑںے]/u.test(text)) return "ur";
  return /[پچژگ]/u.test(text) ? "fa" : "ar";
}

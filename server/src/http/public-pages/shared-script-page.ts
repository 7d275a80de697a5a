import { languages } from "@reelscript/contract";
import { isRough } from "../../describe/describe-script.ts";
import { beginningOf, grammarAt, linkGrammars, reelPlayerOf } from "@reelscript/contract/values";
import { markup, type Markup } from "../../markup/markup.ts";
import type { ScriptRow } from "../../ports.ts";
import { publicDocument, publicPageHeadersOf } from "./public-document.ts";
import { ownReel, scriptArticle, scriptStyle, timedLines } from "./script-article.ts";

/**
 * Header names in lower case. Sites that the page links to don't learn its address. Its script copies the words and opens
 * the player, which loads nothing before somebody presses it. `videoOrigins`: those of a stand-in.
 */
export const sharedScriptHeaders = (videoOrigins: readonly string[]): Readonly<Record<string, string>> => ({
  ...publicPageHeadersOf(scriptStyle, {
    "script-src": "'self'",
    "form-action": "'self'",
    "frame-src": linkGrammars.map(({ playerOf }) => new URL(playerOf("", 0)).origin).join(" "),
    "media-src": videoOrigins.join(" ") || "'none'",
  }),
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow, noarchive",
  "cache-control": "private, no-store",
});

/** The words of a shared script's picture: its title, and whose reel it is. */
export const sharedTitleOf = (text: string): string => beginningOf(text) || "No speech in this reel";

interface SharedPage {
  readonly isSignedIn: boolean;
  /** Address of the page's picture. */
  readonly picture: string;
}

/** One script, shared by its owner, to read. */
export function sharedScriptPage({ transcript, correctedAt }: ScriptRow, { isSignedIn, picture }: SharedPage): string {
  const { reel, text, language, seconds } = transcript;
  const { handle } = reel.author;
  const title = sharedTitleOf(text);
  const facts = [
    handle !== null && markup`<bdi>@${handle}</bdi>`,
    grammarAt(URL.canParse(reel.url) ? new URL(reel.url).hostname : "")?.label ?? false,
    reel.postedAt !== null && dateMarkup(reel.postedAt),
    Object.hasOwn(languages, language) && languages[language as keyof typeof languages],
    isRough(transcript) && "Rough draft: many words are wrong",
  ].filter((fact): fact is string | Markup => fact !== false);
  return publicDocument({
    title: `${title} · Reelscript`,
    description: handle === null ? "A transcript of a reel." : `What @${handle} says in this reel.`,
    isSignedIn,
    style: scriptStyle,
    picture,
    script: "/docs/shared-script.js",
    body: scriptArticle({
      id: reel.url,
      language,
      title,
      rest: text.startsWith(title) ? text.slice(title.length, title.length + longestRest) : "",
      seconds,
      facts,
      actions: actionsOf(reel.url, text),
      lines: linesMarkup(transcript),
      after: markup`<p class="hint">${correctedAt === null ? "Transcribed by speech recognition, which makes mistakes." : "Transcribed by speech recognition and corrected by the person who shared it."}</p>${ownReel}`,
    }),
  });
}

/** More isn't seen in the cue. */
const longestRest = 300;

function actionsOf(reelUrl: string, text: string): Markup {
  const player = reelPlayerOf(reelUrl);
  const address = player?.kind === "embed" ? player.addressAt(0) : player?.address;
  return markup`${text !== "" && markup`<button class="action" type="button" id="copy" hidden>Copy</button>`}${
    player !== undefined &&
    markup`<button class="action quiet" type="button" id="play" hidden data-kind="${player.kind}" data-address="${address}">Play</button>`
  }${
    /^https?:\/\//.test(reelUrl) &&
    markup`<a class="action quiet" href="${reelUrl}" rel="noopener noreferrer nofollow" target="_blank">Open the reel</a>`
  }<span class="visually-hidden" role="status" id="copied"></span>`;
}

function linesMarkup({ segments, gaps, text, language }: ScriptRow["transcript"]): Markup {
  if (segments.length === 0) return markup`<p class="said" lang="${language}" dir="auto">${text}</p>`;
  return timedLines(
    [
      ...segments.map(({ start, text: line }) => ({
        start,
        said: markup`<p lang="${language}" dir="auto">${line}</p>`,
      })),
      ...gaps.map(({ start, end }) => ({
        start,
        said: markup`<p class="missing">${Math.max(1, Math.round(end - start))} s we couldn’t make out</p>`,
      })),
    ].toSorted((one, other) => one.start - other.start),
  );
}

function dateMarkup(at: string): Markup {
  const dateText = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" }).format(new Date(at));
  return markup`<time datetime="${at}">${dateText}</time>`;
}

import { languages } from "@reelscript/contract";
import { isRough } from "../../describe/describe-script.ts";
import { beginningOf, clock, grammarAt } from "@reelscript/contract/values";
import { markup, type Markup } from "../../markup.ts";
import type { ScriptRow } from "../../ports.ts";
import { publicDocument, publicPageHeaders } from "./public-document.ts";

/** Header names in lower case. Sites that the page links to don't learn its address. */
export const sharedScriptHeaders: Readonly<Record<string, string>> = {
  ...publicPageHeaders,
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow, noarchive",
  "cache-control": "private, no-store",
};

/** One script, shared by its owner, to read. */
export function sharedScriptPage({ transcript, correctedAt }: ScriptRow, isSignedIn: boolean): string {
  const { reel, text, language } = transcript;
  const { handle } = reel.author;
  const said = beginningOf(text);
  const title = said === "" ? "No speech in this reel" : said;
  const facts = [
    handle !== null && markup`<bdi>@${handle}</bdi>`,
    grammarAt(URL.canParse(reel.url) ? new URL(reel.url).hostname : "")?.label ?? false,
    reel.postedAt !== null && dateMarkup(reel.postedAt),
    Object.hasOwn(languages, language) && languages[language as keyof typeof languages],
    isRough(transcript) && "Rough draft: many words are wrong",
  ].filter((fact) => fact !== false);
  return publicDocument({
    title: `${title} · Reelscript`,
    description: handle === null ? "A transcript of a reel." : `What @${handle} says in this reel.`,
    isSignedIn,
    body: markup`<article class="wrap shared"><p class="hint">${facts.map((fact, index) => markup`${index > 0 && " · "}${fact}`)}</p><h1 lang="${language}" dir="auto">${title}</h1>${
      /^https?:\/\//.test(reel.url) &&
      markup`<p><a class="action quiet" href="${reel.url}" rel="noopener noreferrer nofollow" target="_blank">Open the reel</a></p>`
    }${linesMarkup(transcript)}<p class="hint">${correctedAt === null ? "Transcribed by speech recognition, which makes mistakes." : "Transcribed by speech recognition and corrected by the person who shared it."}</p></article>`,
  });
}

function linesMarkup({ segments, gaps, text, language }: ScriptRow["transcript"]): Markup {
  if (segments.length === 0) return markup`<p class="said" lang="${language}" dir="auto">${text}</p>`;
  const lines = [
    ...segments.map(({ start, text: line }) => ({ start, said: markup`<p lang="${language}" dir="auto">${line}</p>` })),
    ...gaps.map(({ start, end }) => ({
      start,
      said: markup`<p class="missing">${Math.max(1, Math.round(end - start))} s we couldn’t make out</p>`,
    })),
  ].toSorted((one, other) => one.start - other.start);
  return markup`<ol class="lines">${lines.map(({ start, said }) => markup`<li><time>${clock(start)}</time>${said}</li>`)}</ol>`;
}

function dateMarkup(at: string): Markup {
  const shown = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" }).format(new Date(at));
  return markup`<time datetime="${at}">${shown}</time>`;
}

import { languages, plans, sampleScript } from "@reelscript/contract";
import { beginningOf, clock } from "@reelscript/contract/values";
import { markup } from "../../markup/markup.ts";
import type { TranscriptBeginning } from "../../ports.ts";
import { publicDocument, publicPageHeadersOf } from "./public-document.ts";
import { pasteForm, scriptArticle, scriptStyle, timedLines } from "./script-article.ts";

/** Header names in lower case. The address has somebody's link in it. */
export const previewHeaders: Readonly<Record<string, string>> = {
  ...publicPageHeadersOf(scriptStyle, { "form-action": "'self'" }),
  "referrer-policy": "same-origin",
  "x-robots-tag": "noindex",
  "cache-control": "no-store",
};

/** The page for a link after signing in. */
export const transcribePath = (url: string): string =>
  `/app/transcribe?${new URLSearchParams({ urls: url }).toString()}`;

export const signInPath = (url: string): string =>
  `/app/sign-in?${new URLSearchParams({ return_to: transcribePath(url) }).toString()}`;

/** The first seconds of a reel that somebody has transcribed, for people without an account. */
export function reelPreviewPage(
  url: string,
  { handle, language, text, segments, seconds }: TranscriptBeginning,
  previewSeconds: number,
): string {
  const title = beginningOf(segments[0]?.text ?? text);
  const previewText = segments.map((segment) => segment.text.trim()).join(" ");
  const isWhole = seconds <= previewSeconds;
  return publicDocument({
    title: `${title} · Reelscript`,
    description: "How this reel begins.",
    style: scriptStyle,
    body: scriptArticle({
      id: url,
      language,
      title,
      rest: previewText.slice(title.length),
      seconds,
      facts: [
        ...(handle === null ? [] : [markup`<bdi>@${handle}</bdi>`]),
        ...(Object.hasOwn(languages, language) ? [languages[language as keyof typeof languages]] : []),
      ],
      actions: markup`<a class="action" href="${signInPath(url)}">${isWhole ? "Sign in to keep it" : "Sign in to read the rest"}</a>`,
      lines: timedLines(
        segments.map((segment) => ({
          start: segment.start,
          said: markup`<p lang="${language}" dir="auto">${segment.text}</p>`,
        })),
      ),
      after: markup`<p class="hint">${isWhole ? "That is the whole reel." : `The first ${previewSeconds} seconds of ${clock(seconds)}.`} Someone already transcribed it, so it’s free for you.</p>${another}`,
    }),
  });
}

const another = markup`<aside class="own"><h2>Another reel?</h2>${pasteForm({ quiet: true })}</aside>`;

/** The sample script, whole. */
export const samplePage = (): string => {
  const text = sampleScript.segments.map((segment) => segment.text).join(" ");
  const title = beginningOf(text);
  return publicDocument({
    title: "A sample script · Reelscript",
    description: "What a script of a reel looks like.",
    style: scriptStyle,
    body: scriptArticle({
      id: "sample",
      language: sampleScript.language,
      title,
      rest: text.slice(title.length),
      seconds: sampleScript.seconds,
      facts: ["Sample", "English"],
      lines: timedLines(
        sampleScript.segments.map((segment) => ({
          start: segment.start,
          said: markup`<p lang="${sampleScript.language}">${segment.text}</p>`,
        })),
      ),
      after: markup`<aside class="own"><h2>Try your own reel</h2><p>${plans.free.transcriptions} transcriptions are free. No card. <a href="/app">Start free</a></p>${pasteForm()}</aside>`,
    }),
  });
};

import { plans } from "@reelscript/contract";
import { clock, gelOf } from "@reelscript/contract/values";
import { markup, type Markup } from "../../markup/markup.ts";

/** Ground and words of a cue, by the class that `gelOf` gives; the dashboard has them in cue.css. */
const gels = {
  "gel-1": ["#4a2147", "#efb6d7"],
  "gel-2": ["#10424a", "#93ded8"],
  "gel-3": ["#7d2f17", "#ffc4a2"],
  "gel-4": ["#20316a", "#b3c3ff"],
  "gel-5": ["#35451b", "#d3e296"],
  "gel-6": ["#5d450b", "#ffdc92"],
} as const satisfies Record<ReturnType<typeof gelOf>, readonly [ground: string, words: string]>;

/** Colors of a reel's cue. */
export const gelColors = (id: string): readonly [ground: string, words: string] => gels[gelOf(id)];

/** The colors of cues and portraits by their class. */
export const gelStyle = Object.entries(gels)
  .map(([name, [ground, words]]) => `.${name}{background:${ground};color:${words}}`)
  .join("");

/** A small cue, whose lines stand for words; it decorates text. */
export const smallCueStyle =
  '.small-cue{position:relative;flex:none;aspect-ratio:9/16;border-radius:6px;overflow:hidden;print-color-adjust:exact}.small-cue::before{content:"";position:absolute;inset:14% 16% 50%;opacity:.84;background:linear-gradient(currentColor 0 0) 0 0/100% 2px,linear-gradient(currentColor 0 0) 0 33%/72% 2px,linear-gradient(currentColor 0 0) 0 67%/92% 2px,linear-gradient(currentColor 0 0) 0 100%/48% 2px;background-repeat:no-repeat}';

/** Added to the style of pages that show a script or take a link. */
export const scriptStyle = [
  ".script{display:grid;grid-template-columns:280px minmax(0,1fr);gap:48px;align-items:start;padding-block:20px 72px}.script .hint{margin:0}.script [lang]{text-align:start}",
  ".script .side{display:grid;gap:14px;position:sticky;top:20px}.script .words{display:grid;grid-template-columns:minmax(0,1fr);gap:18px}.script h1{font-size:2.125rem;overflow-wrap:anywhere}.script h1+.hint{margin-top:8px}.titled>.small-cue{display:none}@media(max-width:820px){.script h1{font-size:1.75rem}}",
  smallCueStyle,
  ".cue{container-type:inline-size;position:relative;aspect-ratio:9/16;border-radius:18px;overflow:hidden}.cue>div{position:absolute;inset:0;padding:20cqw 9cqw 0;font:640 13cqw/1.08 Title,sans-serif;-webkit-mask:linear-gradient(#000 62%,#0000 97%);mask:linear-gradient(#000 62%,#0000 97%);overflow-wrap:anywhere}",
  ".cue b{font:inherit;color:#ffd84a}.cue p{display:inline;opacity:.84}.cue time{position:absolute;top:8cqw;inset-inline-start:9cqw;font:640 .8125rem/1 Title,sans-serif;color:#fff}",
  ".cue:has(iframe,video){background:#000}.cue:is(:has(iframe),:has(video))>:not(iframe,video){display:none}.cue :is(iframe,video){width:100%;height:100%;border:0}.side:has(iframe){width:326px}",
  gelStyle,
  ".dot{margin-inline:4px}.actions{display:flex;gap:10px;flex-wrap:wrap;margin-bottom:14px}.actions [hidden]{display:none}button.action{cursor:pointer}",
  ".own{background:var(--sheet);border:1px solid var(--line);border-radius:18px;padding:28px;margin-top:28px}.own h2{font-size:1.375rem;margin-bottom:8px}.own p{color:var(--ink-2)}",
  ".paste{display:flex;gap:8px;flex-wrap:wrap;margin-top:16px}.paste input{flex:1 1 240px;min-width:0;min-height:44px;padding:0 14px;border:1px solid var(--edge);border-radius:8px;background:var(--sheet);color:inherit;font:inherit}.paste .action{flex:none}@media(max-width:480px){.paste .action{flex:1 1 100%;justify-content:center}}",
  ".visually-hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}",
  // On phones the cue, whose words are those of the title, is small until somebody plays the reel.
  "@media(max-width:820px){.titled{display:grid;grid-template-columns:44px minmax(0,1fr);gap:0 16px;align-items:center}.titled>div{display:contents}.titled .hint{grid-column:1/-1}.titled>.small-cue{display:block;width:44px}.script{grid-template-columns:minmax(0,1fr);gap:20px}.script .side{display:contents}.side .cue:not(:has(iframe,video)){display:none}.cue:has(iframe,video){width:min(100%,326px)}}",
].join("");

/**
 * A field for a link; the answer shows the reel's first words if somebody has transcribed it, else the way to sign in. Its
 * button is quiet where another one comes first.
 */
export const pasteForm = ({ quiet = false } = {}): Markup =>
  markup`<form class="paste" action="/try"><label class="visually-hidden" for="reel-url">Reel link</label><input id="reel-url" type="url" name="url" required maxlength="2000" autocomplete="off" spellcheck="false" placeholder="https://www.instagram.com/reel/…"><button class="action${quiet && " quiet"}">Transcribe</button></form>`;

/** Leads readers of somebody else's script to one of their own. */
export const ownReel: Markup = markup`<aside class="own"><h2>Transcribe your own reel</h2><p>Paste a reel link and get its words in about half a minute. ${plans.free.transcriptions} transcriptions are free.</p>${pasteForm({ quiet: true })}</aside>`;

interface ScriptParts {
  /** Chooses the color of the cue. */
  readonly id: string;
  readonly language: string;
  readonly title: string;
  /** The words after the title, with the sign or the space between. */
  readonly rest: string;
  readonly seconds: number;
  readonly facts: readonly (string | Markup)[];
  readonly actions?: Markup;
  readonly lines: Markup;
  readonly after: Markup;
}

/** A script to read: the cue with its title, what is known of the reel, and the words. */
export const scriptArticle = ({
  id,
  language,
  title,
  rest,
  seconds,
  facts,
  actions,
  lines,
  after,
}: ScriptParts): Markup =>
  markup`<article class="wrap script"><div class="side"><div class="cue ${gelOf(id)}"><time>${clock(seconds)}</time><div lang="${language}" dir="auto" aria-hidden="true"><b>${title}</b><p>${rest}</p></div></div></div><div class="words"><div class="titled"><i class="small-cue ${gelOf(id)}"></i><div><h1 lang="${language}" dir="auto">${title}</h1><p class="hint">${[...facts, clock(seconds)].map((fact, index) => markup`${index > 0 && markup`<span class="dot"> · </span>`}${fact}`)}</p></div></div>${actions !== undefined && markup`<div class="actions">${actions}</div>`}${lines}${after}</div></article>`;

/** Lines with the times at which they begin. */
export const timedLines = (lines: readonly { readonly start: number; readonly said: Markup }[]): Markup =>
  markup`<ol class="lines">${lines.map(({ start, said }) => markup`<li><time>${clock(start)}</time>${said}</li>`)}</ol>`;

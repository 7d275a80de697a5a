import { sampleScript } from "@reelscript/contract";
import { clock } from "@reelscript/contract/values";
import { markup, type Markup } from "../../markup/markup.ts";

/** Added to the style of the home page. */
export const proofStyle = [
  ".proofs{list-style:none;padding:0;display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:0 28px}.proofs>li{display:grid;grid-template-rows:subgrid;grid-row:span 3}.proofs h3{font-size:1.375rem;margin:20px 0 8px}.proofs p{color:var(--ink-2);text-wrap:pretty}",
  ".proof{border:1px solid var(--line);border-radius:18px;background:var(--base);padding:20px;font-size:.875rem;min-height:236px;display:grid;align-content:center;gap:12px}.proof mark{background:#ffd84a;color:#1d1820;border-radius:4px;padding:0 3px}",
  ".proof dl{display:grid;grid-template-columns:auto minmax(0,1fr);gap:6px 0;margin:0}.proof dt{color:var(--ink-2);padding-inline-end:16px}.proof dd{margin:0;text-align:end;font-weight:600}.proof dl div{display:contents}.proof .total{border-top:1px solid var(--line-2);padding-top:6px}",
  ".proof ol{list-style:none;padding:0;display:grid;gap:10px}.proof .hits li{display:grid;grid-template-columns:40px minmax(0,1fr)}.proof time{font:640 .875rem/1.5 Title,sans-serif;color:var(--ink-2)}",
  ".proof .ranges li{display:grid;gap:4px}.proof .ranges span{color:var(--ink-2)}.proof svg{width:100%;height:10px;overflow:visible}.proof .axis{fill:var(--line)}.proof .one{fill:var(--ink-2)}.proof .clear{fill:var(--series-1)}.proof .unclear{fill:var(--edge)}",
  "@media(max-width:820px){.proofs{grid-template-columns:minmax(0,1fr);gap:28px}.proofs>li{display:block}.proof{min-height:0}}",
].join("");

const searchedWord = "dough";

/** That of a reel of the stand-in, CenWeasels1, by the included model. */
const receipt = markup`<dl><div><dt>Language</dt><dd>English, 99% sure</dd></div><div><dt>Read by</dt><dd>whisper-base</dd></div><div><dt>In English</dt><dd>few words wrong</dd></div><div><dt>Speech</dt><dd>22.9 of 23.7 s</dd></div><div><dt class="total">Cost</dt><dd class="total">1 transcription</dd></div></dl>`;

/** The sample's hits, with the second of their line. */
const hits = markup`<ol class="hits">${sampleScript.segments
  .filter(({ text }) => text.includes(searchedWord))
  .map(({ start, text }) => {
    const [before = "", after = ""] = text.split(searchedWord);
    return markup`<li><time>${clock(start)}</time><span>${before}<mark>${searchedWord}</mark>${after}</span></li>`;
  })}</ol>`;

/** Comparisons of the sample report: `low` and `high` are multiples of the views. */
export const sampleRanges = [
  { name: "With hashtags", kind: "hashtags", times: 1.72, low: 1.02, high: 3.3, isClear: true },
  { name: "Posted 06:00–12:00", kind: "postingHours", times: 0.47, low: 0.26, high: 0.86, isClear: true },
  { name: "Up to 31 s", kind: "length", times: 1.08, low: 0.76, high: 2.1, isClear: false },
] as const;

/** The position of a multiple on an axis from a quarter to four times, in percent. */
const positionOf = (times: number): number => ((Math.log2(times) + 2) / 4) * 100;

const range = ({ name, times, low, high, isClear }: (typeof sampleRanges)[number]): Markup =>
  markup`<li><b>${name}</b><svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect class="axis" y="4" width="100" height="2"/><rect class="${isClear ? "clear" : "unclear"}" x="${positionOf(low)}" y="2" width="${positionOf(high) - positionOf(low)}" height="6"/><rect class="one" x="49.75" width="0.5" height="10"/></svg><span>${isClear ? `${times}x the views, between ${low}x and ${high}x next` : `No clear difference: ${low}x to ${high}x`}</span></li>`;

const report = markup`<ol class="ranges">${sampleRanges.map(range)}</ol>`;

const proof = (drawing: Markup, title: string, text: string): Markup =>
  markup`<li><div class="proof">${drawing}</div><h3>${title}</h3><p>${text}</p></li>`;

/** Three things that no other tool shows, each with an example. */
export const proofs = markup`<ul class="proofs">${proof(receipt, "A receipt with every script", "Which model read it, how sure it was of the language, how much it heard, and the cost. No speech found? You aren’t charged.")}${proof(hits, "Hits with their second", "A search opens the script, and the reel, at the second the word is said. The same over REST and MCP.")}${proof(report, "A report that admits doubt", "Every claim says what to expect on the next reels. If a difference may be luck, the report says so.")}</ul>`;

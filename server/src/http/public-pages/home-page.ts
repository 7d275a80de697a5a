import {
  keysPerAccount,
  type Language,
  languageLine,
  languageSentence,
  plans,
  type RecognitionQuality,
  sampleScript,
  unitPrice,
} from "@reelscript/contract";
import { clock } from "@reelscript/contract/values";
import { brandMark, markup, type Markup } from "../../markup/markup.ts";
import { proofs, proofStyle } from "./home-proofs.ts";
import { publicDocument, publicPageHeadersOf } from "./public-document.ts";
import { pasteForm, scriptStyle } from "./script-article.ts";

const lines = sampleScript.segments.map((_, index) => index + 1);

/** All words are there at the first paint; the frame shows the chosen line. */
const sampleStyle = [
  ".sample{border:0;border-radius:28px;background:#1d1820;color:#fff;padding:28px;display:grid;grid-template-columns:minmax(0,4fr) minmax(0,7fr);gap:24px;align-items:center}",
  ".sample legend{float:left;grid-column:1/-1;font-size:.875rem;color:#c6bfc9}",
  ".now{position:relative;aspect-ratio:9/16;border-radius:18px;background:#4a2147;overflow:hidden}",
  ".now p{position:absolute;inset:0;display:grid;align-content:center;padding:12%;background:#4a2147;font:640 clamp(1.2rem,2.1vw,1.7rem)/1.15 Title,sans-serif;text-wrap:balance}",
  ".sample label{display:grid;grid-template-columns:34px minmax(0,1fr);gap:10px;padding:6px 8px;border-radius:8px;cursor:pointer;font-size:.9375rem;line-height:1.4}",
  ".sample label:hover{background:#ffffff14}.sample label:has(:checked){background:#ffd84a;color:#1d1820}.sample label:has(:focus-visible){outline:2px solid #8fb4ff}",
  ".sample input{position:absolute;opacity:0}.sample time{font:640 .875rem/1.5 Title,sans-serif;opacity:.8}",
  ".sample .now p{display:none}",
  `${lines.map((line) => `.sample:has(label:nth-child(${line}) :checked) .now p:nth-child(${line})`).join(",")}{display:grid}`,
].join("");

const pictureStyle = [
  ".tour{padding-block:72px 0}.tour>div{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:48px 28px}.tour h3{font-size:1.375rem;margin:20px 0 8px}.tour p{color:var(--ink-2);max-width:52ch}",
  ".picture{display:block;border-radius:18px;border:1px solid var(--line);background:var(--sheet);overflow:hidden}.picture img{display:block;width:100%;height:auto}",
  ".picture.drawn{aspect-ratio:1200/750;container-type:inline-size;background:var(--base);display:grid;grid-template-columns:26% 48%;gap:5%;place-content:center;align-items:center}",
  // A reel as it plays, and the panel of the extension over its page.
  '.drawn .reel{position:relative;aspect-ratio:9/16;border-radius:14px;background:#7d2f17;overflow:hidden;padding:11cqw 2.4cqw 0;font:640 4cqw/1.08 Title,sans-serif;color:#ffc4a2}.drawn .reel span{display:block;height:86%;overflow:hidden;-webkit-mask:linear-gradient(#000 55%,#0000);mask:linear-gradient(#000 55%,#0000)}.drawn .reel b{font:inherit;color:#ffd84a}.drawn .reel::after{content:"";position:absolute;inset:auto 9% 5%;height:3px;border-radius:2px;background:linear-gradient(90deg,#ffd84a 30%,#ffffff3d 30%)}',
  ".drawn .panel{border-radius:14px;border:1px solid var(--line-2);background:var(--sheet);padding:3.4cqw;display:grid;gap:2.2cqw;font-size:clamp(.75rem,2.5cqw,.875rem);line-height:1.4}.drawn .panel .brand{font-size:1rem}.drawn .panel .brand svg{width:18px;height:18px}.drawn .panel p{display:grid;grid-template-columns:34px minmax(0,1fr);color:var(--ink);max-width:none}.drawn time{font:640 .8125rem/1.5 Title,sans-serif;color:var(--ink-2)}.drawn mark{background:#ffd84a;color:#1d1820;padding:0 4px;border-radius:4px;-webkit-box-decoration-break:clone;box-decoration-break:clone}",
  ".drawn .copy{justify-self:start;padding:7px 13px;border-radius:8px;background:var(--ink);color:var(--on-act);font-weight:600}",
].join("");

/** Added to the style of all public pages. */
const homeStyle = [
  ".hero{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1.3fr);gap:56px;align-items:center;padding-block:40px 72px}",
  ".hero h1{font-size:clamp(2.6rem,6vw,3.9rem);line-height:1}",
  sampleStyle,
  ".languages{margin-top:28px}.languages summary{list-style:none;cursor:pointer}.languages summary::-webkit-details-marker{display:none}.languages p{margin-top:8px;max-width:90ch;text-wrap:pretty}",
  ".band{background:var(--sheet);border-block:1px solid var(--line);padding:72px 0}",
  ".three{display:grid;grid-template-columns:repeat(3,minmax(0,1fr));gap:28px;list-style:none;padding-block:0}section>.three:not(.wrap){padding:0}",
  ".three :is(h2,h3){font-size:1.375rem;margin-bottom:8px}.three p{color:var(--ink-2)}",
  proofStyle,
  pictureStyle,
  scriptStyle,
  ".plan{background:var(--sheet);border:1px solid var(--line);border-radius:18px;padding:28px;display:grid;gap:10px;grid-template-rows:auto auto 1fr auto}",
  ".plan .price{font:640 2.5rem/1 Title,sans-serif;color:var(--ink)}.plan .price small{font:400 .875rem Sans,sans-serif;color:var(--ink-2)}",
  '.plan ul{list-style:none;padding:0;font-size:.875rem;color:var(--ink-2)}.plan li{position:relative;padding:4px 0 4px 22px}.plan li::before{content:"";position:absolute;inset:9px auto auto 4px;width:5px;height:9px;border:solid var(--ink-3);border-width:0 2px 2px 0;rotate:45deg}',
  ".prices{padding-block:72px}",
  "@media(max-width:820px){.hero,.three,.tour>div{grid-template-columns:minmax(0,1fr)}.hero{gap:36px;padding-block:16px 48px}.band,.prices{padding-block:48px}.tour{padding-block:48px 0}.sample{padding:20px 16px;grid-template-columns:minmax(0,1fr)}.now{display:none}.picture.drawn{aspect-ratio:auto;padding-block:24px}}",
].join("");

const count = new Intl.NumberFormat("en-US");

export const homePageHeaders = publicPageHeadersOf(homeStyle, { "form-action": "'self'" });

/** The reel is at its second line. */
const [firstLine, spokenLine, nextLine] = sampleScript.segments;

/** Choosing a line shows it in the frame, as a script in the library does. */
const sample = markup`<fieldset class="sample"><legend>A sample script. Choose a line.</legend><div class="now" aria-hidden="true">${sampleScript.segments.map(({ text }) => markup`<p>${text}</p>`)}</div><div>${sampleScript.segments.map(
  ({ start, text }) =>
    markup`<label><input type="radio" name="line"${start === spokenLine.start && markup` checked`}><time>${clock(start)}</time><span>${text}</span></label>`,
)}</div></fieldset>`;

const onPhone = "(max-width: 560px)";

interface Pictured {
  readonly name: string;
  readonly alt: string;
  readonly title: string;
  readonly text: string;
  /** False for a page whose theme decides its colors, by day and by night. */
  readonly hasDark?: boolean;
}

/** On phones it is the page as phones show it. `npm run screenshots -- --home` renews the files. */
const pictured = ({ name, alt, title, text, hasDark = true }: Pictured): Markup =>
  markup`<div><picture class="picture">${hasDark && markup`<source srcset="/docs/${name}-phone-dark.webp" media="${onPhone} and (prefers-color-scheme: dark)" width="780" height="640">`}<source srcset="/docs/${name}-phone.webp" media="${onPhone}" width="780" height="640">${hasDark && markup`<source srcset="/docs/${name}-dark.webp" media="(prefers-color-scheme: dark)">`}<img src="/docs/${name}.webp" width="1200" height="750" alt="${alt}" loading="lazy"></picture><h3>${title}</h3><p>${text}</p></div>`;

const search = pictured({
  name: "search",
  alt: "The library, with the words of a search marked",
  title: "Find the second it was said",
  text: "Search every word in your reels. A result opens the script at that word.",
});

const report = pictured({
  name: "report",
  alt: "A report that says what to post next, with example reels",
  title: "See what works for an account",
  text: "What to post next, the best times, and the top reels of any public account you collect.",
});

const bioPages = pictured({
  name: "bio-page",
  alt: "A bio page with a portrait and three links",
  title: "A bio page for your links",
  text: "Choose a theme, publish at your own address, and see views and clicks. Pages need no JavaScript and set no cookies.",
  hasDark: false,
});

const panelLine = ({ start, text }: (typeof sampleScript.segments)[number]): Markup =>
  markup`<p><time>${clock(start)}</time><span>${start === spokenLine.start ? markup`<mark>${text}</mark>` : text}</span></p>`;
const watched = markup`<div class="picture drawn" aria-hidden="true"><div class="reel"><span><b>${spokenLine.text}</b> ${nextLine.text}</span></div><div class="panel"><span class="brand">${brandMark("var(--sheet)")}Reelscript</span>${[firstLine, spokenLine, nextLine].map(panelLine)}<span class="copy">Copy</span></div></div>`;

const extension = markup`<div>${watched}<h3>An extension for your browser</h3><p>Transcribe the reel you’re watching, and collect an account’s reels for a report, without leaving the page.</p></div>`;

/** The service and its prices, for people who aren't signed in. `qualities`: how well each language is transcribed. */
export const homePage = (qualities: Readonly<Record<Language, RecognitionQuality>>): string =>
  publicDocument({
    style: homeStyle,
    title: "Reelscript: read what reels say",
    description:
      "Transcripts of short videos that you can search, reports on accounts you follow, and an API for it all.",
    body: markup`<section class="wrap hero"><div><h1>Read what reels say</h1><p class="lead">Paste a reel link and get its words in about half a minute. Search everything you have transcribed, and see what works for the accounts you follow.</p>${pasteForm()}<p class="hint">Nothing to pay to try: the <a href="/try">sample</a> and reels someone already transcribed are free, and so are your first ${plans.free.transcriptions} transcriptions. No card.</p></div>${sample}</section><section class="band"><div class="wrap"><h2>Only here</h2>${proofs}</div><div class="wrap languages"><details class="hint"><summary>${languageLine(qualities)} <span aria-hidden="true">ⓘ</span></summary><p>${languageSentence(qualities)}</p></details><p class="hint">Made for agents too: REST, MCP, a typed client and a command line, all with the same key.</p></div></section><section class="wrap tour"><h2>What you get</h2><div>${search}${report}${bioPages}${extension}</div></section><section class="wrap prices" id="pricing"><h2>Pricing</h2><ul class="three">${Object.entries(plans).map(([id, plan]) => planCard(id, plan))}</ul></section>`,
  });

function planCard(
  id: string,
  { name, dollarsPerMonth, transcriptions, posts, period }: (typeof plans)[keyof typeof plans],
): Markup {
  const price = unitPrice(dollarsPerMonth, transcriptions);
  const each = period === "lifetime" ? ", one time" : " a month";
  return markup`<li class="plan"><h3>${name}</h3><p class="price">$${dollarsPerMonth} <small>${dollarsPerMonth === 0 ? "no card" : "a month"}</small></p><ul><li>${count.format(transcriptions)} transcriptions${each}${price !== undefined && `, ${price}`}</li><li>${posts === null ? "Unlimited posts analyzed" : `${count.format(posts)} posts analyzed${each}`}</li><li>${keysPerAccount} API keys, REST and MCP</li></ul><p><a class="${dollarsPerMonth === 0 ? "action" : "action quiet"}" href="${dollarsPerMonth === 0 ? "/app" : `/app/usage?plan=${id}`}">${dollarsPerMonth === 0 ? "Start free" : `Choose ${name}`}</a></p></li>`;
}

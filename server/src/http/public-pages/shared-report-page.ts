import {
  alsoWords,
  comparisonWords,
  cutText,
  type Comparison,
  type ReportAdvice,
  type ReportWeek,
  type TopReel,
} from "@reelscript/contract";
import { clock, gelOf } from "@reelscript/contract/values";
import type { DescribedReport } from "../../describe/report/describe-report.ts";
import type { SharedReport } from "../../features/share-links.ts";
import { markup, type Markup } from "../../markup/markup.ts";
import { publicDocument, publicPageHeadersOf } from "./public-document.ts";
import { gelStyle } from "./script-article.ts";
import { figuresStyle, heatMapMarkup, kindsMarkup, shortFormat, timesText } from "./shared-report-figures.ts";

/** On paper, or in a PDF, there is no navigation and no dark color, and rows stay whole. */
const style = [
  ".report{padding-block:20px 72px;display:grid;font-variant-numeric:tabular-nums;grid-template-columns:minmax(0,1fr);gap:32px}.report h1{font-size:2.125rem;margin-bottom:8px;overflow-wrap:anywhere}.report h2{font-size:1.25rem;margin:0 0 12px}.report .hint{margin:0}.report .by{font-weight:600;color:var(--ink);margin-bottom:6px;overflow-wrap:anywhere}.report [dir]{text-align:left}.report a{text-decoration-color:var(--line-2)}",
  ".report ul,.report ol{padding-inline-start:20px;display:grid;gap:8px;max-width:72ch;overflow-wrap:anywhere}.report .steps{list-style:none;padding:0;gap:20px 32px;max-width:none;grid-template-columns:repeat(auto-fit,minmax(min(100%,260px),1fr))}.report .steps p{color:var(--ink-2);font-size:.9375rem}.report .steps p.example{display:grid;grid-template-columns:minmax(40px,auto) 14px minmax(0,1fr);gap:10px;margin-top:8px}.example i{height:25px;border-radius:3px;print-color-adjust:exact}.example a{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden;color:var(--ink)}.example small{font-size:.8125rem}.report .steps b{font:640 1.125rem/1.35 Title,sans-serif}.report .sureness{font-size:.8125rem;border:1px solid var(--line-2);border-radius:999px;padding:1px 8px;white-space:nowrap}",
  ".report dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(140px,1fr));gap:16px 24px;margin:0}.report dt{font-size:.875rem;color:var(--ink-2)}.report dd{margin:0;font:640 1.625rem/1.2 Title,sans-serif}",
  ".report .wide{overflow-x:auto}.report table{border-collapse:collapse;font-size:.9375rem;width:100%}.report :is(th,td){text-align:start;padding:6px 0 6px 16px;border-bottom:1px solid var(--line);vertical-align:top}.report :is(th,td):first-child{padding-left:0;overflow-wrap:anywhere;min-width:16ch}.report .number{text-align:end;white-space:nowrap}",
  ".weeks{margin:0;display:grid;grid-template-columns:auto minmax(0,1fr);gap:4px 10px;font-size:.8125rem;color:var(--ink-2)}.weeks svg{width:100%;height:160px;border-bottom:1px solid var(--line-2)}.weeks rect{fill:var(--series-rest)}.weeks .best{fill:var(--series-1)}.weeks .scale,.weeks .dates{display:flex;justify-content:space-between}.weeks .scale{flex-direction:column;text-align:end}.weeks :is(.dates,figcaption){grid-column:2}",
  ".whose{display:flex;gap:18px;align-items:center}.whose>div{min-width:0}.portrait{flex:none;width:64px;height:64px;border-radius:50%;display:grid;place-items:center;font:640 1.75rem/1 Title,sans-serif;print-color-adjust:exact}",
  gelStyle,
  ".report .reasons{list-style:none;padding:0;gap:14px}.report summary{font-weight:600;cursor:pointer}.report details ul{margin-top:12px}",
  figuresStyle,
  "@media screen and (min-width:821px){.report .steps p:not(.example){min-height:2lh}.report{width:min(1080px,100% - 48px);padding:40px;margin-block:12px 72px;background:var(--sheet);border-radius:18px}}@media screen and (max-width:600px){.report :is(th,td):not(:first-child){padding-left:8px}.report .top{font-size:.8125rem}.report .top :is(th,td):first-child{min-width:10ch}.top :is(th,td):is(:nth-child(3),:nth-child(5)){display:none}}",
  "@page{margin:14mm}@media print{:root{color-scheme:light;--base:#fff;--ink:#000;--ink-2:#444;--line:#ccc;--line-2:#999}header,footer{display:none}.report{display:block;padding:0}.report>*+*{margin-top:20px}.report :is(dl,figure,tr,li){break-inside:avoid}.report details::details-content{content-visibility:visible;block-size:auto}.report h2{break-after:avoid}.report .wide{overflow:visible}.report a{text-decoration:none}}",
].join("");

/** Header names in lower case. Sites that the page links to don't learn its address. */
export const sharedReportHeaders: Readonly<Record<string, string>> = {
  ...publicPageHeadersOf(style),
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow, noarchive",
  "cache-control": "private, no-store",
};

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const fine = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });

/** One report, shared by its owner, to read and to print. */
export function sharedReportPage({ title, report }: SharedReport, isSignedIn: boolean): string {
  const { handle, advice, startFrom = [], topReels, weeks = [], details = [] } = report;
  const name = `@${handle}`;
  const sentences = remarksOf(report);
  const reasons = (report.comparisons ?? []).filter(({ clear }) => clear);
  return publicDocument({
    title: title === null ? `${name} · Reelscript` : `${title} · ${name}`,
    description: `What works for ${name}, from ${whole.format(report.reelsAnalyzed)} public reels.`,
    isSignedIn,
    style,
    body: markup`<article class="wrap report"><div class="whose"><span class="portrait ${gelOf(handle)}" aria-hidden="true">${handle.slice(0, 1).toUpperCase()}</span><div>${title !== null && markup`<p class="by" dir="auto">${title}</p>`}<h1><bdi>${name}</bdi></h1><p class="hint">${scopeOf(report)}</p></div></div>${
      advice.length > 0 &&
      markup`<section><h2>What to post next week</h2><ol class="steps">${advice.map(stepMarkup)}</ol></section>`
    }${
      startFrom.length > 0 &&
      markup`<section><h2>What to post next week</h2><p>No rule is clear in this account. ${startFrom.some(({ multiple }) => multiple !== undefined) ? "Reels that did best among their neighbors, as examples:" : "The best reels, as examples:"}</p><ul>${startFrom.map((reel) => markup`<li><bdi>${linkTo(reel)}</bdi>${reel.multiple !== undefined && ` (${timesText(reel.multiple)})`}</li>`)}</ul></section>`
    }${
      reasons.length > 0 && markup`<section><h2>Why</h2><ul class="reasons">${reasons.map(reasonMarkup)}</ul></section>`
    }${figuresMarkup(report)}${
      sentences.length > 0 &&
      markup`<section><h2>Good to know</h2><ul>${sentences.map((sentence) => markup`<li dir="auto">${sentence}</li>`)}</ul></section>`
    }${weeksMarkup(weeks)}${heatMapMarkup(report)}${kindsMarkup(report)}${
      topReels.length > 0 &&
      markup`<section><h2>Top reels</h2><div class="wide"><table class="top"><thead><tr><th scope="col">Reel</th><th scope="col" class="number">Views</th><th scope="col" class="number">Likes</th><th scope="col" class="number">Multiple</th><th scope="col" class="number">Length</th><th scope="col" class="number">Posted</th></tr></thead><tbody>${topReels.map(reelRow)}</tbody></table></div></section>`
    }${
      details.length > 0 &&
      markup`<details><summary>How this was checked</summary><ul>${details.map((sentence) => markup`<li dir="auto">${sentence}</li>`)}</ul></details>`
    }</article>`,
  });
}

function scopeOf({ reelsAnalyzed, firstPostedAt, lastPostedAt, createdAt, timezone }: DescribedReport): string {
  const days =
    firstPostedAt !== undefined && lastPostedAt !== undefined
      ? `, ${dayOf(firstPostedAt)} to ${dayOf(lastPostedAt)}`
      : "";
  return `${whole.format(reelsAnalyzed)} ${reelsAnalyzed === 1 ? "reel" : "reels"}${days}. Report of ${dayOf(createdAt.toISOString())}, times of ${timezone}.`;
}

/** The takeaways that are shown neither as advice nor as its reason. */
function remarksOf({ advice, comparisons = [], insights }: DescribedReport): readonly string[] {
  const shownTexts = [...advice.map(({ text }) => text), ...comparisons.map((one) => comparisonWords(one).claim)];
  return insights.filter((insight) => !shownTexts.some((words) => insight.startsWith(words)));
}

function reasonMarkup(comparison: Comparison): Markup {
  const { claim, figures } = comparisonWords(comparison);
  const { conclusion = claim, also = [], sureness } = comparison;
  return markup`<li dir="auto">${conclusion}<p class="hint">${figures} ${sureness === "sure" ? "Sure." : "Fairly sure."}${also.length > 0 && ` ${alsoWords(also)}`}</p></li>`;
}

function stepMarkup({ action, text, sureness, example, gain, copy, avoid }: ReportAdvice): Markup {
  return markup`<li><b dir="auto">${text}</b> <span class="sureness">${sureness === "sure" ? "Sure" : "Fairly sure"}</span>${
    gain !== undefined && markup`<p>${gain}</p>`
  }${
    copy === undefined
      ? example !== undefined && exampleMarkup(action === "avoid" ? "Such as" : "For example", example)
      : copy.map((reel) => exampleMarkup("Copy", reel))
  }${avoid !== undefined && exampleMarkup("Skip", avoid)}</li>`;
}

const exampleMarkup = (name: string, reel: TopReel): Markup =>
  markup`<p class="example">${name} <i class="${gelOf(reel.url)}"></i><span><bdi>${linkTo(reel)}</bdi>${reel.views !== undefined && markup` <small>${shortFormat.format(reel.views)} views</small>`}</span></p>`;

function figuresMarkup({ metrics }: DescribedReport): Markup | undefined {
  const { medianViews, medianLikes, medianComments, avgEngagementRate, postingFrequencyPerWeek } = metrics;
  const figures = [
    { name: "Median views", value: medianViews, numberFormat: shortFormat },
    { name: "Median likes", value: medianLikes, numberFormat: shortFormat },
    { name: "Median comments", value: medianComments, numberFormat: shortFormat },
    { name: "Engagement", value: avgEngagementRate, numberFormat: fine, unit: "%" },
    { name: "Reels per week", value: postingFrequencyPerWeek || undefined, numberFormat: fine },
  ].filter(({ value }) => value !== undefined);
  if (figures.length === 0) return undefined;
  return markup`<section><h2>Key figures</h2><dl>${figures.map(({ name, value = 0, numberFormat, unit }) => markup`<div><dt>${name}</dt><dd>${numberFormat.format(value)}${unit}</dd></div>`)}</dl></section>`;
}

/** The height of the drawing of weeks, whose width is the number of weeks. */
const height = 100;
const barWidth = 0.7;

/** Indices of the three weeks with the highest medians. */
const highestWeeks = (weeks: readonly ReportWeek[]): readonly number[] =>
  weeks
    .map(({ medianViews = 0 }, index) => ({ medianViews, index }))
    .toSorted((one, other) => other.medianViews - one.medianViews)
    .slice(0, 3)
    .map(({ index }) => index);

function weeksMarkup(weeks: readonly ReportWeek[]): Markup | undefined {
  const first = weeks[0];
  const last = weeks.at(-1);
  const most = Math.max(...weeks.map(({ medianViews = 0 }) => medianViews));
  if (first === undefined || last === undefined || weeks.length < 2 || most === 0) return undefined;
  const best = new Set(highestWeeks(weeks));
  const bars = weeks.map(({ medianViews = 0 }, index) => {
    const tall = (medianViews / most) * height;
    return markup`<rect class="${best.has(index) && "best"}" x="${index + (1 - barWidth) / 2}" y="${height - tall}" width="${barWidth}" height="${tall}"/>`;
  });
  const from = dayOf(first.start);
  const to = dayOf(last.start);
  const [top = 0] = best;
  const topWeek = `Highest: ${shortFormat.format(most)} in the week of ${dayOf(weeks[top]?.start ?? first.start)}.`;
  return markup`<section><h2>Median views by week</h2><figure class="weeks"><div class="scale"><span>${shortFormat.format(most)}</span><span>0</span></div><svg viewBox="0 0 ${weeks.length} ${height}" preserveAspectRatio="none" role="img" aria-label="Median views by week from ${from} to ${to}, at most ${shortFormat.format(most)}">${bars}</svg><div class="dates"><span>${from}</span><span>${to}</span></div><figcaption>${topWeek}</figcaption></figure></section>`;
}

const longestCaption = 90;

function linkTo({ url, caption }: TopReel): Markup | string {
  const words = caption?.trim() || url;
  const excerpt = cutText(words, longestCaption);
  const text = excerpt === words ? words : `${excerpt.trimEnd()}…`;
  return /^https?:\/\//.test(url)
    ? markup`<a href="${url}" rel="noopener noreferrer nofollow" target="_blank">${text}</a>`
    : text;
}

function reelRow(reel: TopReel): Markup {
  const { views, likes, multiple, durationSeconds, postedAt } = reel;
  const cells = [
    views === undefined ? "–" : shortFormat.format(views),
    likes === undefined ? "–" : shortFormat.format(likes),
    multiple === undefined ? "–" : timesText(multiple),
    durationSeconds === undefined ? "–" : clock(durationSeconds),
    postedAt === undefined ? "–" : dayOf(postedAt),
  ];
  return markup`<tr><td dir="auto">${linkTo(reel)}</td>${cells.map((cell) => markup`<td class="number">${cell}</td>`)}</tr>`;
}

const dayOf = (at: string): string =>
  new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" }).format(new Date(at));

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
import { gelStyle, smallCueStyle } from "./script-article.ts";
import {
  estimateFormat,
  figuresStyle,
  heatMapMarkup,
  kindsMarkup,
  shortFormat,
  timesText,
} from "./shared-report-figures.ts";

/** On paper, or in a PDF, there is no navigation and no dark color, and rows stay whole. */
const style = [
  ".report{padding-block:20px 72px;display:grid;font-variant-numeric:tabular-nums;grid-template-columns:minmax(0,1fr);gap:36px}.report h1{font-size:2.125rem;margin-bottom:8px;overflow-wrap:anywhere}.report h2{font-size:1.375rem;margin:0 0 12px}.report .hint{margin:0;text-wrap:pretty}.report h2+.hint{margin:-8px 0 12px}.report .by{font-weight:600;color:var(--ink);margin-bottom:6px;overflow-wrap:anywhere}.report [dir]{text-align:left}.report a{text-decoration-color:var(--line-2)}.report a:hover{text-decoration-color:currentColor}",
  ".boxed{border:1px solid var(--line);border-radius:12px;background:var(--raise)}section.boxed{padding:20px}",
  ".report ul,.report ol{padding-inline-start:20px;display:grid;gap:8px;max-width:72ch;overflow-wrap:anywhere}.report .steps{list-style:none;padding:0;gap:20px 32px;max-width:none;grid-template-columns:repeat(auto-fit,minmax(min(100%,260px),1fr))}.report .steps p{color:var(--ink-2);font-size:.9375rem}.report .steps p.example{display:grid;grid-template-columns:minmax(40px,auto) 18px minmax(0,1fr);gap:10px;margin-top:10px}.example i{height:32px;border-radius:4px}.example a{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden;color:var(--ink)}.example small{font-size:.8125rem}.report .steps b{font:640 1.125rem/1.35 Title,sans-serif}.report .sureness{font-size:.75rem;font-weight:500;border-radius:999px;padding:2px 8px;margin-inline-start:4px;white-space:nowrap;box-shadow:inset 0 0 0 1px var(--line-2)}.report .sureness.sure{background:var(--ok-soft);color:var(--ok);box-shadow:none}",
  ".report dl{display:grid;grid-auto-flow:column;grid-auto-columns:minmax(0,1fr);margin:0}.report dl div{padding:16px 20px;border-inline-start:1px solid var(--line)}.report dl div:first-child{border:0}.report dt{font-size:.875rem;color:var(--ink-2)}.report dd{margin:2px 0 0;font:640 2.125rem/1.2 Title,sans-serif}.report dd small{display:block;text-wrap:balance;font:400 .75rem/1.5 Sans,system-ui,sans-serif;color:var(--ink-2)}@media(max-width:820px){.report dl{grid-auto-flow:row;grid-template-columns:repeat(2,minmax(0,1fr))}.report dl div{border:0;padding:12px 16px}}",
  ".report .wide{overflow-x:auto}.report table{border-collapse:collapse;font-size:.9375rem;width:100%}.report :is(th,td){text-align:start;padding:8px 0 8px 16px;border-bottom:1px solid var(--line);vertical-align:middle}.report th{font-size:.8125rem;font-weight:500;color:var(--ink-2)}.report :is(th,td):first-child{padding-left:0;overflow-wrap:anywhere;min-width:16ch}.report .number{text-align:end;white-space:nowrap}.top td:nth-child(2),.kinds td:first-child{font-weight:600}.reel{display:grid;grid-template-columns:27px minmax(0,1fr);gap:14px;align-items:center}.reel>i{border-radius:5px}",
  ".weeks{margin:0;display:grid;grid-template-columns:auto minmax(0,1fr);gap:4px 10px;font-size:.8125rem;color:var(--ink-2)}.weeks svg{width:100%;height:180px;border-block:1px solid var(--line);background:linear-gradient(var(--line) 0 0) 0 50%/100% 1px no-repeat}.weeks rect{fill:var(--series-rest)}.weeks .best{fill:var(--series-1)}.weeks .scale,.weeks .dates{display:flex;justify-content:space-between}.weeks .scale{flex-direction:column;text-align:end;line-height:1;margin-block:-5px}.weeks :is(.dates,figcaption){grid-column:2}",
  ".whose{display:flex;gap:18px;align-items:center}.whose>div{min-width:0}.portrait{flex:none;width:64px;height:64px;border-radius:50%;display:grid;place-items:center;font:640 1.75rem/1 Title,sans-serif;print-color-adjust:exact}",
  gelStyle,
  smallCueStyle,
  ".report .reasons{list-style:none;padding:0;gap:14px}.reasons b{font-weight:600}.report summary{font-weight:600;cursor:pointer}.report details ul{margin-top:12px}",
  figuresStyle,
  "@media screen and (min-width:821px){.report .steps{row-gap:10px}.steps>li{display:grid;grid-template-rows:subgrid;grid-template-columns:minmax(0,1fr);align-content:start}.of2>li{grid-row:span 2}.of3>li{grid-row:span 3}.of4>li{grid-row:span 4}.of5>li{grid-row:span 5}.report .steps p.example{margin:0}.report{width:min(1080px,100% - 48px);padding:40px;margin-block:12px 72px;background:var(--sheet);border:1px solid var(--line);border-radius:18px}}@media screen and (max-width:600px){.report :is(th,td):not(:first-child){padding-left:8px}.report .top{font-size:.8125rem}.report .top :is(th,td):first-child{min-width:10ch}.top :is(th,td):is(:nth-child(3),:nth-child(5),:nth-child(6)){display:none}.reel{gap:10px}}",
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
      markup`<section class="boxed"><h2>What to post next week</h2><ol class="steps of${Math.max(...advice.map(rowsOf))}">${advice.map(stepMarkup)}</ol></section>`
    }${
      startFrom.length > 0 &&
      markup`<section class="boxed"><h2>What to post next week</h2><p>No rule is clear in this account. ${startFrom.some(({ multiple }) => multiple !== undefined) ? "Reels that did best among their neighbors, as examples:" : "The best reels, as examples:"}</p><ul>${startFrom.map((reel) => markup`<li><bdi>${linkTo(reel)}</bdi>${reel.multiple !== undefined && ` (${timesText(reel.multiple)})`}</li>`)}</ul></section>`
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

/** The takeaways that are shown neither as advice, as its reason, nor as a figure. */
function remarksOf({ advice, comparisons = [], insights, nextReel }: DescribedReport): readonly string[] {
  const shownTexts = [
    ...advice.map(({ text }) => text),
    ...comparisons.map((one) => comparisonWords(one).claim),
    ...(nextReel?.text === undefined ? [] : [nextReel.text]),
  ];
  return insights.filter((insight) => !shownTexts.some((words) => insight.startsWith(words)));
}

function reasonMarkup(comparison: Comparison): Markup {
  const { claim, figures } = comparisonWords(comparison);
  const { conclusion = claim, also = [], sureness } = comparison;
  return markup`<li dir="auto"><b>${conclusion}</b><p class="hint">${figures} ${sureness === "sure" ? "Sure." : "Fairly sure."}${also.length > 0 && ` ${alsoWords(also)}`}</p></li>`;
}

/** The title, the gain and the examples. */
const rowsOf = ({ gain, copy, avoid, example }: ReportAdvice): number =>
  1 + Number(gain !== undefined) + (copy?.length ?? Number(example !== undefined)) + Number(avoid !== undefined);

function stepMarkup({ action, text, sureness, example, gain, copy, avoid }: ReportAdvice): Markup {
  return markup`<li><div><b dir="auto">${text}</b> <span class="sureness${sureness === "sure" && " sure"}">${sureness === "sure" ? "Sure" : "Fairly sure"}</span></div>${
    gain !== undefined && markup`<p>${gain}</p>`
  }${
    copy === undefined
      ? example !== undefined && exampleMarkup(action === "avoid" ? "Such as" : "For example", example)
      : copy.map((reel) => exampleMarkup("Copy", reel))
  }${avoid !== undefined && exampleMarkup("Skip", avoid)}</li>`;
}

const exampleMarkup = (name: string, reel: TopReel): Markup =>
  markup`<p class="example">${name} <i class="small-cue ${gelOf(reel.url)}"></i><span><bdi>${linkTo(reel)}</bdi>${reel.views !== undefined && markup` <small>${shortFormat.format(reel.views)} views</small>`}</span></p>`;

function figuresMarkup({ metrics, nextReel, engagementFrom }: DescribedReport): Markup | undefined {
  const { medianViews, medianLikes, medianComments, avgViews, avgLikes, avgComments } = metrics;
  const { avgEngagementRate, postingFrequencyPerWeek } = metrics;
  const average = (value: number | undefined): string =>
    value === undefined ? "" : `average ${shortFormat.format(value)}`;
  const figures = [
    { name: "Median views", value: medianViews, numberFormat: shortFormat, small: average(avgViews) },
    { name: "Median likes", value: medianLikes, numberFormat: shortFormat, small: average(avgLikes) },
    { name: "Median comments", value: medianComments, numberFormat: shortFormat, small: average(avgComments) },
    {
      name: "Engagement",
      value: avgEngagementRate,
      numberFormat: fine,
      unit: "%",
      small: engagementFrom === "likes" ? "likes per view" : "likes and comments per view",
    },
    { name: "Reels per week", value: postingFrequencyPerWeek || undefined, numberFormat: fine },
    {
      name: "Next reel, probably",
      value: nextReel?.typical,
      numberFormat: estimateFormat,
      small:
        nextReel &&
        `usually ${estimateFormat.format(nextReel.low)} to ${estimateFormat.format(nextReel.high)} ${nextReel.outcome}`,
    },
  ].filter(({ value }) => value !== undefined);
  if (figures.length === 0) return undefined;
  return markup`<dl class="boxed" aria-label="Key figures">${figures.map(({ name, value = 0, numberFormat, unit, small = "" }) => markup`<div><dt>${name}</dt><dd>${numberFormat.format(value)}${unit}${small !== "" && markup`<small>${small}</small>`}</dd></div>`)}</dl>`;
}

/** The height of the drawing of weeks, whose width is the number of weeks. */
const height = 100;
const barWidth = 0.7;

/** The end of an axis from 0, of which half is as round: 400K for 396K. */
function axisEnd(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 4, 5, 6, 8].find((step) => step * power >= most) ?? 10) * power;
}

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
  const end = axisEnd(most);
  const bars = weeks.map(({ medianViews = 0 }, index) => {
    const tall = (medianViews / end) * height;
    return markup`<rect class="${best.has(index) && "best"}" x="${index + (1 - barWidth) / 2}" y="${height - tall}" width="${barWidth}" height="${tall}"/>`;
  });
  const from = dayOf(first.start);
  const to = dayOf(last.start);
  const [top = 0] = best;
  const topWeek = `Highest: ${shortFormat.format(most)} in the week of ${dayOf(weeks[top]?.start ?? first.start)}.`;
  return markup`<section><h2>Median views by week</h2><figure class="weeks"><div class="scale"><span>${shortFormat.format(end)}</span><span>${shortFormat.format(end / 2)}</span><span>0</span></div><svg viewBox="0 0 ${weeks.length} ${height}" preserveAspectRatio="none" role="img" aria-label="Median views by week from ${from} to ${to}, at most ${shortFormat.format(most)}">${bars}</svg><div class="dates"><span>${from}</span><span>${to}</span></div><figcaption>${topWeek}</figcaption></figure></section>`;
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
  return markup`<tr><td dir="auto"><span class="reel"><i class="small-cue ${gelOf(reel.url)}"></i><span>${linkTo(reel)}</span></span></td>${cells.map((cell) => markup`<td class="number">${cell}</td>`)}</tr>`;
}

const dayOf = (at: string): string =>
  new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" }).format(new Date(at));

import { engagementRate } from "@reelscript/contract";
import type { SeenReel } from "./merge-reels.ts";
import { fewestReels, fewestReelsOfHour, isSettled, metricsOf, settledHours, type HourOfWeek } from "./rules.ts";
import { average, known, median } from "./statistics.ts";
import { count, day, duration, percent, plural, times } from "./wording.ts";

/** Times the median from which a reel stands out. */
const outlier = 3;
/** Two halves that are closer than this are said to be alike. */
const clearRatio = 1.25;
/** Reels on each side without which two groups are not compared. */
const fewestToCompare = 5;
const mostHashtags = 30;

interface Sample {
  readonly reels: readonly SeenReel[];
  /** Those whose views have settled. */
  readonly settled: readonly SeenReel[];
  readonly hours: readonly HourOfWeek[];
  readonly timezone: string;
}

type Dated = SeenReel & { readonly postedAt: Date };
/** A sentence, or `undefined` when the reels do not tell enough for one. */
type Insight = (sample: Sample) => string | undefined;

/** What the reels tell, as sentences with the numbers behind them; under 12 reels only that they are too few. */
export function insightsOf(
  reels: readonly SeenReel[],
  context: { readonly collectedAt: Date; readonly timezone: string; readonly hours: readonly HourOfWeek[] },
): string[] {
  if (reels.length < fewestReels)
    return [
      `Only ${plural(reels.length, "reel was", "reels were")} analyzed: at least ${fewestReels} are needed to say more than averages.`,
    ];
  const settled = reels.filter((reel) => isSettled(reel, context.collectedAt));
  return insights
    .map((insight) => insight({ ...context, reels, settled }))
    .filter((sentence) => sentence !== undefined);
}

const outliers: Insight = ({ settled }) => {
  const viewed = settled.filter((reel) => reel.views !== null).toSorted((one, other) => other.views! - one.views!);
  const middle = median(known(viewed, viewsOf));
  const [first] = viewed;
  if (first === undefined || !middle || viewed.length < fewestToCompare) return undefined;
  const above = known(viewed, viewsOf).filter((views) => views >= outlier * middle).length;
  const strongest = `${times(first.views! / middle)} the median (${count(first.views!)} views): ${first.url}`;
  return above === 0
    ? `No reel stands out: of ${viewed.length} reels none has ${outlier} times the median of ${count(middle)} views; the most viewed has ${strongest}`
    : `${above} of ${viewed.length} reels ${above === 1 ? "has" : "have"} at least ${outlier} times the median of ${count(middle)} views; the strongest has ${strongest}`;
};

const concentration: Insight = ({ reels }) => {
  const views = known(reels, viewsOf).toSorted((one, other) => other - one);
  const total = views.reduce((sum, one) => sum + one, 0);
  if (views.length < fewestReels || total === 0) return undefined;
  const top = Math.ceil(views.length / 10);
  const share = (views.slice(0, top).reduce((sum, one) => sum + one, 0) / total) * 100;
  return `The most viewed tenth (${plural(top, "reel")} of ${views.length}) brings ${percent(share)} of all ${count(total)} views.`;
};

const bestHour: Insight = ({ settled, hours, timezone }) => {
  const dated = datedOf(settled).filter(({ views }) => views !== null);
  const overall = average(known(dated, viewsOf));
  const [best] = hours;
  if (!overall) return undefined;
  if (best === undefined)
    return `No hour of the week has ${fewestReelsOfHour} reels older than ${settledHours} hours, so nothing can be said of posting times (${dated.length} reels looked at).`;
  const compared =
    hours.length === 1 ? "the only hour with enough reels to say so" : `the best of ${hours.length} hours with enough`;
  return `Reels posted on ${best.dayOfWeek} between ${best.hour}:00 and ${best.hour + 1}:00 (${timezone}) average ${count(best.avgViews)} views over ${best.reels} reels, ${compared}; all ${dated.length} average ${count(overall)}. So few reels are a hint, not a proof.`;
};

const length: Insight = ({ settled }) =>
  halves({
    reels: settled,
    by: ({ durationSeconds }) => durationSeconds,
    low: (middle) => `reels of up to ${count(middle)} s`,
    high: "longer ones",
    alike: "Length makes no clear difference",
  });

const captionLength: Insight = ({ settled }) =>
  halves({
    reels: settled,
    by: ({ caption }) => (caption === null ? null : Array.from(caption).length),
    low: (middle) => `reels with captions of up to ${count(middle)} characters`,
    high: "those with longer ones",
    alike: "The length of captions makes no clear difference",
  });

const hashtags: Insight = ({ settled }) => {
  const captioned = taggedOf(settled);
  const having = captioned.filter(({ tags }) => tags.size > 0);
  if (captioned.length < fewestReels) return undefined;
  if (having.length === 0) return `No caption of ${captioned.length} has a hashtag.`;
  return (
    compare({
      first: ["reels with hashtags", having],
      second: ["those without", captioned.filter(({ tags }) => tags.size === 0)],
      alike: "Hashtags make no clear difference",
    }) ?? `${having.length} of ${captioned.length} captions have hashtags: too one-sided to compare.`
  );
};

const favouriteHashtag: Insight = ({ settled }) => {
  const captioned = taggedOf(settled).filter(({ views }) => views !== null);
  const uses = new Map<string, number>();
  for (const { tags } of captioned) for (const tag of tags) uses.set(tag, (uses.get(tag) ?? 0) + 1);
  const [favourite] = [...uses]
    .filter(([, reelCount]) => captioned.length - reelCount >= fewestToCompare)
    .toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
  if (favourite === undefined) return undefined;
  const [tag] = favourite;
  return compare({
    first: [`reels with #${tag}`, captioned.filter(({ tags }) => tags.has(tag))],
    second: ["those without it", captioned.filter(({ tags }) => !tags.has(tag))],
    alike: `#${tag} makes no clear difference`,
  });
};

const cadence: Insight = ({ reels, timezone }) => {
  const dated = datedOf(reels);
  const { postingFrequencyPerWeek } = metricsOf(reels);
  if (postingFrequencyPerWeek === undefined || dated.length < fewestReels) return undefined;
  return `${dated.length} reels from ${day(dated[0]!.postedAt, timezone)} to ${day(dated.at(-1)!.postedAt, timezone)}: ${count(postingFrequencyPerWeek)} per week on average.`;
};

const cadenceChange: Insight = ({ reels }) => {
  const moments = datedOf(reels).map(({ postedAt }) => postedAt.getTime());
  const [first = 0] = moments;
  const span = (moments.at(-1) ?? 0) - first;
  if (moments.length < fewestReels || span === 0) return undefined;
  const earlier = moments.filter((moment) => moment < first + span / 2).length;
  const later = moments.length - earlier;
  const ratio = later / earlier;
  const change = ratio >= clearRatio ? "is rising" : ratio <= 1 / clearRatio ? "is falling" : "is steady";
  return `The pace ${change}: ${plural(later, "reel")} in the later half of the period, ${earlier} in the earlier (${duration(span / 2)} each).`;
};

const gaps: Insight = ({ reels, timezone }) => {
  const dated = datedOf(reels);
  const pauses = dated.slice(1).map(({ postedAt }, index) => ({
    from: dated[index]!.postedAt,
    to: postedAt,
    milliseconds: postedAt.getTime() - dated[index]!.postedAt.getTime(),
  }));
  const usual = median(pauses.map(({ milliseconds }) => milliseconds));
  const [longest] = pauses.toSorted((one, other) => other.milliseconds - one.milliseconds);
  if (usual === undefined || longest === undefined || dated.length < fewestReels) return undefined;
  return `The longest pause between two reels was ${duration(longest.milliseconds)}, from ${day(longest.from, timezone)} to ${day(longest.to, timezone)}; the usual one is ${duration(usual)} (median of ${pauses.length}).`;
};

const engagementTrend: Insight = ({ reels }) => {
  const rated = datedOf(reels).filter((reel) => engagementRate(reel) !== null);
  if (rated.length < fewestReels) return undefined;
  const half = Math.floor(rated.length / 2);
  const older = average(known(rated.slice(0, half), engagementRate))!;
  const newer = average(known(rated.slice(-half), engagementRate))!;
  return `Engagement is ${trend(older, newer)}: ${percent(newer)} on average over the newest ${half} reels, ${percent(older)} over the oldest ${half}.`;
};

const viewsTrend: Insight = ({ settled }) => {
  const viewed = datedOf(settled).filter(({ views }) => views !== null);
  if (viewed.length < fewestReels) return undefined;
  const half = Math.floor(viewed.length / 2);
  const older = median(known(viewed.slice(0, half), viewsOf))!;
  const newer = median(known(viewed.slice(-half), viewsOf))!;
  return `Views are ${trend(older, newer)}: a median of ${count(newer)} over the newest ${half} reels older than ${settledHours} hours, ${count(older)} over the oldest ${half}.`;
};

const coverage: Insight = ({ reels }) => {
  const missing = [
    ["views", reels.filter(({ views }) => views === null).length],
    ["likes", reels.filter(({ likes }) => likes === null).length],
    ["comments", reels.filter(({ comments }) => comments === null).length],
    ["date", reels.filter(({ postedAt }) => postedAt === null).length],
  ] as const;
  const told = missing.filter(([, reelCount]) => reelCount > 0).map(([what, reelCount]) => `${what} of ${reelCount}`);
  if (told.length === 0) return undefined;
  return `Not known of ${reels.length} reels: ${told.join(", ")}; averages leave these out.`;
};

/** In the order in which they are told. */
const insights: readonly Insight[] = [
  outliers,
  bestHour,
  viewsTrend,
  engagementTrend,
  length,
  captionLength,
  hashtags,
  favouriteHashtag,
  cadence,
  cadenceChange,
  gaps,
  concentration,
  coverage,
];

const viewsOf = ({ views }: SeenReel): number | null => views;

/** Oldest first. */
const datedOf = (reels: readonly SeenReel[]): Dated[] =>
  reels
    .filter((reel): reel is Dated => reel.postedAt !== null)
    .toSorted((one, other) => one.postedAt.getTime() - other.postedAt.getTime());

type Tagged = SeenReel & { readonly tags: ReadonlySet<string> };

const taggedOf = (reels: readonly SeenReel[]): Tagged[] =>
  reels.flatMap((reel) => (reel.caption === null ? [] : [{ ...reel, tags: tagsOf(reel.caption) }]));

/** The hashtags of a caption, no more than the platform takes. */
function tagsOf(caption: string): Set<string> {
  const tags = new Set<string>();
  for (const [, tag = ""] of caption.matchAll(/#([\p{L}\p{M}\p{N}_]+)/gu)) {
    tags.add(tag.toLowerCase());
    if (tags.size === mostHashtags) break;
  }
  return tags;
}

function trend(older: number, newer: number): string {
  if (newer >= older * clearRatio && newer > older) return "rising";
  return newer * clearRatio <= older && newer < older ? "falling" : "steady";
}

/** Compares the views of the reels up to the median of a measure with those above it. */
function halves(split: {
  readonly reels: readonly SeenReel[];
  readonly by: (reel: SeenReel) => number | null;
  readonly low: (middle: number) => string;
  readonly high: string;
  readonly alike: string;
}): string | undefined {
  const measured = split.reels
    .filter(({ views }) => views !== null)
    .map((reel) => ({ ...reel, measure: split.by(reel) }))
    .filter((reel): reel is typeof reel & { measure: number } => reel.measure !== null);
  const middle = median(measured.map(({ measure }) => measure));
  if (middle === undefined) return undefined;
  return compare({
    first: [split.low(middle), measured.filter(({ measure }) => measure <= middle)],
    second: [split.high, measured.filter(({ measure }) => measure > middle)],
    alike: split.alike,
  });
}

type Group = readonly [name: string, reels: readonly SeenReel[]];

/** Says the median views of two groups and how many reels each has; `undefined` when one is too small. */
function compare(groups: {
  readonly first: Group;
  readonly second: Group;
  readonly alike: string;
}): string | undefined {
  const measured = [groups.first, groups.second].map(([name, reels]) => {
    const views = known(reels, viewsOf);
    return { size: views.length, middle: median(views) ?? 0, name };
  });
  if (measured.some(({ size }) => size < fewestToCompare)) return undefined;
  const told = ({ name, middle, size }: (typeof measured)[number]): string =>
    `${name} have a median of ${count(middle)} views (${size} reels)`;
  const ranked = measured.toSorted((one, other) => other.middle - one.middle);
  const [more = 0, less = 0] = ranked.map(({ middle }) => middle);
  if (more === 0 || more < less * clearRatio) return `${groups.alike}: ${measured.map(told).join(", ")}.`;
  const ratio = less === 0 ? "" : `, ${times(more / less)} as many`;
  return `${capitalised(ranked.map(told).join(", "))}${ratio}.`;
}

const capitalised = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1);

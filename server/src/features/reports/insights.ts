import { engagementRate } from "@reelscript/contract";
import {
  clearRatio,
  compare,
  checkedOnly,
  fewestToCompare,
  halves,
  strengthOf,
  viewsOf,
  type Finding,
} from "./compare-reels.ts";
import type { SeenReel } from "./merge-reels.ts";
import {
  fewestReels,
  fewestReelsOfHour,
  isSettled,
  metricsOf,
  settledHours,
  type HourOfWeek,
} from "./report-figures.ts";
import { average, known, median } from "./statistics.ts";
import { count, day, duration, percent, plural, times } from "./format-figures.ts";

/** Times the median from which a reel stands out. */
const outlier = 3;
const mostHashtags = 30;
/** More would not be read. */
const mostFindings = 5;

interface Sample {
  readonly reels: readonly SeenReel[];
  /** Those whose views have settled. */
  readonly settled: readonly SeenReel[];
  readonly hours: readonly HourOfWeek[];
  readonly timezone: string;
}

type Dated = SeenReel & { readonly postedAt: Date };
/** `undefined` when the reels are too few for a sentence. */
type Insight = (sample: Sample) => Finding | undefined;

/**
 * What is really supported, strongest first, and everything else that was checked; as sentences with the numbers behind
 * them. Under 12 reels only that they are too few.
 */
export function insightsOf(
  reels: readonly SeenReel[],
  context: { readonly collectedAt: Date; readonly timezone: string; readonly hours: readonly HourOfWeek[] },
): { readonly insights: string[]; readonly checked: string[] } {
  if (reels.length < fewestReels)
    return {
      insights: [
        `Only ${plural(reels.length, "reel was", "reels were")} analyzed: at least ${fewestReels} are needed to say more than averages.`,
      ],
      checked: [],
    };
  const settled = reels.filter((reel) => isSettled(reel, context.collectedAt));
  const found = insights
    .map((insight) => insight({ ...context, reels, settled }))
    .filter((finding) => finding !== undefined);
  const supported = found
    .filter(({ strength }) => strength > 0)
    .toSorted((one, other) => other.strength - one.strength)
    .slice(0, mostFindings);
  const rest = found.filter((finding) => !supported.includes(finding)).map(({ text }) => text);
  return supported.length > 0
    ? { insights: supported.map(({ text }) => text), checked: rest }
    : { insights: [noPattern(reels.length)], checked: rest };
}

const noPattern = (reelCount: number): string =>
  `No clear pattern yet: in these ${count(reelCount)} reels nothing changes views reliably.`;

const outliers: Insight = ({ settled }) => {
  const viewed = settled.filter((reel) => reel.views !== null).toSorted((one, other) => other.views! - one.views!);
  const middle = median(known(viewed, viewsOf));
  const [first] = viewed;
  if (first === undefined || !middle || viewed.length < fewestToCompare) return undefined;
  const above = known(viewed, viewsOf).filter((views) => views >= outlier * middle).length;
  const strongest = `${times(first.views! / middle)} that (${count(first.views!)} views): ${first.url}`;
  return above === 0
    ? checkedOnly(
        `No reel took off: none of ${viewed.length} has ${outlier} times the typical ${count(middle)} views. The best has ${strongest}`,
      )
    : {
        text: `${above} of ${viewed.length} reels took off: at least ${outlier} times the typical ${count(middle)} views. The best has ${strongest}`,
        strength: 1,
      };
};

const concentration: Insight = ({ reels }) => {
  const views = known(reels, viewsOf).toSorted((one, other) => other - one);
  const total = views.reduce((sum, one) => sum + one, 0);
  if (views.length < fewestReels || total === 0) return undefined;
  const top = Math.ceil(views.length / 10);
  const share = (views.slice(0, top).reduce((sum, one) => sum + one, 0) / total) * 100;
  return checkedOnly(
    `The top tenth (${plural(top, "reel")} of ${views.length}) brings ${percent(share)} of all ${count(total)} views.`,
  );
};

const bestHour: Insight = ({ settled, hours, timezone }) => {
  const dated = datedOf(settled).filter(({ views }) => views !== null);
  const overall = median(known(dated, viewsOf));
  const [best] = hours;
  if (!overall) return undefined;
  if (best === undefined)
    return checkedOnly(
      `No hour of the week has ${fewestReelsOfHour} reels older than ${settledHours} hours, so there is no best time yet (${dated.length} reels checked).`,
    );
  const text = `Reels posted on ${best.dayOfWeek} between ${best.hour}:00 and ${best.hour + 1}:00 (${timezone}) typically get ${count(best.medianViews)} views: ${best.reels} reels, ${hours.length === 1 ? "the only hour with enough to say so" : `the best of ${hours.length} hours with enough`}. All ${dated.length} reels typically get ${count(overall)}.`;
  const isClear = best.reels >= fewestToCompare && best.medianViews >= overall * clearRatio;
  return { text, strength: isClear ? Math.log(best.medianViews / overall) : 0 };
};

const length: Insight = ({ settled }) =>
  halves({
    reels: settled,
    by: ({ durationSeconds }) => durationSeconds,
    low: (middle) => `reels of up to ${count(middle)} s`,
    high: "longer reels",
    alike: "Length makes no clear difference",
  });

const captionLength: Insight = ({ settled }) =>
  halves({
    reels: settled,
    by: ({ caption }) => (caption === null ? null : Array.from(caption).length),
    low: (middle) => `reels with captions of up to ${count(middle)} characters`,
    high: "reels with longer captions",
    alike: "The length of captions makes no clear difference",
  });

const hashtags: Insight = ({ settled }) => {
  const captioned = taggedOf(settled);
  const having = captioned.filter(({ tags }) => tags.size > 0);
  if (captioned.length < fewestReels) return undefined;
  if (having.length === 0) return checkedOnly(`None of ${captioned.length} captions has a hashtag.`);
  return (
    compare({
      first: ["reels with hashtags", having],
      second: ["reels without hashtags", captioned.filter(({ tags }) => tags.size === 0)],
      alike: "Hashtags make no clear difference",
    }) ?? checkedOnly(`${having.length} of ${captioned.length} captions have hashtags: too one-sided to compare.`)
  );
};

const favoriteHashtag: Insight = ({ settled }) => {
  const captioned = taggedOf(settled).filter(({ views }) => views !== null);
  const uses = new Map<string, number>();
  for (const { tags } of captioned) for (const tag of tags) uses.set(tag, (uses.get(tag) ?? 0) + 1);
  const [favorite] = [...uses]
    .filter(([, reelCount]) => captioned.length - reelCount >= fewestToCompare)
    .toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
  if (favorite === undefined) return undefined;
  const [tag] = favorite;
  return compare({
    first: [`reels with #${tag}`, captioned.filter(({ tags }) => tags.has(tag))],
    second: [`reels without #${tag}`, captioned.filter(({ tags }) => !tags.has(tag))],
    alike: `#${tag} makes no clear difference`,
  });
};

const cadence: Insight = ({ reels, timezone }) => {
  const dated = datedOf(reels);
  const { postingFrequencyPerWeek } = metricsOf(reels);
  if (postingFrequencyPerWeek === undefined || dated.length < fewestReels) return undefined;
  return checkedOnly(
    `${dated.length} reels from ${day(dated[0]!.postedAt, timezone)} to ${day(dated.at(-1)!.postedAt, timezone)}: ${count(postingFrequencyPerWeek)} per week on average.`,
  );
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
  return checkedOnly(
    `The pace ${change}: ${plural(later, "reel")} in the later half of the period, ${earlier} in the earlier (${duration(span / 2)} each).`,
  );
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
  return checkedOnly(
    `The longest pause between two reels was ${duration(longest.milliseconds)}, from ${day(longest.from, timezone)} to ${day(longest.to, timezone)}; the usual one is ${duration(usual)} (median of ${pauses.length}).`,
  );
};

const engagementTrend: Insight = ({ reels }) => {
  const rated = datedOf(reels).filter((reel) => engagementRate(reel) !== null);
  if (rated.length < fewestReels) return undefined;
  const half = Math.floor(rated.length / 2);
  const [older, newer] = [known(rated.slice(0, half), engagementRate), known(rated.slice(-half), engagementRate)];
  const [before, now] = [average(older)!, average(newer)!];
  const course = trend(before, now);
  return {
    text: `Engagement is ${course}: ${percent(now)} on average over the newest ${half} reels, ${percent(before)} over the oldest ${half}.`,
    strength: course === "steady" ? 0 : strengthOf(older, newer, before, now),
  };
};

const viewsTrend: Insight = ({ settled }) => {
  const viewed = datedOf(settled).filter(({ views }) => views !== null);
  if (viewed.length < fewestReels) return undefined;
  const half = Math.floor(viewed.length / 2);
  const [older, newer] = [known(viewed.slice(0, half), viewsOf), known(viewed.slice(-half), viewsOf)];
  const [before, now] = [median(older)!, median(newer)!];
  const course = trend(before, now);
  return {
    text: `Views are ${course}: typically ${count(now)} over the newest ${half} reels older than ${settledHours} hours, ${count(before)} over the oldest ${half}.`,
    strength: course === "steady" ? 0 : strengthOf(older, newer, before, now),
  };
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
  return checkedOnly(`Of ${reels.length} reels some values are hidden: ${told.join(", ")}. Averages skip them.`);
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
  favoriteHashtag,
  cadence,
  cadenceChange,
  gaps,
  concentration,
  coverage,
];

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

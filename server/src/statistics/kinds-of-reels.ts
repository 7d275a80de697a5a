import type { KindOfReels } from "@reelscript/contract";
import { knownValues, median } from "./averages.ts";
import type { Engagement } from "./report-figures.ts";
import type { SeenReel } from "./merge-reels.ts";
import { fewestToCompare } from "./thresholds.ts";
import { seriesOf, topicsOf } from "./topics.ts";
import type { Traits } from "./traits.ts";

interface KnownOfReels {
  readonly traits: ReadonlyMap<SeenReel, Traits>;
  readonly multiples: ReadonlyMap<SeenReel, number>;
  readonly engagement: Engagement;
  readonly handle: string;
}

/** Seconds up to which reels are of one format. */
const lengths: readonly (readonly [name: string, above: number, upTo: number])[] = [
  ["up to 15 s", -1, 15],
  ["15 to 30 s", 15, 30],
  ["30 to 60 s", 30, 60],
  ["1 to 3 min", 60, 180],
  ["over 3 min", 180, Number.POSITIVE_INFINITY],
];

/** Which kinds of reels there are, and how each does. Kinds of fewer than five reels are left out. */
export function kindsOfReels(
  reels: readonly SeenReel[],
  facts: KnownOfReels,
): { readonly formats?: KindOfReels[]; readonly pillars?: KindOfReels[] } {
  const all = reels.map((reel) => facts.traits.get(reel)!);
  const kind = (name: string, isIn: (traits: Traits) => boolean | null): KindOfReels[] =>
    kindOf(name, reels, facts, (reel) => isIn(facts.traits.get(reel)!));
  const formats = [
    ...lengths.flatMap(([name, above, upTo]) =>
      kind(name, ({ durationSeconds: time }) => (time === null ? null : time > above && time <= upTo)),
    ),
    ...kind("with speech", ({ spokenWords }) => (spokenWords === null ? null : spokenWords > 0)),
    ...kind("without speech", ({ spokenWords }) => (spokenWords === null ? null : spokenWords === 0)),
  ];
  const topics = topicsOf(
    all.flatMap((one) => one.topics ?? []),
    facts.handle,
  );
  const tags = topics.filter((topic) => topic.startsWith("#"));
  const pillars = [
    // Tags name what reels are about. Single words do so only where there are none.
    ...(tags.length > 0 ? tags : topics).flatMap((topic) => kind(topic, (one) => one.topics && one.topics.has(topic))),
    ...seriesOf(
      all.flatMap(({ title }) => title ?? []),
      facts.handle,
    ).flatMap((series) => kind(`${series} (series)`, ({ title }) => (title === null ? null : title === series))),
  ];
  return { ...(formats.length > 0 && { formats }), ...(pillars.length > 0 && { pillars }) };
}

function kindOf(
  name: string,
  reels: readonly SeenReel[],
  { multiples, engagement }: KnownOfReels,
  isIn: (reel: SeenReel) => boolean | null,
): KindOfReels[] {
  const members = reels.map((reel) => ({ reel, isIn: isIn(reel) })).filter((one) => one.isIn !== null);
  const some = members.filter((one) => one.isIn).map(({ reel }) => reel);
  if (some.length < fewestToCompare) return [];
  const hasViews = some.some(({ views }) => views !== null);
  const rate = median(knownValues(some, engagement.rateOf));
  return [
    {
      name,
      reels: some.length,
      share: some.length / members.length,
      typical: median(knownValues(some, ({ views, likes }) => (hasViews ? views : likes))),
      multiple: median(knownValues(some, (reel) => multiples.get(reel) ?? null)),
      ...(rate !== undefined && { engagementRate: rate }),
    },
  ];
}

import type { Opening } from "@reelscript/contract";
import { dayMilliseconds } from "../rules/days.ts";
import { inOrderOfTime } from "./ages.ts";
import { createLocalTime } from "./local-time.ts";
import type { SeenReel } from "./merge-reels.ts";
import { openingsOf } from "./openings.ts";
import { hashtagsIn, tokensOf } from "./topics.ts";

/** Traits of a reel that may matter for its views; `null` means unknown. */
export interface Traits {
  /** 0 to 23, in the audience's time zone. */
  readonly hour: number | null;
  readonly durationSeconds: number | null;
  readonly hashtags: number | null;
  readonly topics: ReadonlySet<string> | null;
  readonly openings: ReadonlySet<Opening> | null;
  /** The words with which the titles of a series begin; empty for a caption without words. */
  readonly title: string | null;
  /** True if an earlier reel has the same caption. */
  readonly isRepost: boolean | null;
  /** Days since the reel before; `null` for the first one. */
  readonly pauseDays: number | null;
  /** Words spoken; 0 without speech. */
  readonly spokenWords: number | null;
  readonly wordsPerMinute: number | null;
  readonly spokenOpenings: ReadonlySet<Opening> | null;
}

/** Shorter captions are alike by chance. */
const shortestRepost = 25;
const titleWords = 2;
/** Fewer words are noise that a recognizer takes for speech. */
const fewestSpoken = 5;
const word = /[\p{L}\p{M}\p{N}'’]+/gu;

/** The traits of all reels of a collection; a repost and a pause depend on the other reels. */
export function traitsOf(reels: readonly SeenReel[], timezone: string): ReadonlyMap<SeenReel, Traits> {
  const localTime = createLocalTime(timezone);
  const captions = new Set<string>();
  const traits = new Map<SeenReel, Traits>();
  let before: Date | null = null;
  for (const reel of reels.toSorted(inOrderOfTime)) {
    const { caption, postedAt, durationSeconds, spoken = null } = reel;
    const bare = caption === null ? "" : bareCaption(caption);
    const spokenWords = spoken === null ? null : (spoken.match(word)?.length ?? 0);
    const speaks = spokenWords !== null && spokenWords >= fewestSpoken;
    traits.set(reel, {
      hour: postedAt === null ? null : localTime(postedAt).hour,
      durationSeconds,
      hashtags: caption === null ? null : hashtagsIn(caption),
      topics: caption === null ? null : new Set(tokensOf(caption)),
      openings: caption === null ? null : openingsOf(caption),
      title: caption === null ? null : titleOf(bare),
      isRepost: caption === null ? null : bare.length >= shortestRepost && captions.has(bare),
      pauseDays:
        postedAt === null || before === null ? null : (postedAt.getTime() - before.getTime()) / dayMilliseconds,
      spokenWords: spokenWords !== null && !speaks ? 0 : spokenWords,
      wordsPerMinute:
        speaks && durationSeconds !== null && durationSeconds > 0 ? (60 * spokenWords) / durationSeconds : null,
      spokenOpenings: spoken === null || !speaks ? null : openingsOf(spoken),
    });
    if (caption !== null) captions.add(bare);
    before = postedAt ?? before;
  }
  return traits;
}

/** A caption without its hashtags and mentions, in lower case. */
const bareCaption = (caption: string): string =>
  caption
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[#＃@][\p{L}\p{M}\p{N}_.]+/gu, " ")
    .replaceAll(/\s+/gu, " ")
    .trim();

/** The first words of a caption without their numbers, so that "Day 3: soup" and "Day 4: rice" share theirs. */
function titleOf(bare: string): string {
  const first = bare.split(/[:|–—\n]/u, 1)[0] ?? "";
  const words = (first.match(word) ?? []).filter((one) => !/^\p{N}+$/u.test(one));
  return words.slice(0, titleWords).join(" ");
}

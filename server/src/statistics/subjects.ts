import type { Comparison } from "@reelscript/contract";
import type { Membership } from "./find-differences.ts";
import type { Traits } from "./traits.ts";
import { hoursOfBlock } from "./thresholds.ts";

/** The subject of a comparison, before its difference is known. */
export type Subject = Pick<Comparison, "kind" | "hours" | "upTo" | "above" | "topic" | "opening">;

/** 1 for a reel with the subject, 0 for one without, -1 if that isn't known or a subject isn't about single reels. */
export function memberOf(subject: Subject, traits: Traits): Membership[number] {
  const { kind, hours, topic = "", opening } = subject;
  switch (kind) {
    case "postingHours":
      return hours === undefined ? -1 : inBlock(traits.hour, hours.from);
    case "length":
      return bySize(traits.durationSeconds, subject);
    case "hashtags":
      return bySize(traits.hashtags, subject.upTo === undefined ? { above: subject.above ?? 0 } : subject);
    case "topic":
      return memberIf(traits.topics, (topics) => topics.has(topic));
    case "opening":
      return opening === undefined ? -1 : memberIf(traits.openings, (openings) => openings.has(opening));
    case "spokenOpening":
      return opening === undefined ? -1 : memberIf(traits.spokenOpenings, (openings) => openings.has(opening));
    case "series":
      return memberIf(traits.title, (title) => title === topic);
    case "repost":
      return memberIf(traits.isRepost, (isRepost) => isRepost);
    case "pause":
      return bySize(traits.pauseDays, subject);
    case "speech":
      return bySize(traits.spokenWords, subject.upTo === undefined ? { above: 0 } : subject);
    case "pace":
      return bySize(traits.wordsPerMinute, subject);
    case "postingDays":
    case "captionLength":
    case "views":
    case "engagement":
      return -1;
  }
}

const memberIf = <Value>(value: Value | null, isIn: (value: Value) => boolean): Membership[number] =>
  value === null ? -1 : isIn(value) ? 1 : 0;

const inBlock = (hour: number | null, from: number): Membership[number] =>
  memberIf(hour, (value) => value >= from && value < from + hoursOfBlock);

const bySize = (size: number | null, { upTo, above }: Pick<Subject, "upTo" | "above">): Membership[number] =>
  memberIf(size, (value) => (upTo === undefined ? value > (above ?? 0) : value <= upTo));

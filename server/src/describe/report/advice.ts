import type { Comparison, Opening, ReportAdvice } from "@reelscript/contract";
import { alsoWords, clockHours, comparisonWords, gainWords, outcomeOf, quoted } from "@reelscript/contract";
import { isNoTopic } from "../../statistics/topics.ts";

const mostLines = 3;
/** Advice is left out where such a share of the posts follows it already. */
const alreadyDone = 0.9;

/** Kinds that change the same thing about a reel. The plan has one line of each. */
const subjects: Readonly<Record<Comparison["kind"], string>> = {
  postingHours: "time",
  postingDays: "time",
  pause: "pace of posting",
  length: "length",
  captionLength: "caption",
  hashtags: "hashtags",
  topic: "topic",
  series: "topic",
  opening: "opening",
  spokenOpening: "opening",
  repost: "repost",
  speech: "speech",
  pace: "speech",
  views: "course",
  engagement: "course",
};

/**
 * Turns clear differences into at most three lines of advice, each of another kind, best first: views and likes come before
 * engagement. Nothing advises what nearly all posts do already, or what nobody can choose.
 */
export function adviceOf(comparisons: readonly Comparison[], handle: string): ReportAdvice[] {
  const isSecond = (one: Comparison): number => Number(outcomeOf(one) === "engagement");
  const isOwnName = isNoTopic(handle);
  const clear = comparisons
    .filter((one) => one.clear && one.sureness !== undefined && !isDoneAlready(one))
    .filter(({ topic = "" }) => !isOwnName(topic))
    .toSorted((one, other) => isSecond(one) - isSecond(other));
  const lines: { readonly about: string; readonly line: ReportAdvice }[] = [];
  for (const one of clear) {
    const step = stepOf(one);
    const about = subjects[one.kind];
    if (step === undefined || lines.length === mostLines || lines.some((line) => line.about === about)) continue;
    lines.push({
      about,
      line: lineOf(one, { ...step, text: `${step.text}${isSecond(one) ? " for engagement" : ""}.` }),
    });
  }
  return lines.map(({ line }) => line);
}

function lineOf(one: Comparison, { action, text }: Step): ReportAdvice {
  const { claim, figures } = comparisonWords(one);
  const { sureness = "fairly sure", also = [], copy, avoid, proof } = one;
  return {
    action,
    text,
    sureness,
    claim,
    figures,
    example: proof[0],
    gain: action === "avoid" ? `Without it: ${gainWords(one).replace(/^A/u, "a")}` : gainWords(one),
    ...(also.length > 0 && { also: alsoWords(also) }),
    ...(copy && { copy }),
    ...(avoid && { avoid }),
  };
}

const isDoneAlready = ({ times, reels, otherReels }: Comparison): boolean =>
  (times > 1 ? reels : otherReels) >= alreadyDone * (reels + otherReels);

interface Step {
  readonly action: ReportAdvice["action"];
  /** Without the full stop. */
  readonly text: string;
}

function stepOf(comparison: Comparison): Step | undefined {
  const { kind, times, hours, upTo, above, topic = "", opening } = comparison;
  const isMore = times > 1;
  switch (kind) {
    case "postingHours": {
      if (hours === undefined) return undefined;
      const clock = clockHours(hours);
      return isMore ? { action: "postAt", text: `Post at ${clock}` } : { action: "avoid", text: `Avoid ${clock}` };
    }
    case "length":
      return upTo === undefined
        ? { action: "goOver", text: `Make it longer than ${seconds(above ?? 0)}` }
        : { action: "keepUnder", text: `Keep it under ${seconds(upTo)}` };
    case "hashtags":
      return hashtagStep(upTo, above);
    case "topic":
      if (isMore) return { action: "doMore", text: `Do more with ${quoted(topic)}` };
      // A tag can be left out; a word belongs to what is said.
      return topic.startsWith("#") ? { action: "avoid", text: `Avoid ${quoted(topic)}` } : undefined;
    case "series":
      return isMore
        ? { action: "doMore", text: `Continue the series ${quoted(topic)}` }
        : { action: "avoid", text: `Pause the series ${quoted(topic)}` };
    case "opening":
    case "spokenOpening":
      return opening === undefined ? undefined : openingStep(kind, opening, isMore);
    case "repost":
      return isMore
        ? { action: "doMore", text: "Post earlier reels again" }
        : { action: "avoid", text: "Don’t post earlier reels again" };
    case "speech":
      return upTo === undefined
        ? { action: "doMore", text: "Speak in it" }
        : { action: "avoid", text: "Let it do without speech" };
    case "pace":
      return upTo === undefined
        ? { action: "goOver", text: `Speak more than ${Math.round(above ?? 0)} words a minute` }
        : { action: "keepUnder", text: `Speak at most ${Math.round(upTo)} words a minute` };
    case "pause":
      return upTo === undefined
        ? { action: "goOver", text: `Leave more than ${pause(above ?? 0)} between reels` }
        : { action: "keepUnder", text: `Post the next reel within ${pause(upTo)}` };
    case "postingDays":
    case "captionLength":
    case "views":
    case "engagement":
      return undefined;
  }
}

function hashtagStep(upTo: number | undefined, above: number | undefined): Step {
  if (upTo !== undefined)
    return upTo < 1
      ? { action: "avoid", text: "Avoid hashtags" }
      : { action: "keepUnder", text: `Use at most ${hashtags(Math.floor(upTo))}` };
  return above === undefined || above < 1
    ? { action: "doMore", text: "Use hashtags" }
    : { action: "goOver", text: `Use more than ${hashtags(Math.floor(above))}` };
}

const openingsToUse: Readonly<Record<Opening, string>> = {
  question: "a question",
  number: "a number",
  firstPerson: "“I” or “we”",
  howTo: "how to do something",
};

function openingStep(kind: "opening" | "spokenOpening", opening: Opening, isMore: boolean): Step {
  const what = kind === "opening" ? "captions" : "speech";
  return isMore
    ? { action: "doMore", text: `Begin ${what} with ${openingsToUse[opening]}` }
    : { action: "avoid", text: `Don’t begin ${what} with ${openingsToUse[opening]}` };
}

const seconds = (value: number): string => `${Math.round(value)} s`;
const hashtags = (count: number): string => `${count} ${count === 1 ? "hashtag" : "hashtags"}`;
const pause = (days: number): string =>
  days < 2 ? `${Math.max(1, Math.round(days * 24))} hours` : `${Number(days.toFixed(1))} days`;

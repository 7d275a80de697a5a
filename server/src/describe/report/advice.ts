import type { Comparison, ReportAdvice } from "@reelscript/contract";
import { clockHours, comparisonWords, outcomeOf, quoted } from "@reelscript/contract";

const mostLines = 3;

/**
 * Turns clear differences into at most three lines of advice: views and likes come first, and engagement only if it adds
 * something.
 */
export function adviceOf(comparisons: readonly Comparison[]): ReportAdvice[] {
  const isSecond = (one: Comparison): number => Number(outcomeOf(one) === "engagement");
  const clear = comparisons
    .filter((one) => one.clear && one.sureness !== undefined)
    .toSorted((one, other) => isSecond(one) - isSecond(other));
  const lines: { readonly about: string; readonly line: ReportAdvice }[] = [];
  for (const one of clear) {
    const step = stepOf(one);
    const about = `${one.kind} ${one.topic ?? ""}`;
    if (step === undefined || lines.length === mostLines || lines.some((line) => line.about === about)) continue;
    const { claim, figures } = comparisonWords(one);
    const [example] = one.proof;
    const text = `${step.text}${isSecond(one) ? " for engagement" : ""}.`;
    lines.push({ about, line: { action: step.action, text, sureness: one.sureness!, claim, figures, example } });
  }
  return lines.map(({ line }) => line);
}

interface Step {
  readonly action: ReportAdvice["action"];
  /** Without the full stop. */
  readonly text: string;
}

function stepOf({ kind, times, hours, upTo, above, topic = "" }: Comparison): Step | undefined {
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
      if (upTo !== undefined)
        return upTo < 1
          ? { action: "avoid", text: "Avoid hashtags" }
          : { action: "keepUnder", text: `Use at most ${hashtags(Math.floor(upTo))}` };
      return above === undefined || above < 1
        ? { action: "doMore", text: "Use hashtags" }
        : { action: "goOver", text: `Use more than ${hashtags(Math.floor(above))}` };
    case "topic":
      return isMore
        ? { action: "doMore", text: `Do more with ${quoted(topic)}` }
        : { action: "avoid", text: `Avoid ${quoted(topic)}` };
    case "postingDays":
    case "captionLength":
    case "views":
    case "engagement":
      return undefined;
  }
}

const seconds = (value: number): string => `${Math.round(value)} s`;
const hashtags = (count: number): string => `${count} ${count === 1 ? "hashtag" : "hashtags"}`;

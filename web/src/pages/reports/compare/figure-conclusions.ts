import type { CompetitorReport } from "@reelscript/contract";
import { clearlyHighest, estimateOf, keyFigures, type KeyFigure } from "./key-figures.ts";

/** Which of the compared accounts is the person's own: a handle, or `undefined` if it is none of them. */
export type OwnHandle = string | undefined;

/** One sentence on each figure that several accounts have, such as `Median views: @bo is clearly above your @ana (12K and 4K).` */
export function figureConclusions(reports: readonly CompetitorReport[], ownHandle: OwnHandle): readonly string[] {
  return keyFigures.flatMap((figure) => {
    const knownFigures = reports.flatMap((report) => {
      const value = report.metrics[figure.metric];
      // A frequency of 0 isn't known.
      return value === undefined || (figure.metric === "postingFrequencyPerWeek" && value === 0)
        ? []
        : [{ report, value }];
    });
    if (knownFigures.length < 2 || figure.metric === "avgViews") return [];
    const sorted = knownFigures.toSorted((one, other) => other.value - one.value);
    return [`${figure.name}: ${conclusionOf(figure, sorted, ownHandle)}`];
  });
}

interface KnownFigure {
  readonly report: CompetitorReport;
  readonly value: number;
}

/** Takes the accounts with the highest first. */
function conclusionOf(figure: KeyFigure, sorted: readonly KnownFigure[], ownHandle: OwnHandle): string {
  const nameOf = ({ report: { handle } }: KnownFigure): string => `${handle === ownHandle ? "your " : ""}@${handle}`;
  const withFigure = (one: KnownFigure): string => `${nameOf(one)} (${figure.format(one.value)})`;
  const highest = clearlyHighest(sorted.map(({ report }) => estimateOf(figure, report)));
  const [first, ...others] = sorted;
  if (first === undefined) return "";
  const rest = list.format(others.map(withFigure));
  if (highest === 0) return `${withFigure(first)} is clearly above ${rest}.`;
  return `no clear difference between ${list.format(sorted.map(withFigure))}.`;
}

const list = new Intl.ListFormat("en-US");

/** Says whose account is compared with whom. */
export function ownSentence(handles: readonly string[], ownHandle: OwnHandle): string {
  if (ownHandle !== undefined && handles.includes(ownHandle)) {
    const others = handles.filter((handle) => handle !== ownHandle).map((handle) => `@${handle}`);
    return others.length === 0
      ? `@${ownHandle} is yours.`
      : `@${ownHandle} is yours, compared with ${list.format(others)}.`;
  }
  const names = list.format(handles.map((handle) => `@${handle}`));
  if (handles.length === 1) return `${names} isn’t marked as yours.`;
  return handles.length === 2 ? `Neither ${names.replace(" and ", " nor ")} is yours.` : `None of ${names} is yours.`;
}

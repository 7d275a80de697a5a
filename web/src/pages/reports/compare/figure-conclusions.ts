import type { CompetitorReport } from "@reelscript/contract";
import { clearlyHighest, estimateOf, keyFigures, type KeyFigure } from "./key-figures.ts";

/** Which of the compared accounts is the person's own: a handle, or `undefined` if it is none of them. */
export type OwnHandle = string | undefined;

/**
 * One sentence on each figure in which an account is clearly ahead, such as `Median views: @bo (12K) is clearly above your
 * @ana (4K).`, and one on all others that several accounts have.
 */
export function figureConclusions(reports: readonly CompetitorReport[], ownHandle: OwnHandle): readonly string[] {
  const compared = keyFigures
    .filter(({ metric }) => metric !== "avgViews")
    .map((figure) => ({ figure, figures: knownFigures(figure, reports) }))
    .filter(({ figures }) => figures.length > 1)
    .map(({ figure, figures }) => ({
      figure,
      figures,
      isClear: clearlyHighest(figures.map(({ report }) => estimateOf(figure, report))) === 0,
    }));
  const ahead = compared
    .filter(({ isClear }) => isClear)
    .map(({ figure, figures }) => aheadSentence(figure, figures, ownHandle));
  const alike = compared.filter(({ isClear }) => !isClear).map(({ figure }) => figure.name.toLowerCase());
  return alike.length === 0 ? ahead : [...ahead, `No clear difference in ${list.format(alike)}.`];
}

interface KnownFigure {
  readonly report: CompetitorReport;
  readonly value: number;
}

/** The accounts of which the figure is known, the highest first. */
const knownFigures = ({ metric }: KeyFigure, reports: readonly CompetitorReport[]): readonly KnownFigure[] =>
  reports
    .flatMap((report) => {
      const value = report.metrics[metric];
      // A frequency of 0 isn't known.
      return value === undefined || (metric === "postingFrequencyPerWeek" && value === 0) ? [] : [{ report, value }];
    })
    .toSorted((one, other) => other.value - one.value);

function aheadSentence(figure: KeyFigure, figures: readonly KnownFigure[], ownHandle: OwnHandle): string {
  const [first = "", ...others] = figures.map(
    ({ report: { handle }, value }) => `${handle === ownHandle ? "your " : ""}@${handle} (${figure.format(value)})`,
  );
  return `${figure.name}: ${first} is clearly above ${list.format(others)}.`;
}

const list = new Intl.ListFormat("en-US");

/** Says whose account is compared with whom; `undefined` if none of them is the person's own. */
export function ownSentence(handles: readonly string[], ownHandle: OwnHandle): string | undefined {
  if (ownHandle === undefined || !handles.includes(ownHandle)) return undefined;
  const others = handles.filter((handle) => handle !== ownHandle).map((handle) => `@${handle}`);
  return others.length === 0
    ? `@${ownHandle} is yours.`
    : `@${ownHandle} is yours, compared with ${list.format(others)}.`;
}

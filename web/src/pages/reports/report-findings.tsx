import type { CompetitorReport } from "@reelscript/contract";
import { comparisonWords } from "@reelscript/contract/values";
import { Note } from "../../components/page.tsx";

/**
 * A report's sentences other than advice: why nothing was compared, what makes no difference, and which data it is based on.
 */
export function ReportFindings({ report }: { readonly report: CompetitorReport }) {
  const { notCompared, noDifference, steady = [], comparisons = [] } = report;
  const same = [noDifference, ...steady.map(({ text }) => text)].filter((text) => text !== undefined);
  const rest = remarksOf(report);
  return (
    <>
      {notCompared?.text !== undefined && <Note icon="alert">{notCompared.text}</Note>}
      {same.length > 0 && (
        <section className="stack tight" aria-labelledby="no-difference">
          <h2 id="no-difference">What doesn’t make a clear difference</h2>
          <ul className="points">
            {same.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          {comparisons.length > 0 && (
            <p className="meta screen-only">
              The differences there are small enough to be luck. <a href="#comparisons">All figures</a>
            </p>
          )}
        </section>
      )}
      {rest.length > 0 && (
        <section className="stack tight" aria-labelledby="remarks">
          <h2 id="remarks">Good to know</h2>
          <ul className="points">
            {rest.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** The sentences of a report that no other part of its page shows. */
export function remarksOf(report: CompetitorReport): readonly string[] {
  const { comparisons = [], notCompared, noDifference, steady = [], benchmarks = [], insights } = report;
  const { nextReel, outliersText } = report;
  const visibleSentences = new Set([
    ...comparisons.map(comparisonWords).map(({ claim, figures, sureness }) => `${claim} ${figures} ${sureness}`),
    notCompared?.text,
    noDifference,
    nextReel?.text,
    outliersText,
    ...steady.map(({ text }) => text),
    ...benchmarks.map(({ text }) => text),
  ]);
  return insights.filter((sentence) => !visibleSentences.has(sentence));
}

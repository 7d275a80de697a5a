import type { Comparison, CompetitorReport } from "@reelscript/contract";
import { alsoWords, comparisonWords } from "@reelscript/contract/values";
import { Note } from "../../components/page.tsx";
import { ComparisonFigures } from "./reel-table.tsx";

/** The clear differences on which the advice is based, or why nothing could be compared. */
export function WhyReport({ report: { comparisons = [], notCompared } }: { readonly report: CompetitorReport }) {
  const clear = comparisons.filter((one) => one.clear);
  if (notCompared?.text !== undefined) return <Note icon="alert">{notCompared.text}</Note>;
  if (clear.length === 0) return undefined;
  return (
    <section className="stack tight" aria-labelledby="why">
      <h2 id="why">Why</h2>
      <ul className="reasons">
        {clear.map((comparison) => (
          <Reason key={comparisonWords(comparison).claim} comparison={comparison} />
        ))}
      </ul>
    </section>
  );
}

function Reason({ comparison }: { readonly comparison: Comparison }) {
  const { claim, figures } = comparisonWords(comparison);
  const { conclusion = claim, also = [], sureness } = comparison;
  return (
    <li>
      <p className="semibold">{conclusion}</p>
      <p className="meta">
        {figures} {sureness === "sure" ? "Sure." : "Fairly sure."}
      </p>
      {also.length > 0 && <p className="meta">{alsoWords(also)}</p>}
    </li>
  );
}

/** On which data the figures are based. */
export function ReportNotes({ report: { notes = [] } }: { readonly report: CompetitorReport }) {
  if (notes.length === 0) return undefined;
  return (
    <section className="stack tight" aria-labelledby="remarks">
      <h2 id="remarks">Good to know</h2>
      <ul className="points">
        {notes.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </section>
  );
}

/** The part for people who check a report, closed until they open it. */
export function HowChecked({ report: { details = [], comparisons = [] } }: { readonly report: CompetitorReport }) {
  if (details.length === 0 && comparisons.length === 0) return undefined;
  return (
    <details className="closed-part">
      <summary>How this was checked</summary>
      <h2 className="print-only">How this was checked</h2>
      <ul className="points">
        {details.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <ComparisonFigures comparisons={comparisons} />
    </details>
  );
}

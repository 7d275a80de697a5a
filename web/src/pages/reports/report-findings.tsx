import type { CompetitorReport } from "@reelscript/contract";
import { Note } from "../../components/page.tsx";

/** A report's sentences other than advice: why nothing was compared, which data it is based on, and how it was checked. */
export function ReportFindings({ report }: { readonly report: CompetitorReport }) {
  const { notCompared, notes = [], details = [], comparisons = [] } = report;
  return (
    <>
      {notCompared?.text !== undefined && <Note icon="alert">{notCompared.text}</Note>}
      {notes.length > 0 && (
        <section className="stack tight" aria-labelledby="remarks">
          <h2 id="remarks">Good to know</h2>
          <ul className="points">
            {notes.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </section>
      )}
      {details.length > 0 && (
        <details>
          <summary>How this was checked</summary>
          <ul className="points">
            {details.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          {comparisons.length > 0 && (
            <p className="meta screen-only">
              <a href="#comparisons">All figures</a>
            </p>
          )}
        </details>
      )}
    </>
  );
}

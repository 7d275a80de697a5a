import type { CompetitorReport } from "@reelscript/contract";
import { splitInsight } from "./split-insight.ts";

const mostTakeaways = 5;
/** What older reports list among their takeaways without a finding. */
const findsNothing = /no clear difference|steady|^No |^Not known|too one-sided|per week on average|longest pause/;

/** What is supported, and folded under it all that was checked. */
export function Insights({ report: { insights, checked } }: { readonly report: CompetitorReport }) {
  const shown = checked === undefined ? insights.filter((sentence) => !findsNothing.test(sentence)) : insights;
  const takeaways = (shown.length > 0 ? shown : insights).slice(0, mostTakeaways);
  const rest = [...insights.filter((sentence) => !takeaways.includes(sentence)), ...(checked ?? [])];
  if (takeaways.length === 0) return undefined;
  return (
    <section className="card" aria-labelledby="insights">
      <h2 id="insights">Takeaways</h2>
      <Sentences of={takeaways} />
      {rest.length > 0 && (
        <details className="checked">
          <summary>Everything we checked</summary>
          <Sentences of={rest} />
        </details>
      )}
    </section>
  );
}

function Sentences({ of }: { readonly of: readonly string[] }) {
  return (
    <ol className="insights">
      {of.map((sentence) => {
        const { claim, evidence, url } = splitInsight(sentence);
        return (
          <li key={sentence}>
            <span>
              {claim}
              {(evidence !== undefined || url !== undefined) && (
                <small>
                  {evidence}{" "}
                  {url !== undefined && (
                    <a href={url} target="_blank" rel="noopener noreferrer">
                      Open the reel
                    </a>
                  )}
                </small>
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

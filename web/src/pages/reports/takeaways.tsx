import type { Comparison, CompetitorReport } from "@reelscript/contract";
import { comparisonWords, gelOf, noClearDifference } from "@reelscript/contract/values";
import { CaptionText } from "../../components/inline.tsx";
import { classNames } from "../../components/class-names.ts";
import { exactNumber, shortNumber } from "../../format.ts";
import { leadOf } from "./caption-parts.ts";

const mostCards = 3;

export function Takeaways({ report }: { readonly report: CompetitorReport }) {
  const { comparisons, insights, handle } = report;
  // Made of too few reels to compare them.
  if (comparisons === undefined) return <p className="meta">{insights[0]}</p>;
  const clear = comparisons.filter((comparison) => comparison.clear);
  return (
    <section className="stack tight" aria-labelledby="takeaways">
      <h2 id="takeaways" className={clear.length === 0 ? "visually-hidden" : undefined}>
        Takeaways
      </h2>
      {clear.length > 0 && (
        <ol className="takeaways">
          {clear.slice(0, mostCards).map((comparison) => (
            <Takeaway key={comparison.kind} comparison={comparison} handle={handle} />
          ))}
        </ol>
      )}
      {(clear.length === 0 || clear.length < comparisons.length) && (
        <details className="checked">
          <summary>{clear.length === 0 ? "No clear difference" : "No other clear difference"}</summary>
          <p className="meta">
            {noClearDifference(comparisons)}
            {comparisons.length > 0 && (
              <>
                {" "}
                What we saw is within what chance explains. <a href="#comparisons">All figures</a>
              </>
            )}
          </p>
        </details>
      )}
    </section>
  );
}

function Takeaway({ comparison, handle }: { readonly comparison: Comparison; readonly handle: string }) {
  const { claim, figures, sureness } = comparisonWords(comparison);
  return (
    <li className="card">
      <h3>{claim}</h3>
      <p>{figures}</p>
      <p className="meta">{sureness}</p>
      <ul aria-label="Two typical reels">
        {comparison.proof.map(({ url, caption, views }) => (
          <li key={url}>
            <i className={classNames("cue", gelOf(url))} aria-hidden="true" />
            <a href={url} target="_blank" rel="noopener noreferrer" dir="auto" className="one-line">
              <CaptionText text={leadOf(caption, handle)} />
            </a>
            {views !== undefined && (
              <b title={`${exactNumber(views)} views`}>
                {shortNumber(views)}
                <span className="visually-hidden"> views</span>
              </b>
            )}
          </li>
        ))}
      </ul>
    </li>
  );
}

import type { Comparison, CompetitorReport, ReportAdvice, TopReel } from "@reelscript/contract";
import { comparisonWords, gelOf } from "@reelscript/contract/values";
import { CaptionText, Chip } from "../../components/inline.tsx";
import { classNames } from "../../components/class-names.ts";
import { exactNumber, shortNumber, times, leadOf } from "../../format.ts";

/** The plan at the end of a report: its advice, or the reels to start from if nothing is clear. */
export function NextPosts({ report }: { readonly report: CompetitorReport }) {
  const { advice, comparisons = [], startFrom = [], handle } = report;
  const claims = new Set(advice.map(({ claim }) => claim));
  const further = comparisons.filter((one) => one.clear && !claims.has(comparisonWords(one).claim));
  if (advice.length === 0 && further.length === 0 && startFrom.length === 0) return undefined;
  return (
    <section className="card stack next-posts" aria-labelledby="next-posts">
      <h2 id="next-posts">What to post next</h2>
      {advice.length > 0 ? (
        <ol>
          {advice.map((one) => (
            <Advice key={one.text} advice={one} handle={handle} />
          ))}
        </ol>
      ) : (
        <>
          <p>{startingWords(startFrom)}</p>
          <ul aria-label="Reels to start from">
            {startFrom.map((reel) => (
              <li key={reel.url}>
                <Example reel={reel} handle={handle} />
              </li>
            ))}
          </ul>
        </>
      )}
      {further.length > 0 && <FurtherDifferences comparisons={further} />}
    </section>
  );
}

function startingWords(reels: readonly TopReel[]): string {
  if (reels.length === 0) return "No advice follows from the differences below.";
  return reels.some(({ multiple }) => multiple !== undefined)
    ? "No rule is clear in this account. Start from the reels that did best among their neighbors, as examples:"
    : "No rule is clear in this account, and no reel to copy stands out. These did best, as examples:";
}

interface AdviceProps {
  readonly advice: ReportAdvice;
  readonly handle: string;
}

function Advice({ advice, handle }: AdviceProps) {
  const { action, text, sureness, claim, figures, example, gain, also, copy = [], avoid } = advice;
  return (
    <li>
      <h3>
        {text} <Chip kind={sureness === "sure" ? "ok" : "outline"}>{sureness === "sure" ? "Sure" : "Fairly sure"}</Chip>
      </h3>
      {gain !== undefined && <p>{gain}</p>}
      {copy.map((reel) => (
        <NamedExample key={reel.url} name="Copy" reel={reel} handle={handle} />
      ))}
      {avoid && <NamedExample name="Rather not" reel={avoid} handle={handle} />}
      {example && copy.length === 0 && (
        <NamedExample name={action === "avoid" ? "Such as" : "For example"} reel={example} handle={handle} />
      )}
      {also !== undefined && <p className="meta">{also}</p>}
      <details>
        <summary className="meta">Figures</summary>
        <p>
          {claim} {figures}
        </p>
      </details>
    </li>
  );
}

interface NamedExampleProps {
  readonly name: string;
  readonly reel: TopReel;
  readonly handle: string;
}

const NamedExample = ({ name, reel, handle }: NamedExampleProps) => (
  <div className="row">
    <span className="meta">{name}</span>
    <Example reel={reel} handle={handle} />
  </div>
);

function Example({ reel, handle }: { readonly reel: TopReel; readonly handle: string }) {
  const { url, caption, views, likes, multiple } = reel;
  const [count, unit] = views === undefined ? [likes, "likes"] : [views, "views"];
  return (
    <span className="example row grow">
      <i className={classNames("cue", gelOf(url))} aria-hidden="true" />
      <a href={url} target="_blank" rel="noopener noreferrer" dir="auto" className="one-line">
        <CaptionText text={leadOf(caption, handle)} />
      </a>
      {count !== undefined && (
        <span className="number" title={`${exactNumber(count)} ${unit}`}>
          <b>{shortNumber(count)}</b> {unit}
        </span>
      )}
      {multiple !== undefined && <b className="number">{times(multiple)}</b>}
    </span>
  );
}

/** Clear differences that imply nothing for the next reel, such as those over time. */
const FurtherDifferences = ({ comparisons }: { readonly comparisons: readonly Comparison[] }) => (
  <ul aria-label="What else differs clearly">
    {comparisons.map((comparison) => {
      const { claim, figures, sureness } = comparisonWords(comparison);
      return (
        <li key={claim}>
          <p>{claim}</p>
          <details>
            <summary className="meta">Figures</summary>
            <p>
              {figures} {sureness}
            </p>
          </details>
        </li>
      );
    })}
  </ul>
);

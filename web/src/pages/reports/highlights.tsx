import type { TopReel, Comparison, CompetitorReport } from "@reelscript/contract";
import { CaptionText, Moment } from "../../components/inline.tsx";
import { gelOf, comparisonWords, noClearDifference } from "@reelscript/contract/values";
import { duration, exactNumber, percent, shortNumber } from "../../format.ts";
import { classNames } from "../../components/class-names.ts";

export function TopReels({ reels, handle }: { readonly reels: readonly TopReel[]; readonly handle: string }) {
  return (
    <section aria-labelledby="top-reels">
      <h2 id="top-reels" className="section-title">
        Top reels
      </h2>
      <ol className="film">
        {reels.map((reel) => (
          <li key={reel.url}>
            <Card reel={reel} handle={handle} />
            <p className="row">
              {reel.views !== undefined && (
                <b className="film-reel" title={`${exactNumber(reel.views)} views`}>
                  {shortNumber(reel.views)}
                  <span className="visually-hidden"> views</span>
                </b>
              )}
              {reel.engagementRate !== undefined && (
                <span className="meta">
                  {percent(reel.engagementRate)}
                  <span className="visually-hidden"> engagement</span>
                </span>
              )}
              {reel.postedAt && (
                <span className="meta at-end">
                  <Moment at={reel.postedAt} style="short" />
                </span>
              )}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Card({ reel, handle }: { readonly reel: TopReel; readonly handle: string }) {
  const { lead, rest } = reel.caption?.trim() ? captionParts(reel.caption) : { lead: `@${handle}`, rest: "" };
  return (
    <a className="card-link" href={reel.url} target="_blank" rel="noopener noreferrer">
      <span className={`cue big ${gelOf(reel.url)}`}>
        {reel.durationSeconds !== undefined && (
          <bdi className="time">
            {duration(reel.durationSeconds)}
            <span className="visually-hidden">. </span>
          </bdi>
        )}
        <span className="title-card" dir="auto">
          <CaptionText text={lead} />{" "}
          <i aria-hidden="true">
            <CaptionText text={rest} />
          </i>
        </span>
      </span>
      <span className="visually-hidden">Open the reel in a new tab</span>
    </a>
  );
}

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
        <ol className="tiles fitted takeaways">
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

const longestLead = 90;
const wordsWithoutEnd = 10;

/** The first sentence of a caption, or its first words, and the rest. */
export function captionParts(caption: string) {
  const text = caption.trim();
  const end = /[.!?…।؟](?=\s|$)|\n/u.exec(text);
  if (end && end.index < longestLead) {
    const after = end.index + 1;
    return { lead: text.slice(0, after).trim(), rest: text.slice(after).trim() };
  }
  const words = text.split(/\s+/);
  return { lead: words.slice(0, wordsWithoutEnd).join(" "), rest: words.slice(wordsWithoutEnd).join(" ") };
}

/** A reel's name in a line: the lead of its caption, else its handle. */
export const leadOf = (caption: string | null | undefined, handle: string): string =>
  caption?.trim() ? captionParts(caption).lead : `@${handle}`;

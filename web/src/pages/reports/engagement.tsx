import { CaptionText } from "../../components/caption-text.tsx";
import type { CompetitorReport } from "@reelscript/contract";
import { BarList } from "../../charts/bar-list.tsx";
import { percent } from "../../format/number.ts";
import { captionParts } from "./caption-parts.ts";

/** How many of those who saw the top reels did something about it. */
export function Engagement({ report: { topReels, metrics, handle } }: { readonly report: CompetitorReport }) {
  const rated = topReels
    .flatMap((reel) => (reel.engagementRate === undefined ? [] : [{ ...reel, rate: reel.engagementRate }]))
    .toSorted((one, other) => other.rate - one.rate);
  if (rated.length < 2) return undefined;
  const average = metrics.avgEngagementRate;
  return (
    <section className="card stack tight" aria-labelledby="engagement">
      <div>
        <h2 id="engagement">Engagement of the top reels</h2>
        <p className="meta">
          Likes and comments as a share of views.{" "}
          {average !== undefined && (
            <>
              <i className="swatch inline-swatch" /> The average of all reels is {percent(average)}.
            </>
          )}
        </p>
      </div>
      <BarList
        label="Engagement of the top reels"
        mark={average}
        items={rated.map(({ url, caption, rate }) => ({
          key: url,
          name: (
            <span className="one-line" dir="auto">
              <CaptionText text={caption?.trim() ? captionParts(caption).lead : `@${handle}`} />
            </span>
          ),
          value: rate,
          shown: percent(rate),
        }))}
      />
    </section>
  );
}

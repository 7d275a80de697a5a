import type { TopReel } from "@reelscript/contract";
import { CaptionText, Moment } from "../../components/inline.tsx";
import { gelOf } from "@reelscript/contract/values";
import { duration, exactNumber, percent, shortNumber } from "../../format.ts";
import { captionParts } from "./caption-parts.ts";

interface Props {
  readonly reels: readonly TopReel[];
  readonly handle: string;
}

export function TopReels({ reels, handle }: Props) {
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

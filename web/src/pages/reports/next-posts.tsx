import type { CompetitorReport, ReportAdvice, TopReel } from "@reelscript/contract";
import { gelOf } from "@reelscript/contract/values";
import { CaptionText, Chip } from "../../components/inline.tsx";
import { classNames } from "../../components/class-names.ts";
import { exactNumber, shortNumber, times, leadOf } from "../../format.ts";

/** The plan of a report: its advice, or the reels to start from if nothing is clear. */
export function NextPosts({ report: { advice, startFrom = [], handle } }: { readonly report: CompetitorReport }) {
  if (advice.length === 0 && startFrom.length === 0) return undefined;
  return (
    <section className="card stack next-posts" aria-labelledby="next-posts">
      <h2 id="next-posts">What to post next week</h2>
      {advice.length > 0 ? (
        <ol style={{ "--rows": Math.max(...advice.map(rowsOf)) }}>
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
    </section>
  );
}

const startingWords = (reels: readonly TopReel[]): string =>
  reels.some(({ multiple }) => multiple !== undefined)
    ? "No rule is clear in this account. Start from the reels that did best among their neighbors, as examples:"
    : "No rule is clear in this account, and no reel to copy stands out. These did best, as examples:";

/** The title, the gain and the examples. */
const rowsOf = ({ gain, copy = [], avoid, example }: ReportAdvice): number =>
  1 + Number(gain !== undefined) + (copy.length || Number(example !== undefined)) + Number(avoid !== undefined);

interface AdviceProps {
  readonly advice: ReportAdvice;
  readonly handle: string;
}

function Advice({ advice, handle }: AdviceProps) {
  const { action, text, sureness, example, gain, copy = [], avoid } = advice;
  return (
    <li>
      <h3>
        {text} <Chip kind={sureness === "sure" ? "ok" : "outline"}>{sureness === "sure" ? "Sure" : "Fairly sure"}</Chip>
      </h3>
      {gain !== undefined && <p>{gain}</p>}
      {copy.map((reel) => (
        <NamedExample key={reel.url} name="Copy" reel={reel} handle={handle} />
      ))}
      {avoid && <NamedExample name="Skip" reel={avoid} handle={handle} />}
      {example && copy.length === 0 && (
        <NamedExample name={action === "avoid" ? "Such as" : "For example"} reel={example} handle={handle} />
      )}
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
      <a href={url} target="_blank" rel="noopener noreferrer" dir="auto" className="clamped">
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

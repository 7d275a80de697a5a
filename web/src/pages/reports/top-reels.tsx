import type { CompetitorReport, TopReel } from "@reelscript/contract";
import { Link } from "@tanstack/react-router";
import { CaptionText, Chip, Moment } from "../../components/inline.tsx";
import { LinkButton } from "../../components/button.tsx";
import { classNames } from "../../components/class-names.ts";
import { Cue } from "../../components/cue.tsx";
import { counted, duration, exactNumber, percent, shortNumber, times, leadOf } from "../../format.ts";

/** How those top reels begin that are in the library. */
export interface ReportHooks {
  readonly hooks: readonly ReportHook[];
  readonly inLibrary: number;
}

interface ReportHook {
  readonly url: string;
  readonly scriptId: string;
  readonly language: string;
  readonly text: string;
}

interface Props {
  readonly report: CompetitorReport;
  /** Omitted before they have loaded, and if the report isn't stored. */
  readonly hooks?: ReportHooks | undefined;
  /** The reels of other reports can't be transcribed, or are transcribed already. */
  readonly isStored: boolean;
}

/** Reels that all did the same are no ranking, so only the first few of them are listed. */
const listedOfEqual = 3;

/** The figures of a reel as they are shown. */
const figuresOf = ({ views, likes, multiple }: TopReel): string =>
  [views ?? likes, multiple].map((figure) => (figure === undefined ? "" : shortNumber(figure))).join(" ");

/** They appear after the page, when the browser has already looked for the address's section. */
function showWhenNamed(element: HTMLElement | null): void {
  if (window.location.hash === "#report-hooks") element?.scrollIntoView();
}

export function TopReels({ report, hooks, isStored }: Props) {
  const { topReels, handle, id } = report;
  const missing = hooks === undefined ? 0 : topReels.length - hooks.inLibrary;
  const isRanking = new Set(topReels.map(figuresOf)).size > 1;
  const listedReels = isRanking ? topReels : topReels.slice(0, listedOfEqual);
  const left = topReels.length - listedReels.length;
  return (
    <section className={classNames("stack tight", !isStored && "without-action")} aria-labelledby="top-reels">
      <div>
        <h2 id="top-reels">Top reels</h2>
        {isRanking && topReels.some(({ multiple }) => multiple !== undefined) && (
          <p className="meta">3x is three times the median of the 12 reels posted around it.</p>
        )}
      </div>
      {hooks !== undefined && hooks.hooks.length > 0 && (
        <p className="meta" id="report-hooks" ref={showWhenNamed}>
          The first sentence is shown where it is known: examples of how reels begin, not a rule.
          {missing > 0 && ` ${counted(missing, "top reel isn’t", "top reels aren’t")} in your library.`}
        </p>
      )}
      <RowHeads reels={listedReels} isRanked={isRanking} />
      <ol className="reel-rows">
        {listedReels.map((reel) => (
          <Row
            key={reel.url}
            reel={reel}
            handle={handle}
            hook={hooks?.hooks.find(({ url }) => url === reel.url)}
            reportId={isStored ? id : undefined}
            isRanked={isRanking}
          />
        ))}
      </ol>
      {left > 0 && <p className="meta">{counted(left, "other reel", "other reels")} did exactly as well.</p>}
    </section>
  );
}

/** The count that most reels have. */
const countedUnit = (reels: readonly TopReel[]): "views" | "likes" =>
  reels.some(({ views }) => views !== undefined) ? "views" : "likes";

/** The names of the columns; on phones each figure has its own. */
function RowHeads({ reels, isRanked }: { readonly reels: readonly TopReel[]; readonly isRanked: boolean }) {
  const has = (name: keyof TopReel): boolean => reels.some((reel) => reel[name] !== undefined);
  return (
    <div className="reel-heads meta hidden-when-narrow" aria-hidden="true">
      <span>Reel</span>
      <span className="reel-figures">
        <span>{countedUnit(reels) === "views" ? "Views" : "Likes"}</span>
        <span>{isRanked && has("multiple") && "Multiple"}</span>
        <span>{has("engagementRate") && "Engagement"}</span>
        <span>{has("durationSeconds") && "Length"}</span>
        <span>{has("postedAt") && "Posted"}</span>
      </span>
    </div>
  );
}

interface RowProps {
  readonly reel: TopReel;
  readonly handle: string;
  readonly hook: ReportHook | undefined;
  /** The report to return to after transcribing; omitted if nothing can be transcribed. */
  readonly reportId: string | undefined;
  /** False where all reels did the same, so that their multiples say nothing. */
  readonly isRanked: boolean;
}

function Row({ reel, handle, hook, reportId, isRanked }: RowProps) {
  const { url, caption, views, likes, multiple, engagementRate, durationSeconds, postedAt, stillGrowing } = reel;
  const [count, unit] = views === undefined ? [likes, "likes"] : [views, "views"];
  return (
    <li>
      <Cue id={url} text={hook?.text ?? caption ?? ""} lang={hook?.language} />
      <div className="reel-words">
        {hook && (
          <Link to="/scripts/$scriptId" params={{ scriptId: hook.scriptId }} lang={hook.language} dir="auto">
            {hook.text}
          </Link>
        )}
        <a
          href={url}
          target="_blank"
          rel="noopener noreferrer"
          title={caption}
          dir="auto"
          className={classNames("one-line", hook && "meta")}
        >
          <CaptionText text={leadOf(caption, handle)} />
        </a>
      </div>
      <p className="reel-figures">
        <b title={count === undefined ? undefined : `${exactNumber(count)} ${unit}`}>
          {count !== undefined && (
            <>
              {shortNumber(count)}
              <span className={unit === "views" ? "only-when-narrow" : undefined}> {unit}</span>
            </>
          )}
        </b>
        <span>{isRanked && multiple !== undefined && times(multiple)}</span>
        <span className="hidden-when-narrow">
          {engagementRate !== undefined && (
            <>
              <span className="visually-hidden">Engagement </span>
              {percent(engagementRate)}
            </>
          )}
        </span>
        <span>
          {durationSeconds !== undefined && (
            <>
              <span className="visually-hidden">Length </span>
              {duration(durationSeconds)}
            </>
          )}
        </span>
        <span>{postedAt !== undefined && <Moment at={postedAt} style="short" />}</span>
        {stillGrowing && <Chip kind="outline">Still growing</Chip>}
      </p>
      {reportId !== undefined &&
        (hook ? (
          <span className="meta">In your library</span>
        ) : (
          <LinkButton kind="ghost" size="small" to="/transcribe" search={{ urls: url, report: reportId }}>
            Transcribe
            <span className="visually-hidden"> {leadOf(caption, handle)}</span>
          </LinkButton>
        ))}
    </li>
  );
}

/** Reels far above their neighbors, with their shared traits. Of several, those among the top reels aren't repeated. */
export function Outliers({
  report: { topReels, outliers = [], outlierCount = outliers.length, outlierTopics = [], handle },
}: {
  readonly report: CompetitorReport;
}) {
  const isAlone = outliers.length === 1;
  const others = outliers.filter(({ url }) => isAlone || !topReels.some((top) => top.url === url));
  if (outliers.length === 0) return undefined;
  return (
    <section className="stack tight" aria-labelledby="outliers">
      <div>
        <h2 id="outliers">Outliers</h2>
        <p className="meta">
          {isAlone
            ? "One reel can’t be copied. Look at what several share."
            : `${counted(outlierCount, "reel", "reels")} got more than 3 times the median of the reels posted around them${listSentence(others.length, outlierCount)}`}
        </p>
      </div>
      {!isAlone && outlierTopics.length > 0 && (
        <p className="row wrap">
          Most of them have{" "}
          {outlierTopics.map((topic) => (
            <Chip key={topic}>
              <bdi>{topic}</bdi>
            </Chip>
          ))}
        </p>
      )}
      {others.length > 0 && (
        <ol className="outliers">
          {others.map(({ url, caption, multiple }) => (
            <li key={url} className="row">
              {multiple !== undefined && <b className="number">{times(multiple)}</b>}
              <a className="one-line" href={url} target="_blank" rel="noopener noreferrer" title={caption} dir="auto">
                <CaptionText text={leadOf(caption, handle)} />
              </a>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function listSentence(shownCount: number, outlierCount: number): string {
  if (shownCount === outlierCount) return ".";
  return shownCount === 0 ? ". They are among the top reels above." : ". Those that aren’t among the top reels:";
}

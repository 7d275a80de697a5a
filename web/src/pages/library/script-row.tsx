import { cutText, filePlatform } from "@reelscript/contract/values";
import type { Script } from "@reelscript/contract";
import { Link } from "@tanstack/react-router";
import { memo } from "react";
import { Cue } from "../../components/cue.tsx";
import { Handle, Moment } from "../../components/inline.tsx";
import { PlatformMark } from "../../components/platform-mark.tsx";
import { shownWords } from "../../components/shown-words.ts";
import { duration, languageName, percent, shortNumber, timesUsualViews } from "../../format.ts";
import type { RowSelection } from "./selection.tsx";

interface Props {
  readonly script: Script;
  readonly query: string | undefined;
  readonly selection?: RowSelection | undefined;
}

/** The content of a list row. It isn't rendered again while the list around it is measured and scrolled. */
export const ScriptRow = memo(function ScriptRow({ script, query, selection }: Props) {
  const { id, account, language, views, engagementRate, postedAt, at } = script;
  const words = shownWords(script);
  const rate = engagementRate === undefined ? undefined : percent(engagementRate);
  return (
    <>
      {selection === undefined ? (
        <Cue id={script.reelUrl} text={script.transcript} lang={language} hit={words.hit} />
      ) : (
        <label className="select-script">
          <input
            type="checkbox"
            checked={selection.isSelected}
            onChange={({ nativeEvent }) =>
              selection.onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
            }
          />
          <span className="visually-hidden">
            Select the script{account !== undefined && ` by @${account}`}: {cutText(script.transcript, 60)}
          </span>
        </label>
      )}
      <div>
        <Link
          className="words clamped"
          tabIndex={selection && -1}
          to="/scripts/$scriptId"
          params={{ scriptId: id }}
          search={{ query, t: at }}
          dir="auto"
          lang={words.from === "transcript" ? language : undefined}
        >
          {words.cutBefore && "… "}
          {words.parts.map(({ text, hit }, index) => (hit ? <mark key={index}>{text}</mark> : text))}
          {words.cutAfter && " …"}
          {words.from === "nothing" && <span className="muted">No speech in this reel</span>}
        </Link>
        <div className="meta row wrap">
          <ScriptFacts script={script} isCaption={words.from === "caption"} />
        </div>
      </div>
      <Figure label="Views" value={views === undefined ? undefined : shortNumber(views)} />
      <Figure label="Engagement" value={rate} />
      <span className="number hidden-when-narrow">
        <span className="visually-hidden">Posted </span>
        {postedAt === undefined ? <Unknown /> : <Moment at={postedAt} style="short" />}
      </span>
    </>
  );
});

function ScriptFacts({ script, isCaption }: { readonly script: Script; readonly isCaption: boolean }) {
  const { account, language, views, engagementRate, postedAt, analysis, tags, platform, caption, at } = script;
  const { durationSeconds } = script;
  const rate = engagementRate === undefined ? undefined : percent(engagementRate);
  return (
    <>
      {at !== undefined && (
        <bdi className="hit-time">
          <span className="visually-hidden">Said at </span>
          {duration(at)}
          {durationSeconds !== undefined && <> / {duration(durationSeconds)}</>}
        </bdi>
      )}
      {account !== undefined && (
        <b>
          <Handle name={account} />
        </b>
      )}
      {platform === filePlatform && caption !== undefined ? (
        <b dir="auto">{caption}</b>
      ) : (
        <PlatformMark url={script.reelUrl} />
      )}
      {language !== undefined && <span>{languageName(language)}</span>}
      {at === undefined && durationSeconds !== undefined && (
        <span>
          <span className="visually-hidden">Length </span>
          {duration(durationSeconds)}
        </span>
      )}
      {analysis?.timesTypicalViews !== undefined && <bdi>{timesUsualViews(analysis.timesTypicalViews)}</bdi>}
      {tags?.map((tag) => (
        <bdi key={tag} className="tag">
          {tag}
        </bdi>
      ))}
      {isCaption && <span>{platform === filePlatform ? "From the title" : "From the caption"}</span>}
      {views !== undefined && (
        <span className="only-when-narrow">
          <bdi>{shortNumber(views)}</bdi> {views === 1 ? "view" : "views"}
        </span>
      )}
      {rate !== undefined && (
        <span className="only-when-narrow">
          <bdi>{rate}</bdi> engagement
        </span>
      )}
      {postedAt !== undefined && (
        <span className="only-when-narrow">
          <Moment at={postedAt} style="short" />
        </span>
      )}
    </>
  );
}

function Figure({ label, value }: { readonly label: string; readonly value: string | undefined }) {
  return (
    <span className="number semibold row-figure hidden-when-narrow">
      <span className="visually-hidden">{label} </span>
      {value === undefined ? <Unknown /> : <bdi>{value}</bdi>}
    </span>
  );
}

const Unknown = () => (
  <span className="muted">
    <span aria-hidden="true">–</span>
    <span className="visually-hidden">Not available</span>
  </span>
);

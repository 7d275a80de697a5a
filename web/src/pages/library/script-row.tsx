import { cutText } from "@reelscript/contract/values";
import type { Script } from "@reelscript/contract";
import { Link } from "@tanstack/react-router";
import { memo } from "react";
import { Cue } from "../../components/cue.tsx";
import { Handle, Moment } from "../../components/inline.tsx";
import { PlatformMark } from "../../components/platform-mark.tsx";
import { languageName, percent, shortNumber, timesUsualViews } from "../../format.ts";
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
  const { account, language, views, engagementRate, postedAt, analysis, tags } = script;
  const rate = engagementRate === undefined ? undefined : percent(engagementRate);
  return (
    <>
      {account !== undefined && (
        <b>
          <Handle name={account} />
        </b>
      )}
      <PlatformMark url={script.reelUrl} />
      {language !== undefined && <span>{languageName(language)}</span>}
      {analysis?.timesTypicalViews !== undefined && <bdi>{timesUsualViews(analysis.timesTypicalViews)}</bdi>}
      {tags?.map((tag) => (
        <bdi key={tag} className="tag">
          {tag}
        </bdi>
      ))}
      {isCaption && <span>From the caption</span>}
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
    <span className="number semibold hidden-when-narrow">
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

export interface ShownWords {
  readonly parts: readonly { readonly text: string; readonly hit: boolean }[];
  readonly cutBefore: boolean;
  readonly from: "transcript" | "caption" | "nothing";
  /** Position of the first hit, from 0 to 1 in the transcript. */
  readonly hit?: number;
}

/** Two lines of a row never show more than this. */
const mostCharacters = 400;

/** The excerpt in a script's row: the passage with the hits, or else the beginning of the transcript, or of the caption. */
export function shownWords({ transcript, caption, snippet }: Script): ShownWords {
  if (snippet === undefined || snippet.length === 0) {
    if (transcript !== "") return { parts: plain(transcript), cutBefore: false, from: "transcript" };
    return caption ? { parts: plain(caption), cutBefore: false, from: "caption" } : nothing;
  }
  const piece = snippet.map(({ text }) => text).join("");
  const offset = transcript.indexOf(piece);
  if (offset === -1) return { parts: snippet, cutBefore: !caption?.trimStart().startsWith(piece), from: "caption" };
  const first = snippet.findIndex(({ hit }) => hit);
  const before = snippet.slice(0, Math.max(0, first)).reduce((sum, { text }) => sum + text.length, 0);
  const hit = first === -1 ? {} : { hit: (offset + before) / transcript.length };
  return { parts: snippet, cutBefore: transcript.slice(0, offset).trim() !== "", from: "transcript", ...hit };
}

/** A space always separates characters; finding other boundaries would load the browser's rules for them. */
const plain = (text: string): ShownWords["parts"] => {
  const blank = text.length > mostCharacters ? text.lastIndexOf(" ", mostCharacters) : -1;
  return [{ text: blank > 0 ? text.slice(0, blank) : cutText(text, mostCharacters), hit: false }];
};
const nothing: ShownWords = { parts: [], cutBefore: false, from: "nothing" };

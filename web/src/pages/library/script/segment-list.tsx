import { Link } from "@tanstack/react-router";
import { useEffect, useRef, type ReactNode } from "react";
import type { Output } from "../../../api/operation-types.ts";
import { classNames } from "../../../components/class-names.ts";
import { duration } from "../../../format/duration.ts";
import { partsOf, type Match } from "./find-matches.ts";
import { gapText } from "./gap-text.ts";
import { scriptPieces } from "./script-pieces.ts";
import type { MomentOf } from "./word-moments.ts";

interface Props {
  readonly script: Output<"getScript">;
  readonly times: boolean;
  readonly current: number | undefined;
  readonly matches: readonly Match[];
  /** The match that is shown. */
  readonly active: Match | undefined;
  readonly momentOf: MomentOf;
  readonly onChoose: (second: number) => void;
}

/** The transcript with its times. Texts of unknown times stand as one. */
export function SegmentList({ script, times, current, matches, active, momentOf, onChoose }: Props) {
  const { segments, transcript, language, gaps = [] } = script;
  const list = useRef<HTMLOListElement>(null);
  const came = useRef(false);
  useEffect(() => {
    const said = list.current?.querySelector('[aria-current="true"]');
    if (!said) return undefined;
    const block = came.current ? "nearest" : "center";
    came.current = true;
    // The router sets the scroll position of a new page first.
    const timer = setTimeout(() => said.scrollIntoView({ block }), 50);
    return () => clearTimeout(timer);
  }, [current]);
  useEffect(() => {
    if (active !== undefined) list.current?.querySelector("mark.active")?.scrollIntoView({ block: "nearest" });
  }, [active]);

  const words = (text: string, index: number) => {
    const here = matches.filter((match) => match.text === index);
    return here.length === 0
      ? text
      : partsOf(text, here).map((part, place) =>
          part.match === undefined ? (
            part.text
          ) : (
            <Found
              key={place}
              text={part.text}
              active={here[part.match] === active}
              moment={momentOf(here[part.match]!)}
              onChoose={onChoose}
            />
          ),
        );
  };

  if (segments.length === 0)
    return (
      <>
        <p className="whole" lang={language} dir="auto">
          {words(transcript, 0)}
        </p>
        {gaps.map((gap) => (
          <p key={gap.start} className="transcript-gap">
            {duration(gap.start)}: {gapText(gap)}
          </p>
        ))}
      </>
    );
  return (
    <ol className={classNames("segment-list", !times && "no-times")} ref={list}>
      {scriptPieces(segments, gaps).map((piece) =>
        piece.kind === "gap" ? (
          <li key={`gap ${piece.gap.start}`} className="transcript-gap">
            <time>{duration(piece.gap.start)}</time>
            <p>{gapText(piece.gap)}</p>
          </li>
        ) : (
          <SegmentItem
            key={`${piece.index} ${piece.segment.start}`}
            start={piece.segment.start}
            language={language}
            current={piece.index === current}
            onChoose={onChoose}
          >
            {words(piece.segment.text.trim(), piece.index)}
          </SegmentItem>
        ),
      )}
    </ol>
  );
}

interface ItemProps {
  readonly start: number;
  readonly language: string | undefined;
  readonly current: boolean;
  readonly onChoose: (second: number) => void;
  readonly children: ReactNode;
}

function SegmentItem({ start, language, current, onChoose, children }: ItemProps) {
  return (
    <li aria-current={current ? "true" : undefined}>
      <Link
        from="/scripts/$scriptId"
        to="."
        search={(before) => ({ ...before, t: start })}
        replace
        resetScroll={false}
        aria-label={`Go to ${duration(start)}`}
      >
        {duration(start)}
      </Link>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the link beside it does the same for keys */}
      <p
        lang={language}
        dir="auto"
        onClick={() => {
          if (getSelection()?.isCollapsed !== false) onChoose(start);
        }}
      >
        <span className={current ? "said" : undefined}>{children}</span>
      </p>
    </li>
  );
}

interface FoundProps {
  readonly text: string;
  readonly active: boolean;
  readonly moment: number | undefined;
  readonly onChoose: (second: number) => void;
}

/** A place that was found; where the times of words are known, a click on it goes to its own second. */
function Found({ text, active, moment, onChoose }: FoundProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- the find bar goes there with keys
    <mark
      className={active ? "active" : undefined}
      title={moment === undefined ? undefined : `Said at ${duration(moment)}`}
      onClick={(event) => {
        if (moment === undefined || getSelection()?.isCollapsed === false) return;
        event.stopPropagation();
        onChoose(moment);
      }}
    >
      {text}
    </mark>
  );
}

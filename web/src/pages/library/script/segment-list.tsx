import { Link } from "@tanstack/react-router";
import { Fragment, memo, useEffect, useMemo, useRef, type MouseEvent, type ReactNode } from "react";
import type { Output } from "@reelscript/client/core";
import { classNames } from "../../../components/class-names.ts";
import { duration, exactNumber } from "../../../format.ts";
import { linePartsOf, scriptPieces, type Match } from "./find-matches.ts";
import { paragraphsOf, type Block } from "./paragraphs.ts";
import { useOpenScript } from "./open-script.ts";
import type { PlacedWord } from "./placed-word.ts";
import { secondOf } from "./script-moments.ts";

const gapText = ({ start, end }: { readonly start: number; readonly end: number }): string =>
  `${exactNumber(Math.max(1, Math.round(end - start)))} s we couldn’t make out`;

export interface EditedWord {
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** "Read" joins lines into paragraphs; "captions" shows each line with its time. */
export type ScriptView = "read" | "captions";

interface Props {
  readonly view: ScriptView;
  readonly matches: readonly Match[];
  readonly active: Match | undefined;
  readonly onEdit: ((line: number, word: PlacedWord) => void) | undefined;
  readonly edited: EditedWord | undefined;
  readonly editor: ReactNode;
}

const nothing: readonly never[] = [];

export function SegmentList({ view, matches, active, onEdit, edited, editor }: Props) {
  const { script, current, moments, player, choose } = useOpenScript();
  const { segments, language, gaps } = script;
  const list = useRef<HTMLOListElement>(null);
  useFollow(list, current?.line, player.isPlaying);
  useEffect(() => {
    if (active !== undefined) list.current?.querySelector("mark.active")?.scrollIntoView({ block: "nearest" });
  }, [active]);
  const matchesByLine = useMemo(() => byLine(matches), [matches]);
  const act = useRef({ choose, onEdit });
  useEffect(() => {
    act.current = { choose, onEdit };
  });

  const blocks = useMemo(
    () => (view === "read" ? paragraphsOf(segments, gaps) : linesOf(segments, gaps)),
    [view, segments, gaps],
  );

  return (
    <ol className={classNames("segment-list", view)} ref={list}>
      {blocks.map((block) => {
        if ("gap" in block)
          return (
            <li key={`gap ${block.gap.start}`} className="transcript-gap">
              <time>{duration(block.gap.start)}</time>
              <p>{gapText(block.gap)}</p>
            </li>
          );
        const { line: first, segment: begin } = block.lines[0]!; // safe: a block has lines
        return (
          <li key={`${first} ${begin.start}`}>
            <Time start={begin.start} act={act} />
            <p lang={language} dir="auto">
              {block.lines.map(({ line, segment }, index) => (
                <Fragment key={line}>
                  {index > 0 && " "}
                  <Line
                    text={segment.text.trim()}
                    words={moments.words[line] ?? nothing}
                    matches={matchesByLine.get(line) ?? nothing}
                    active={active?.text === line ? active : undefined}
                    said={current?.line === line ? (current.word ?? "line") : undefined}
                    act={act}
                    line={line}
                    start={segment.start}
                    edited={edited?.line === line ? edited : undefined}
                    editor={edited?.line === line ? editor : undefined}
                  />
                </Fragment>
              ))}
            </p>
          </li>
        );
      })}
    </ol>
  );
}

const linesOf = (
  segments: Output<"getScript">["segments"],
  gaps: Output<"getScript">["gaps"],
): readonly Block<(typeof segments)[number], (typeof gaps)[number]>[] =>
  scriptPieces(segments, gaps).map((piece) => ("gap" in piece ? piece : { lines: [piece] }));

/** The router sets the scroll position of a new page first. */
const settledMilliseconds = 50;

/** Playback scrolls the list only if the current line is in view. */
function useFollow(list: { readonly current: HTMLElement | null }, line: number | undefined, isPlaying: boolean): void {
  const last = useRef<Element>(null);
  useEffect(() => {
    const said = list.current?.querySelector('[aria-current="true"]');
    if (!said) return undefined;
    const before = last.current;
    last.current = said;
    if (isPlaying && before && !isInView(before)) return undefined;
    const timer = setTimeout(() => said.scrollIntoView({ block: before ? "nearest" : "center" }), settledMilliseconds);
    return () => clearTimeout(timer);
  }, [list, line, isPlaying]);
}

function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

function byLine(matches: readonly Match[]): ReadonlyMap<number, readonly Match[]> {
  const lines = new Map<number, Match[]>();
  for (const match of matches) lines.set(match.text, [...(lines.get(match.text) ?? []), match]);
  return lines;
}

const Time = memo(function Time({ start, act }: { readonly start: number; readonly act: LineProps["act"] }) {
  return (
    <Link
      from="/scripts/$scriptId"
      to="."
      search={(before) => ({ ...before, t: start })}
      replace
      resetScroll={false}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        act.current.choose(start);
      }}
      aria-label={`Go to ${duration(start)}`}
    >
      {duration(start)}
    </Link>
  );
});

interface LineActions {
  /** Plays the recording from a second. */
  readonly choose: (second: number) => void;
  readonly onEdit: ((line: number, word: PlacedWord) => void) | undefined;
}

interface LineProps {
  readonly text: string;
  readonly words: readonly PlacedWord[];
  readonly matches: readonly Match[];
  readonly active: Match | undefined;
  readonly said: number | "line" | undefined;
  readonly act: { readonly current: LineActions };
  readonly line: number;
  readonly start: number;
  readonly edited: EditedWord | undefined;
  readonly editor: ReactNode;
}

/** While a reel plays, only changed lines are rendered again. */
const Line = memo(function Line(props: LineProps) {
  const { text, words, matches, active, said, act, line, start, edited, editor } = props;
  const wordAt = ({ target }: MouseEvent): PlacedWord | undefined =>
    target instanceof Element
      ? words[Number(target.closest("[data-word]")?.getAttribute("data-word") ?? -1)]
      : undefined;
  const choose = (event: MouseEvent): void => {
    if (getSelection()?.isCollapsed !== false) act.current.choose(wordAt(event)?.at ?? start);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- the link next to it, the find bar and "Correct" do the same for keys
    <span
      className="line"
      aria-current={said === undefined ? undefined : "true"}
      onClick={edited ? undefined : choose}
      onDoubleClick={(event) => {
        const word = wordAt(event);
        if (word !== undefined) act.current.onEdit?.(line, word);
      }}
    >
      {edited ? (
        <>
          {text.slice(0, edited.start)}
          {editor}
          {text.slice(edited.end)}
        </>
      ) : (
        <span className={said === "line" ? "said" : undefined}>
          {linePartsOf(text, matches, words).map(({ pieces, match }, partIndex) => {
            const written = pieces.map((piece, index) =>
              piece.word === undefined ? (
                piece.text
              ) : (
                <span
                  key={index}
                  data-word={piece.word}
                  className={classNames(words[piece.word]?.isUnsure && "unsure", said === piece.word && "said")}
                >
                  {piece.text}
                </span>
              ),
            );
            if (match === undefined) return written;
            const second = secondOf(words, match.start);
            return (
              <mark
                key={partIndex}
                className={match === active ? "active" : undefined}
                title={second === undefined ? undefined : `Said at ${duration(second)}`}
              >
                {written}
              </mark>
            );
          })}
        </span>
      )}
    </span>
  );
});

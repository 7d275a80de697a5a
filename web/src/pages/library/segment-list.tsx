import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { Output } from "../../api/operation-types.ts";
import { classNames } from "../../components/class-names.ts";
import { duration } from "../../format/duration.ts";
import { partsOf, type Match } from "./find-matches.ts";

interface Props {
  readonly script: Output<"getScript">;
  readonly times: boolean;
  readonly current: number | undefined;
  readonly matches: readonly Match[];
  /** The match that is shown. */
  readonly active: Match | undefined;
  readonly onChoose: (second: number) => void;
}

/** The transcript with its times. Texts of unknown times stand as one. */
export function SegmentList({ script, times, current, matches, active, onChoose }: Props) {
  const { segments, transcript, language } = script;
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
            <mark key={place} className={here[part.match] === active ? "active" : undefined}>
              {part.text}
            </mark>
          ),
        );
  };

  if (segments.length === 0)
    return (
      <p className="whole" lang={language} dir="auto">
        {words(transcript, 0)}
      </p>
    );
  return (
    <ol className={classNames("segs", !times && "no-times")} ref={list}>
      {segments.map(({ start, text }, index) => (
        <li key={`${index} ${start}`} aria-current={index === current ? "true" : undefined}>
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
            <span className={index === current ? "said" : undefined}>{words(text.trim(), index)}</span>
          </p>
        </li>
      ))}
    </ol>
  );
}

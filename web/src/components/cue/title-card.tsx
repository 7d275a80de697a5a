import { duration } from "../../format/duration.ts";
import { classNames } from "../class-names.ts";
import { gelOf } from "./gel-of.ts";

interface Props {
  /** Of the reel or script: decides the colors. */
  readonly id: string;
  readonly before?: string | undefined;
  /** What is being said, in yellow. */
  readonly now?: string | undefined;
  readonly after?: string | undefined;
  readonly lang?: string | undefined;
  /** Seconds; with `length` a bar shows how far it is. */
  readonly at?: number | undefined;
  readonly length?: number | undefined;
}

/** A cue from near: the lines become the words. Fills the width that it is given; the same words stand elsewhere as text. */
export function TitleCard({ id, before, now, after, lang, at, length }: Props) {
  return (
    <span className="frame">
      <span className={classNames("cue", "big", gelOf(id))} aria-hidden="true">
        {length !== undefined && (
          <span className="time">{at === undefined ? duration(length) : `${duration(at)} / ${duration(length)}`}</span>
        )}
        <span className="title-card" lang={lang} dir="auto">
          {before && <i>{before} </i>}
          {now && <b className="yellow">{now} </b>}
          {after && <i>{after}</i>}
        </span>
        {at !== undefined && length !== undefined && length > 0 && (
          <span className="progress">
            <i style={{ inlineSize: `${Math.min(1, at / length) * 100}%` }} />
          </span>
        )}
      </span>
    </span>
  );
}

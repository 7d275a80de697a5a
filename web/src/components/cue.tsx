import { cueLines, gelOf, isRightToLeft } from "@reelscript/contract/values";
import { classNames } from "./class-names.ts";
import { duration } from "../format.ts";

interface Props {
  readonly id: string;
  readonly text: string;
  readonly lang?: string | undefined;
  /** Position of the hit, from 0 to 1 in the text; its line is yellow. */
  readonly hit?: number | undefined;
}

/** A reel's words as lines, 36 by 64. It decorates text, so it is hidden from screen readers. */
export function Cue({ id, text, lang, hit }: Props) {
  const lines = cueLines(text);
  const hitLine = hit === undefined ? undefined : (lines.find(({ end }) => end >= hit) ?? lines.at(-1));
  const draw = (rows: typeof lines): string => rows.map(({ x, y, width }) => `M${x} ${y}h${width}`).join("");
  return (
    <span className={classNames("cue", gelOf(id), isRightToLeft(lang) && "right-to-left")} aria-hidden="true">
      <svg viewBox="0 0 36 64">
        <path d={draw(lines.filter((line) => line !== hitLine))} />
        {hitLine && <path className="spoken-line" d={draw([hitLine])} />}
      </svg>
    </span>
  );
}

interface TitleCardProps {
  readonly id: string;
  readonly before?: string | undefined;
  readonly now?: string | undefined;
  readonly after?: string | undefined;
  readonly lang?: string | undefined;
  /** Seconds; a bar shows the position in `length`. */
  readonly at?: number | undefined;
  readonly length: number;
}

/**
 * A cue at full size, with readable words instead of lines. Fills its container's width; the same words are elsewhere on the
 * page as text.
 */
export function TitleCard({ id, before, now, after, lang, at, length }: TitleCardProps) {
  return (
    <span className="frame">
      <span className={classNames("cue", "big", gelOf(id))} aria-hidden="true">
        <span className="time">{at === undefined ? duration(length) : `${duration(at)} / ${duration(length)}`}</span>
        <span className="title-card" lang={lang} dir="auto">
          {before && <i>{before} </i>}
          {now && <b className="yellow">{now} </b>}
          {after && <i>{after}</i>}
        </span>
        {at !== undefined && length > 0 && (
          <span className="progress">
            <i style={{ inlineSize: `${Math.min(1, at / length) * 100}%` }} />
          </span>
        )}
      </span>
    </span>
  );
}

import { classNames } from "../class-names.ts";
import { cueLines } from "./cue-lines.ts";
import { gelOf } from "./gel-of.ts";
import { isRightToLeft } from "../../format/is-right-to-left.ts";

interface Props {
  /** Of the reel or script: decides the colors. */
  readonly id: string;
  /** The transcript, or its beginning. */
  readonly text: string;
  readonly lang?: string | undefined;
  /** Where the hit is, as a share of the text from 0 to 1; its line is yellow. */
  readonly hit?: number | undefined;
}

/** A reel as the lines of its own words, 36 by 64. Decoration beside words, so nothing is read out. */
export function Cue({ id, text, lang, hit }: Props) {
  const lines = cueLines(text);
  const said = hit === undefined ? undefined : (lines.find(({ end }) => end >= hit) ?? lines.at(-1));
  const draw = (shown: typeof lines): string => shown.map(({ x, y, width }) => `M${x} ${y}h${width}`).join("");
  return (
    <span className={classNames("cue", gelOf(id), isRightToLeft(lang) && "right-to-left")} aria-hidden="true">
      <svg viewBox="0 0 36 64">
        <path d={draw(lines.filter((line) => line !== said))} />
        {said && <path className="spoken-line" d={draw([said])} />}
      </svg>
    </span>
  );
}

import { gelOf } from "@reelscript/contract/values";
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
  const said = hit === undefined ? undefined : (lines.find(({ end }) => end >= hit) ?? lines.at(-1));
  const draw = (rows: typeof lines): string => rows.map(({ x, y, width }) => `M${x} ${y}h${width}`).join("");
  return (
    <span className={classNames("cue", gelOf(id), isRightToLeft(lang) && "right-to-left")} aria-hidden="true">
      <svg viewBox="0 0 36 64">
        <path d={draw(lines.filter((line) => line !== said))} />
        {said && <path className="spoken-line" d={draw([said])} />}
      </svg>
    </span>
  );
}

interface CueLine {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** End of the line, from 0 to 1 in the text. */
  readonly end: number;
}

const top = 9;
const bottom = 58;
const lineStep = 4.25;
const sentenceGap = 4;
const widest = 24;
const charactersInLine = 34;

/** Draws a reel's words as lines on a frame of 36 by 64: each line is as long as its word, and sentences end with a gap. */
export function cueLines(text: string): readonly CueLine[] {
  // Only lengths are drawn, so a cut character doesn't matter.
  const sentences = text.slice(0, 600).match(/[^.!?…।؟\n]+[.!?…।؟\n]*/g) ?? [];
  const lines: CueLine[] = [];
  let y = top;
  let passed = 0;
  for (const [index, sentence] of sentences.entries()) {
    const pieces = breakLines(sentence.trim());
    for (const piece of pieces) {
      if (y > bottom) return lines;
      passed += piece.length + 1;
      const width = Math.max(6, Math.round((piece.length / charactersInLine) * widest));
      lines.push({ x: index % 3 === 2 ? 8 : 6, y, width: Math.min(widest, width), end: passed / text.length });
      y += lineStep;
    }
    y += pieces.length > 0 ? sentenceGap : 0;
  }
  return lines;
}

function breakLines(sentence: string): string[] {
  const lines: string[] = [];
  for (const word of sentence.split(/\s+/).filter(Boolean)) {
    const current = lines.at(-1);
    if (current !== undefined && current.length + 1 + word.length <= charactersInLine)
      lines[lines.length - 1] = `${current} ${word}`;
    else lines.push(word);
  }
  return lines;
}

const rightToLeft: ReadonlySet<string> = new Set(["ar", "fa", "he", "ur"]);

const isRightToLeft = (language: string | undefined): boolean =>
  rightToLeft.has(language?.split("-", 1)[0]?.toLowerCase() ?? "");

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

import { scriptPieces } from "./find-matches.ts";

interface Timed {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Line<Segment> {
  readonly segment: Segment;
  readonly line: number;
}

export type Block<Segment, Gap> = { readonly lines: readonly Line<Segment>[] } | { readonly gap: Gap };

/** Seconds of silence after a sentence that start a new paragraph. */
const pauseAfterSentence = 1;
/** Seconds of silence that start a new paragraph even within a sentence. */
const pauseAnywhere = 2.5;
/** From this many characters on, any end of a sentence ends the paragraph, because some people never pause. */
const longParagraph = 600;

const endsSentence = (text: string): boolean => /[.!?…।؟۔]["'”’»)\]]*$/u.test(text.trim());

/** Joins a script's lines into paragraphs, which end at pauses; an unintelligible passage is a block, too. */
export function paragraphsOf<Segment extends Timed, Gap extends { readonly start: number }>(
  segments: readonly Segment[],
  gaps: readonly Gap[],
): readonly Block<Segment, Gap>[] {
  const blocks: Block<Segment, Gap>[] = [];
  let open: Line<Segment>[] = [];
  let length = 0;
  const close = (): void => {
    if (open.length > 0) blocks.push({ lines: open });
    open = [];
    length = 0;
  };
  for (const piece of scriptPieces(segments, gaps)) {
    if ("gap" in piece) {
      close();
      blocks.push({ gap: piece.gap });
      continue;
    }
    const last = open.at(-1)?.segment;
    if (last !== undefined) {
      const pause = piece.segment.start - last.end;
      const isAfterSentence = endsSentence(last.text);
      if (pause >= pauseAnywhere || (isAfterSentence && (pause >= pauseAfterSentence || length >= longParagraph)))
        close();
    }
    open.push({ segment: piece.segment, line: piece.line });
    length += piece.segment.text.length;
  }
  close();
  return blocks;
}

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

/** True if a language is written from right to left. */
export const isRightToLeft = (language: string | undefined): boolean =>
  rightToLeft.has(language?.split("-", 1)[0]?.toLowerCase() ?? "");

export interface CueLine {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** Where the line ends, as a share of the text. */
  readonly end: number;
}

const top = 9;
const bottom = 58;
const lineStep = 4.25;
const sentenceGap = 4;
const widest = 24;
/** Characters that fill the widest line. */
const charactersInLine = 34;

/** The lines that a reel's words make on a frame of 36 by 64: a word's length is a line's length, a sentence ends with a gap. */
export function cueLines(text: string): readonly CueLine[] {
  const sentences = text.slice(0, 600).match(/[^.!?…।؟\n]+[.!?…।؟\n]*/gu) ?? [];
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

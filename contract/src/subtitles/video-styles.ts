import type { SubtitleRules } from "./subtitle-rules.ts";

/** The picture of subtitled videos, in pixels; sizes and margins of styles belong to it. */
export const videoPicture = { width: 1_080, height: 1_920, side: 60 } as const;

/** How the words of a subtitled video look. Colors are hexadecimal RGB, opacities from 0 to 1. */
export interface VideoStyle {
  readonly rules: SubtitleRules;
  /** Height of a line. */
  readonly size: number;
  readonly isBold: boolean;
  readonly color: string;
  /** The color of the word that is spoken; omitted if it looks like the others. */
  readonly spoken?: string;
  /** A black edge around letters, or a black box behind a line. */
  readonly edge: { readonly kind: "outline" | "box"; readonly width: number; readonly opacity: number };
  /** Distance of a shadow below the letters, 0 for none. */
  readonly shadow: number;
  /** Distance of the lowest line from the lower end. */
  readonly bottom: number;
}

export const videoStyleNames = ["lowerThird", "oneLine", "highlight"] as const;
export type VideoStyleName = (typeof videoStyleNames)[number];

/** Platforms draw captions and buttons over the lowest quarter, so no style goes there. */
export const videoStyles: Readonly<Record<VideoStyleName, VideoStyle>> = {
  lowerThird: {
    rules: { lineLength: 28, lines: 2, words: Infinity, shortest: 1_000, longest: 7_000 },
    size: 74,
    isBold: false,
    color: "FFFFFF",
    edge: { kind: "outline", width: 3, opacity: 0.55 },
    shadow: 3,
    bottom: 480,
  },
  oneLine: {
    rules: { lineLength: 22, lines: 1, words: Infinity, shortest: 700, longest: 5_000 },
    size: 92,
    isBold: true,
    color: "FFFFFF",
    edge: { kind: "box", width: 18, opacity: 0.72 },
    shadow: 0,
    bottom: 560,
  },
  highlight: {
    rules: { lineLength: 15, lines: 2, words: 4, shortest: 200, longest: 4_000 },
    size: 130,
    isBold: true,
    color: "FFFFFF",
    spoken: "FFD60A",
    edge: { kind: "outline", width: 9, opacity: 1 },
    shadow: 0,
    bottom: 620,
  },
};

/** Width of a letter of a bold font, relative to the height of its line. */
const letterShare = 0.46;

/** The height of a cue's lines: that of its style, or less if its widest line, in columns, wouldn't fit. */
export function sizeOfCue({ size }: VideoStyle, { scale }: VideoFont, widest: number): number {
  const fitting = Math.floor((videoPicture.width - 2 * videoPicture.side) / (letterShare * Math.max(1, widest)));
  return Math.round(scale * Math.max(24, Math.min(size, fitting)));
}

/** A font of subtitled videos. */
export interface VideoFont {
  readonly family: string;
  /** Height of a line relative to the size of its letters: large for scripts with signs above and below them. */
  readonly lineShare: number;
  /** Height of a line for the one that a style states. */
  readonly scale: number;
}

const latin: VideoFont = { family: "Noto Sans", lineShare: 1.362, scale: 1 };

/** Letters of every script are about as large; Arabic ones have room for signs that speech rarely needs. */
const fonts: readonly (readonly [script: RegExp, font: VideoFont])[] = [
  [/\p{sc=Arab}/gu, { family: "Noto Sans Arabic", lineShare: 2.112, scale: 1.4 }],
  [/\p{sc=Deva}/gu, { family: "Noto Sans Devanagari", lineShare: 1.304, scale: 1 }],
  [/\p{sc=Hebr}/gu, { family: "Noto Sans Hebrew", lineShare: 1.36, scale: 1 }],
  [/\p{sc=Beng}/gu, { family: "Noto Sans Bengali", lineShare: 1.325, scale: 1 }],
  [/\p{sc=Taml}/gu, { family: "Noto Sans Tamil", lineShare: 1.24, scale: 0.92 }],
  [/\p{sc=Telu}/gu, { family: "Noto Sans Telugu", lineShare: 1.352, scale: 1 }],
  [/\p{sc=Gujr}/gu, { family: "Noto Sans Gujarati", lineShare: 1.304, scale: 1 }],
  [/\p{sc=Guru}/gu, { family: "Noto Sans Gurmukhi", lineShare: 1.304, scale: 1 }],
  [/\p{sc=Thai}/gu, { family: "Noto Sans Thai", lineShare: 1.511, scale: 1.1 }],
];

/** Letters that are read to choose a font. */
const sampleLength = 4_000;

/** The font of a text: that of the script with the most letters. Other letters come from whichever font has them. */
export function fontOf(text: string): VideoFont {
  const sample = text.slice(0, sampleLength);
  let most = (sample.match(/\p{L}/gu)?.length ?? 0) / 2;
  let main = latin;
  for (const [script, font] of fonts) {
    const letters = sample.match(script)?.length ?? 0;
    if (letters > most) {
      most = letters;
      main = font;
    }
  }
  return main;
}

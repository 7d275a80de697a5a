import { bioPresets } from "@reelscript/contract";

type BioPreset = keyof typeof bioPresets;

/** A preset. Colours are hex, six digits. */
export interface Look {
  readonly ground: string;
  readonly text: string;
  readonly dim: string;
  readonly link: string;
  readonly linkText: string;
  readonly highlight: string;
  readonly highlightText: string;
  /** Corners of links, as a length of CSS. */
  readonly corner: string;
  /** Of a portrait that is drawn: its ground, then light, middle and deep. */
  readonly portrait: readonly [string, string, string, string];
}

const lookOf = (
  preset: BioPreset,
  [dim, highlightText]: readonly [string, string],
  corner: string,
  portrait: Look["portrait"],
): Look => {
  const { ground, text, link, linkText, highlight } = bioPresets[preset];
  return { ground, text, dim, link, linkText, highlight, highlightText, corner, portrait };
};

export const looks: Readonly<Record<BioPreset, Look>> = {
  light: lookOf("light", ["#5a545c", "#ffffff"], "12px", ["#d9d4d6", "#ffffff", "#8d868f", "#5a545c"]),
  dark: lookOf("dark", ["#bcb4c0", "#1d1820"], "6px", ["#2b2530", "#ffd84a", "#e86c00", "#453c4c"]),
  warm: lookOf("warm", ["#7a4030", "#ffffff"], "14px", ["#b8371a", "#ffd9a8", "#f0a868", "#6b1c0c"]),
  cool: lookOf("cool", ["#a9dcd6", "#3a1508"], "26px", ["#ffb48a", "#fff0e2", "#d9663a", "#7d2f17"]),
  safelight: lookOf("safelight", ["#f0b3a4", "#2a0606"], "4px", ["#8f1f1a", "#ffc4a2", "#ff8f7a", "#220505"]),
  meadow: lookOf("meadow", ["#48582a", "#f4f8e6"], "18px", ["#a9c46c", "#fff4c2", "#6f8f35", "#4a5f24"]),
  tape: lookOf("tape", ["#38477a", "#ffffff"], "3px", ["#7f9cf0", "#fff0d6", "#4360c4", "#2e4596"]),
  rose: lookOf("rose", ["#783657", "#ffe6f1"], "22px", ["#d96d9c", "#ffe9d2", "#b2406a", "#6a1c46"]),
};

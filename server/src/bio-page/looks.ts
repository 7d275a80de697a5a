import { bioPresets } from "@reelscript/contract";

type BioPreset = keyof typeof bioPresets;

/** The colors of a preset, hex, six digits. */
interface Look {
  readonly ground: string;
  /** Colors that the texture paints behind text, for the variables x, y and z in this order. */
  readonly shades: readonly string[];
  /** Colors that the texture paints only where there is no text. */
  readonly ornaments: readonly string[];
  readonly text: string;
  readonly dim: string;
  readonly link: string;
  readonly linkText: string;
  readonly highlight: string;
  readonly highlightText: string;
  /** Colors of a drawn portrait: background, then light, medium and dark. */
  readonly portrait: readonly [string, string, string, string];
}

const lookOf = (
  preset: BioPreset,
  [dim, highlightText]: readonly [string, string],
  shades: Look["shades"],
  portrait: Look["portrait"],
  ornaments: Look["ornaments"] = [],
): Look => {
  const { ground, text, link, linkText, highlight } = bioPresets[preset];
  return { ground, shades, ornaments, text, dim, link, linkText, highlight, highlightText, portrait };
};

export const looks: Readonly<Record<BioPreset, Look>> = {
  light: lookOf("light", ["#5c574c", "#ffffff"], ["#efebe0"], ["#d8d2c2", "#f0c9a8", "#b5331f", "#1b1a17"]),
  dark: lookOf("dark", ["#c3bbc7", "#1d1820"], ["#19161c"], ["#3a2d52", "#ffd84a", "#e8632b", "#241a36"], ["#000000"]),
  warm: lookOf("warm", ["#7a3f2e", "#ffffff"], ["#f7d3bf"], ["#b8371a", "#ffd9a8", "#f0a868", "#6b1c0c"]),
  cool: lookOf(
    "cool",
    ["#b4dfda", "#3a1508"],
    ["#1b6470", "#5b3a58", "#70402f"],
    ["#2b7f8c", "#ffe2cc", "#ffb48a", "#5b3a58"],
  ),
  safelight: lookOf(
    "safelight",
    ["#f0a896", "#240404"],
    ["#571410"],
    ["#8f1f1a", "#ffc4a2", "#ff6f55", "#220505"],
    ["#0c0202"],
  ),
  meadow: lookOf(
    "meadow",
    ["#3f4e21", "#f7fae8"],
    ["#c9da96", "#b3cf7b", "#f6ebae"],
    ["#b9d8e0", "#fff4c2", "#7d9f42", "#4a6a24"],
  ),
  tape: lookOf("tape", ["#3b487a", "#ffffff"], ["#cdd7f0"], ["#7f9cf0", "#fff0d6", "#4360c4", "#20316a"]),
  rose: lookOf("rose", ["#7a3557", "#fff0f6"], ["#f5d2e0"], ["#d96d9c", "#ffe9d2", "#b2406a", "#6a1c46"]),
};

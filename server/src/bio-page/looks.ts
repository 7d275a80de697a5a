import type { BioContent } from "@reelscript/contract";

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

type Colours = readonly [
  ground: string,
  text: string,
  dim: string,
  link: string,
  linkText: string,
  highlight: string,
  highlightText: string,
];

const lookOf = (colours: Colours, corner: string, portrait: Look["portrait"]): Look => {
  const [ground, text, dim, link, linkText, highlight, highlightText] = colours;
  return { ground, text, dim, link, linkText, highlight, highlightText, corner, portrait };
};

/** Paper, Subtitle, Matinee, Gel, Safelight, Meadow, Tape, Rose. */
export const looks: Readonly<Record<BioContent["theme"]["preset"], Look>> = {
  light: lookOf(["#f7f6f6", "#1d1820", "#5a545c", "#ffffff", "#1d1820", "#1d1820", "#ffffff"], "12px", [
    "#d9d4d6",
    "#ffffff",
    "#8d868f",
    "#5a545c",
  ]),
  dark: lookOf(["#151217", "#ffffff", "#bcb4c0", "#2b2530", "#ffffff", "#ffd84a", "#1d1820"], "6px", [
    "#2b2530",
    "#ffd84a",
    "#e86c00",
    "#453c4c",
  ]),
  warm: lookOf(["#fbe3d6", "#46150a", "#7a4030", "#fff6f0", "#46150a", "#b8371a", "#ffffff"], "14px", [
    "#b8371a",
    "#ffd9a8",
    "#f0a868",
    "#6b1c0c",
  ]),
  cool: lookOf(["#10424a", "#f2fbf9", "#a9dcd6", "#195761", "#f2fbf9", "#ffb48a", "#3a1508"], "26px", [
    "#ffb48a",
    "#fff0e2",
    "#d9663a",
    "#7d2f17",
  ]),
  safelight: lookOf(["#3a0d0d", "#ffe9e2", "#f0b3a4", "#571818", "#ffe9e2", "#ff8f7a", "#2a0606"], "4px", [
    "#8f1f1a",
    "#ffc4a2",
    "#ff8f7a",
    "#220505",
  ]),
  meadow: lookOf(["#dfe8c4", "#26340f", "#48582a", "#f4f8e6", "#26340f", "#33431a", "#f4f8e6"], "18px", [
    "#a9c46c",
    "#fff4c2",
    "#6f8f35",
    "#4a5f24",
  ]),
  tape: lookOf(["#c9d6f7", "#14224f", "#38477a", "#eef2fe", "#14224f", "#20316a", "#ffffff"], "3px", [
    "#7f9cf0",
    "#fff0d6",
    "#4360c4",
    "#2e4596",
  ]),
  rose: lookOf(["#f6d5e4", "#4b1030", "#783657", "#fdf0f6", "#4b1030", "#6a1c46", "#ffe6f1"], "22px", [
    "#d96d9c",
    "#ffe9d2",
    "#b2406a",
    "#6a1c46",
  ]),
};

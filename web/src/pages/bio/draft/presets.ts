import type { Theme } from "./content.ts";

export interface Preset {
  readonly preset: Theme["preset"];
  readonly name: string;
  readonly ground: string;
  readonly text: string;
  readonly link: string;
  readonly linkText: string;
  readonly highlight: string;
}

const presetOf = (
  preset: Theme["preset"],
  name: string,
  colours: readonly [string, string, string, string, string],
): Preset => {
  const [ground, text, link, linkText, highlight] = colours;
  return { preset, name, ground, text, link, linkText, highlight };
};

/** The colours that pages are drawn in; a test holds them to the looks of the service. */
export const presets: readonly Preset[] = [
  presetOf("warm", "Matinee", ["#fbe3d6", "#46150a", "#fff6f0", "#46150a", "#b8371a"]),
  presetOf("dark", "Subtitle", ["#151217", "#ffffff", "#2b2530", "#ffffff", "#ffd84a"]),
  presetOf("cool", "Gel", ["#10424a", "#f2fbf9", "#195761", "#f2fbf9", "#ffb48a"]),
  presetOf("light", "Paper", ["#f7f6f6", "#1d1820", "#ffffff", "#1d1820", "#1d1820"]),
  presetOf("safelight", "Safelight", ["#3a0d0d", "#ffe9e2", "#571818", "#ffe9e2", "#ff8f7a"]),
  presetOf("meadow", "Meadow", ["#dfe8c4", "#26340f", "#f4f8e6", "#26340f", "#33431a"]),
  presetOf("tape", "Tape", ["#c9d6f7", "#14224f", "#eef2fe", "#14224f", "#20316a"]),
  presetOf("rose", "Rose", ["#f6d5e4", "#4b1030", "#fdf0f6", "#4b1030", "#6a1c46"]),
];

export const presetNamed = (preset: Theme["preset"]): Preset => presets.find((one) => one.preset === preset)!; // safe: all are listed

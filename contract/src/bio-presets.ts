interface Preset {
  readonly name: string;
  /** Colours are hex, six digits. */
  readonly ground: string;
  readonly text: string;
  readonly link: string;
  readonly linkText: string;
  readonly highlight: string;
}

const preset = (
  name: string,
  ground: string,
  text: string,
  link: string,
  linkText: string,
  highlight: string,
): Preset => ({ name, ground, text, link, linkText, highlight });

/** The looks among which the owner of a bio page chooses, and the colours that editors have to know of them. */
export const bioPresets = {
  light: preset("Paper", "#f7f6f6", "#1d1820", "#ffffff", "#1d1820", "#1d1820"),
  dark: preset("Subtitle", "#151217", "#ffffff", "#2b2530", "#ffffff", "#ffd84a"),
  warm: preset("Matinee", "#fbe3d6", "#46150a", "#fff6f0", "#46150a", "#b8371a"),
  cool: preset("Gel", "#10424a", "#f2fbf9", "#195761", "#f2fbf9", "#ffb48a"),
  safelight: preset("Safelight", "#3a0d0d", "#ffe9e2", "#571818", "#ffe9e2", "#ff8f7a"),
  meadow: preset("Meadow", "#dfe8c4", "#26340f", "#f4f8e6", "#26340f", "#33431a"),
  tape: preset("Tape", "#c9d6f7", "#14224f", "#eef2fe", "#14224f", "#20316a"),
  rose: preset("Rose", "#f6d5e4", "#4b1030", "#fdf0f6", "#4b1030", "#6a1c46"),
};
export type BioPreset = keyof typeof bioPresets;

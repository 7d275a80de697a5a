interface Preset {
  readonly name: string;
  /** Colors are hex, six digits. */
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

/** The looks that the owner of a bio page can choose, and the colors that editors need. */
export const bioPresets = {
  light: preset("Paper", "#f5f2ea", "#1b1a17", "#f5f2ea", "#1b1a17", "#b5331f"),
  dark: preset("Subtitle", "#121014", "#ffffff", "#2a2630", "#ffffff", "#ffd84a"),
  warm: preset("Matinee", "#fbe3d6", "#46150a", "#fff8f1", "#46150a", "#b8371a"),
  cool: preset("Gel", "#0d3b43", "#f4fcfa", "#1c525c", "#f4fcfa", "#ffb48a"),
  safelight: preset("Safelight", "#1c0606", "#ffe4da", "#2b0b0b", "#ffe4da", "#ff6f55"),
  meadow: preset("Meadow", "#e6edcb", "#25330f", "#f7faea", "#25330f", "#3b5a1c"),
  tape: preset("Tape", "#e3e9f7", "#14224f", "#20316a", "#ffffff", "#c2261d"),
  rose: preset("Rose", "#fae6ee", "#4b1030", "#fff6fa", "#4b1030", "#8f1d50"),
};
export type BioPreset = keyof typeof bioPresets;

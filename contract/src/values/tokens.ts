/** The colors of every page of ours but those of bio pages: in the light, and in the dark where they differ. */
const colors: Readonly<Record<string, readonly [light: string, dark?: string]>> = {
  base: ["#f3f2f1", "#121013"],
  sheet: ["#fff", "#1b181d"],
  raise: ["#fff", "#242027"],
  wash: ["#f7f6f6", "#211d24"],
  "wash-2": ["#eeecec", "#2b262e"],
  line: ["#e5e2e3", "#302b33"],
  "line-2": ["#cfcacd", "#453f49"],
  edge: ["#8d868f", "#756e79"],
  ink: ["#1d1820", "#f2eff3"],
  "ink-2": ["#5a545c", "#b5aeb8"],
  "ink-3": ["#6e6770", "#958e98"],
  act: ["#1d1820", "#f2eff3"],
  "act-hover": ["#3a323e", "#fff"],
  "on-act": ["#fff", "#1b181d"],
  voice: ["#ffd84a"],
  "voice-soft": ["#fff1b8", "#4a3d10"],
  "on-voice": ["#1d1820"],
  focus: ["#2257d6", "#8fb4ff"],
  ok: ["#1a6b47", "#6fd3a0"],
  "ok-soft": ["#e3f3ea", "#173126"],
  bad: ["#b3261e", "#ff9186"],
  "bad-soft": ["#fdeae7", "#3d1b19"],
  warn: ["#8a4b00", "#f5b65c"],
  "warn-soft": ["#fdf0dc", "#3a2810"],
  "series-1": ["#43104f", "#b86cc6"],
  "series-2": ["#e86c00", "#ff9b3d"],
  "series-3": ["#4c91f7", "#65cdff"],
  "series-rest": ["#957f9d", "#84688a"],
  "heat-0": ["#f1eeee", "#342e38"],
  "heat-1": ["#ffdcbc", "#5a2a5e"],
  "heat-2": ["#ffb483", "#8a3561"],
  "heat-3": ["#ec7a5c", "#cf5c58"],
  "heat-4": ["#b2406a", "#f79d6a"],
  "heat-5": ["#5b2459", "#ffe0bd"],
  scrim: ["#1d182066", "#000000a6"],
  "lift-control": ["0 1px 2px #1d18200f", "0 1px 2px #0006"],
  "lift-panel": ["0 1px 2px #1d182014, 0 6px 20px -6px #1d182024", "0 1px 2px #0006, 0 6px 20px -6px #0009"],
  "lift-dialog": ["0 2px 6px #1d18201a, 0 24px 60px -12px #1d182047", "0 2px 6px #0008, 0 24px 60px -12px #000c"],
};

const sizes: Readonly<Record<string, string>> = {
  "text-12": "0.75rem",
  "text-13": "0.8125rem",
  "text-14": "0.875rem",
  "text-16": "1rem",
  "text-18": "1.125rem",
  "text-22": "1.375rem",
  "text-34": "2.125rem",
  "text-40": "2.5rem",
  "radius-mark": "4px",
  "radius-control": "8px",
  "radius-card": "12px",
  "radius-sheet": "18px",
  "radius-full": "99px",
  fast: "120ms",
  calm: "220ms",
  ease: "cubic-bezier(0.2, 0.7, 0.2, 1)",
};

type Properties = readonly (readonly [name: string, value: string])[];

const inTheLight = (): Properties => [
  ...Object.entries(colors).map(([name, [color]]) => [name, color] as const),
  ...Object.entries(sizes),
];
const inTheDark = (): Properties =>
  Object.entries(colors).flatMap(([name, [, color]]) => (color === undefined ? [] : [[name, color] as const]));

/** Both values as one that follows the color scheme; they differ in colors alone. */
function inBoth(light: string, dark = light): string {
  const darkColors = dark.match(/#\w+/g) ?? [];
  return dark === light ? light : light.replaceAll(/#\w+/g, (color) => `light-dark(${color}, ${darkColors.shift()})`);
}

/** A style sheet of all tokens, in the scheme that `data-theme` says or else the system. */
export function tokenSheet(): string {
  const properties = [
    ...Object.entries(colors).map(([name, both]) => [name, inBoth(...both)]),
    ...Object.entries(sizes),
  ];
  return `:root {
  color-scheme: light dark;
${properties.map(([name, value]) => `  --${name}: ${value};\n`).join("")}}
[data-theme="light"] {
  color-scheme: light;
}
[data-theme="dark"] {
  color-scheme: dark;
}
`;
}

/** The rules of a page behind the tokens that they use. */
export function withTokens(rules: string): string {
  const used = new Set(Array.from(rules.matchAll(/var\(--([a-z0-9-]+)\)/g), ([, name]) => name));
  const declared = (properties: Properties): string =>
    properties
      .filter(([name]) => used.has(name))
      .map(([name, value]) => `--${name}:${value}`)
      .join(";");
  return `:root{color-scheme:light dark;${declared(inTheLight())}}@media screen and (prefers-color-scheme:dark){:root{${declared(inTheDark())}}}${rules}`;
}

/** The mark: a frame that caption lines leave. The lines have an edge in the color of what is behind them. */
export const mark = {
  viewBox: "0 0 26 26",
  frame: "M6.5 1h7A3.5 3.5 0 0 1 17 4.5v17a3.5 3.5 0 0 1-3.5 3.5h-7A3.5 3.5 0 0 1 3 21.5v-17A3.5 3.5 0 0 1 6.5 1",
  lines: "M7 11.2h17.5v3.9H7zM7 17h11.5v3.9H7z",
} as const;

/** The shapes of the mark as SVG, to be put into a drawing of 26 by 26. */
export const markShapes = (look: { readonly frame: string; readonly lines?: string; readonly edge: string }): string =>
  `<path d="${mark.frame}" fill="${look.frame}"/><path d="${mark.lines}" fill="${look.lines ?? colors["voice"]![0]}" stroke="${look.edge}" stroke-width="3" paint-order="stroke"/>`;

const markDrawing = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${mark.viewBox}">${content}</svg>\n`;

/** The mark as a file of its own, light and dark. */
export const markFile = (): string =>
  markDrawing(
    `<style>:root{--ink:${colors["ink"]![0]};--base:#fff}@media(prefers-color-scheme:dark){:root{--ink:${colors["ink"]![1]};--base:${colors["base"]![1]}}}</style>${markShapes({ frame: "var(--ink)", edge: "var(--base)" })}`,
  );

/** The mark as a file for programs that choose between light and dark themselves. */
export const themedMarkFile = (isDark: boolean): string =>
  markDrawing(markShapes({ frame: colors["ink"]![isDark ? 1 : 0]!, edge: isDark ? colors["raise"]![1]! : "#fff" }));

const gels = ["gel-1", "gel-2", "gel-3", "gel-4", "gel-5", "gel-6"] as const;

/** The colors of a cue or an avatar, always the same for the same id. */
export function gelOf(id: string): (typeof gels)[number] {
  let hash = 2_166_136_261;
  for (const character of id) hash = Math.imul(hash ^ character.codePointAt(0)!, 16_777_619) >>> 0;
  return gels[((hash ^ (hash >>> 15)) >>> 0) % gels.length]!; // safe: the rest is smaller than the length
}

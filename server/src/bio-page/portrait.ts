import type { looks } from "./looks.ts";
import { markup, type Markup } from "./markup.ts";

type Colors = (typeof looks)["light"]["portrait"];

/** Shown where there is no portrait: one of three drawings, by the name, in the colors of the look. */
export function portraitOf(name: string, colors: Colors): Markup {
  const sum = Buffer.from(name).reduce((total, byte) => (total * 31 + byte) % 9_973, 7);
  const draw = drawings[sum % drawings.length] ?? stairs;
  return markup`<svg viewBox="0 0 9 15" preserveAspectRatio="xMidYMid slice" aria-hidden="true"><path fill="${colors[0]}" d="M0 0h9v15H0z"/>${draw(colors)}</svg>`;
}

const stairs = ([, light, middle, deep]: Colors): Markup =>
  markup`<circle cx="3" cy="5" r="1.6" fill="${light}"/><path fill="${middle}" d="M9 4.5H7.2v1.8H5.4v1.8H3.6v1.8H1.8v1.8H0V15h9z"/><path fill="${deep}" d="M9 8.1H7.2v1.8H5.4v1.8H3.6V15H9z"/>`;

const beams = ([ground, light, middle, deep]: Colors): Markup =>
  markup`<path fill="${light}" d="M0 0h9v4.2L0 7.8z"/><path fill="${middle}" d="M0 8.6 9 5v2.2L0 10.8z"/><circle cx="3.1" cy="4.7" r="1.05" fill="${ground}"/><path fill="${deep}" d="M0 11.6 9 8v7H0z"/>`;

const hills = ([, light, middle, deep]: Colors): Markup =>
  markup`<circle cx="6.1" cy="4.9" r="1.5" fill="${light}"/><path fill="${middle}" d="M0 9.4C1.6 6.6 3 5.9 4.4 6.9S7.4 9 9 7.2V15H0z"/><path fill="${deep}" d="M0 11.2c2-1.4 3.6-1.2 5 0s2.7.9 4-.3V15H0z"/>`;

const drawings = [stairs, beams, hills];

/** Minimum contrast between text and its background, by WCAG. */
export const leastContrast = 4.5;

type Channels = readonly [red: number, green: number, blue: number];

/** The contrast of two hex colors (`#abc` or `#aabbcc`), from 1 to 21, by WCAG. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/**
 * The wanted ink if it is readable on all of the grounds, or else black or white, whichever is more readable on the worst of
 * them.
 */
export function readableInk(grounds: string | readonly string[], preferredInk?: string | null): string {
  const all = typeof grounds === "string" ? [grounds] : grounds;
  const worst = (ink: string): number => Math.min(...all.map((ground) => contrastOf(ground, ink)));
  if (preferredInk && worst(preferredInk) >= leastContrast) return preferredInk;
  return worst("#000000") >= worst("#ffffff") ? "#000000" : "#ffffff";
}

/** The color nearest to `color`, with its hue and saturation, on which `ink` is readable, as `#aabbcc`. There is always one. */
export function readableGround(color: string, ink: string): string {
  const channels = channelsOf(color);
  const hexColor = toHex(channels);
  if (contrastOf(hexColor, ink) >= leastContrast) return hexColor;
  const lightness = (Math.min(...channels) + Math.max(...channels)) / 2;
  // How far channels can be from the lightness that they share.
  const reachAt = (at: number): number => Math.min(at, 1 - at);
  const share = (at: number): number => (reachAt(lightness) > 0 ? reachAt(at) / reachAt(lightness) : 0);
  const steps = 200;
  const grounds = Array.from({ length: steps + 1 }, (_, step) => step / steps)
    .toSorted((one, other) => Math.abs(one - lightness) - Math.abs(other - lightness))
    .map((at) => toHex(channels.map((channel) => at + (channel - lightness) * share(at))));
  return grounds.find((ground) => contrastOf(ground, ink) >= leastContrast) ?? readableInk(ink);
}

/** `share` of the first color over the second, as `#aabbcc`. */
export function mixOf(one: string, other: string, share: number): string {
  const over = channelsOf(one);
  const under = channelsOf(other);
  const at = (index: 0 | 1 | 2): number => over[index] * share + under[index] * (1 - share);
  return toHex([at(0), at(1), at(2)]);
}

function luminanceOf(color: string): number {
  const [red, green, blue] = channelsOf(color).map((value) =>
    value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  ) as unknown as Channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From 0 to 1. */
function channelsOf(color: string): Channels {
  const digits = color.slice(1);
  const long = digits.length === 3 ? digits.replaceAll(/./g, "$&$&") : digits;
  const at = (index: number): number => Number.parseInt(long.slice(index, index + 2), 16) / 255;
  return [at(0), at(2), at(4)];
}

const toHex = (channels: readonly number[]): string =>
  `#${channels
    .map((value) =>
      Math.round(value * 255)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;

import jsqr from "jsqr";
import { expect, test } from "vitest";
import { qrPicture, svgOf, type QrPicture } from "../../src/pages/bio/panels/qr-code.tsx";

// Its types name a default export, which the module itself is.
const read = jsqr as unknown as typeof jsqr.default;

/** Scans the code, drawn from its path with so many pixels to a module. */
function scan({ size, path }: QrPicture, scale: number, stained = 0): string | undefined {
  const side = size * scale;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  const paint = (x: number, y: number, value: number): void => {
    for (let row = y * scale; row < (y + 1) * scale; row += 1)
      pixels.fill(value, (row * side + x * scale) * 4, (row * side + (x + 1) * scale) * 4);
    for (let at = 3; at < pixels.length; at += 4) pixels[at] = 255;
  };
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let step = 0; step < Number(length); step += 1) paint(Number(x) + step, Number(y), 0);
  const middle = Math.floor(size / 2);
  for (let x = 0; x < stained; x += 1) for (let y = 0; y < stained; y += 1) paint(middle + x, middle + y, 255);
  return read(pixels, side, side)?.data;
}

test.each(["https://reelscript.example/@ana", `https://bio.a-rather-long-name.example/@${"a.b".repeat(10)}`])(
  "the code of %s can be scanned, also with a stain on it",
  (url) => {
    const picture = qrPicture(url);
    expect(scan(picture, 4)).toBe(url);
    expect(scan(picture, 4, 3)).toBe(url);
    expect(svgOf(picture)).toContain(`viewBox="0 0 ${picture.size} ${picture.size}"`);
    expect(svgOf(picture)).toContain(picture.path);
  },
);

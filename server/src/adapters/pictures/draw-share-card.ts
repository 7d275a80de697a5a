import { markShapes } from "@reelscript/contract/values";
import sharp from "sharp";
import type { ShareCard } from "../../bio-page/share-card.ts";
import { writable, writeText } from "./card-text.ts";
import { shapes } from "./share-card-shapes.ts";
import { createTurns } from "./draw-elsewhere.ts";

const [width, height] = [1_200, 630];
const textLeft = 520;
const textWidth = 600;
const gap = 28;

/** One at a time, because a machine has better things to do. */
const inTurn = createTurns({ atATime: 1, waiting: 20 });

/** A JPEG of 1200 by 630 pixels. Throws when too many are waiting. */
export const drawShareCard = (card: ShareCard): Promise<Uint8Array> => inTurn(() => draw(card));

async function draw(card: ShareCard): Promise<Uint8Array> {
  const name = writable(card.name) || `@${card.handle}`;
  const about = writable(card.about) ?? "";
  const isMono = card.preset === "safelight";
  const lines = [
    await writeText({
      text: name,
      face: isMono ? "mono" : "title",
      bold: true,
      color: card.text,
      width: textWidth,
      // A word is not parted where it can be written smaller.
      sizes: [104, 88, 72, 58, 46, 34].filter(
        (size, index, all) => size * longestWord(name) < 1_150 || index === all.length - 1,
      ),
      mostHeight: 230,
    }),
    ...(name === `@${card.handle}` ? [] : [await small(`@${card.handle}`, card.dim, [32, 26], 40)]),
    ...(about === "" ? [] : [await small(about, card.text, [34, 30], 150)]),
  ];
  const total = lines.reduce((sum, line) => sum + line.height, 0) + gap * (lines.length - 1);
  const isRightToLeft = /^[^\p{L}]*\p{Script=Arabic}/u.test(name);
  let top = Math.round((height - total) / 2);
  const placed = lines.map((line) => {
    const left = isRightToLeft ? textLeft + textWidth - line.width : textLeft;
    const one = { input: line.bytes, left, top };
    top += line.height + gap;
    return one;
  });
  return sharp(Buffer.from(pictureOf(card)))
    .composite(placed)
    .jpeg({ quality: 86, chromaSubsampling: "4:4:4", mozjpeg: true })
    .toBuffer();
}

const longestWord = (text: string): number => Math.max(...text.split(" ").map((word) => word.length));

const small = (text: string, color: string, sizes: readonly number[], mostHeight: number) =>
  writeText({ text, face: "text", color, width: textWidth, sizes, mostHeight });

/** Everything but the words. */
function pictureOf(card: ShareCard): string {
  const { frame, place, behind, before } = shapes[card.preset];
  const portrait = card.portrait.replace(
    "<svg ",
    `<svg x="${place.x}" y="${place.y}" width="${place.width}" height="${place.height}" `,
  );
  const clipped = `<clipPath id="frame">${frame}</clipPath><g clip-path="url(#frame)">${portrait}</g>`;
  // The mark of the service, small.
  const mark = `<g transform="translate(1104 552) scale(1.6)">${markShapes({ frame: card.text, lines: card.accent, edge: card.ground })}</g>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="${card.ground}"/>${behind(card)}${clipped}${before?.(card) ?? ""}${mark}</svg>`;
}

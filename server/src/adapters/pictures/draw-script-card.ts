import { markShapes } from "@reelscript/contract/values";
import sharp from "sharp";
import type { ScriptCard } from "../../ports.ts";
import { createFairLine } from "../../rules/fair-line.ts";
import { writable, writeText } from "./card-text.ts";

const width = 1_200;
const height = 630;
const margin = 80;

/** One at a time, because a machine has better things to do. */
const line = createFairLine({ atATime: 1, waiting: 20 });

/** A JPEG of 1200 by 630 pixels. Throws when too many are waiting. */
export const drawScriptCard = (card: ScriptCard): Promise<Uint8Array> => line.run("everybody", () => draw(card));

async function draw({ title, handle, ground, words }: ScriptCard): Promise<Uint8Array> {
  const writing = { width: width - 2 * margin };
  const head = await writeText({
    ...writing,
    text: writable(title) || "A transcript of a reel",
    face: "title",
    bold: true,
    color: "#ffd84a",
    sizes: [92, 76, 62, 50, 40],
    mostHeight: 360,
  });
  const foot = await writeText({
    ...writing,
    text: handle === null ? "Transcript" : `@${handle}`,
    face: "text",
    color: words,
    sizes: [34, 28],
    mostHeight: 44,
  });
  const isRightToLeft = /^[^\p{L}]*\p{Script=Arabic}/u.test(title);
  const mark = `<g transform="translate(1076 526) scale(1.9)">${markShapes({ frame: "#ffffff", lines: "#ffd84a", edge: ground })}</g>`;
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="${ground}"/>${mark}</svg>`;
  return sharp(Buffer.from(picture))
    .composite([
      { input: head.bytes, left: isRightToLeft ? width - margin - head.width : margin, top: margin },
      { input: foot.bytes, left: margin, top: height - margin - foot.height },
    ])
    .jpeg({ quality: 86, chromaSubsampling: "4:4:4", mozjpeg: true })
    .toBuffer();
}

import { markShapes } from "@reelscript/contract/values";
import sharp from "sharp";
import type { ShareCard } from "../../bio-page/share-card.ts";
import { writable, writeText } from "./card-text.ts";
import { createFairLine } from "../../rules/fair-line.ts";

const width = 1_200;
const height = 630;
const textLeft = 520;
const textWidth = 600;
const gap = 28;

/** One at a time, because a machine has better things to do. */
const line = createFairLine({ atATime: 1, waiting: 20 });

/** A JPEG of 1200 by 630 pixels. `portrait`: the uploaded one, in JPEG. Throws when too many are waiting. */
export const drawShareCard = (card: ShareCard, portrait?: Uint8Array): Promise<Uint8Array> =>
  line.run("everybody", () => draw(card, portrait));

async function draw(card: ShareCard, portrait: Uint8Array | undefined): Promise<Uint8Array> {
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
      // A word isn't broken if it fits in a smaller size.
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
  const overlays = lines.map((line) => {
    const left = isRightToLeft ? textLeft + textWidth - line.width : textLeft;
    const one = { input: line.bytes, left, top };
    top += line.height + gap;
    return one;
  });
  return sharp(Buffer.from(pictureOf(card, portrait)))
    .composite(overlays)
    .jpeg({ quality: 86, chromaSubsampling: "4:4:4", mozjpeg: true })
    .toBuffer();
}

const longestWord = (text: string): number => Math.max(...text.split(" ").map((word) => word.length));

const small = (text: string, color: string, sizes: readonly number[], mostHeight: number) =>
  writeText({ text, face: "text", color, width: textWidth, sizes, mostHeight });

/** Everything but the words. */
function pictureOf(card: ShareCard, uploaded: Uint8Array | undefined): string {
  const { frame, area, behind, before } = shapes[card.preset];
  const box = `x="${area.x}" y="${area.y}" width="${area.width}" height="${area.height}"`;
  const portrait =
    uploaded === undefined
      ? card.portrait.replace("<svg ", `<svg ${box} `)
      : `<image ${box} preserveAspectRatio="xMidYMid slice" href="data:image/jpeg;base64,${Buffer.from(uploaded).toString("base64")}"/>`;
  const clipped = `<clipPath id="frame">${frame}</clipPath><g clip-path="url(#frame)">${portrait}</g>`;
  // The mark of the service, small.
  const mark = `<g transform="translate(1104 552) scale(1.6)">${markShapes({ frame: card.text, lines: card.accent, edge: card.ground })}</g>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="${card.ground}"/>${behind(card)}${clipped}${before?.(card) ?? ""}${mark}</svg>`;
}

interface Shapes {
  /** The shape of the portrait, filled by it. */
  readonly frame: string;
  /** The rectangle of the portrait, which fills its shape. */
  readonly area: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  /** Behind and before the portrait. */
  readonly behind: (card: ShareCard) => string;
  readonly before?: (card: ShareCard) => string;
}

const rays = (color: string): string =>
  Array.from(
    { length: 24 },
    (_, index) => `<path fill="${color}" transform="rotate(${index * 15} 270 315)" d="M270 315 1400 250v130z"/>`,
  ).join("");

const circles = (color: string): string =>
  Array.from({ length: 15 }, (_, index) => `<circle cx="${index * 88}" cy="30" r="42" fill="${color}"/>`).join("");

const holes = (color: string): string =>
  [62, 542]
    .flatMap((y) =>
      Array.from(
        { length: 6 },
        (_, index) => `<rect x="${132 + index * 52}" y="${y}" width="26" height="24" rx="3" fill="${color}"/>`,
      ),
    )
    .join("");

const lines = (color: string): string =>
  `<path stroke="${color}" stroke-width="2" d="${Array.from({ length: 30 }, (_, index) => `M${index * 44 + 22} 0v630M0 ${index * 44 + 22}h1200`).join("")}"/>`;

/** How each look frames a portrait on a card of 1200 by 630. */
const shapes: Readonly<Record<ShareCard["preset"], Shapes>> = {
  light: {
    frame: '<rect x="100" y="115" width="300" height="400"/>',
    area: { x: 100, y: 115, width: 300, height: 400 },
    behind: ({ text }) => `<path fill="${text}" d="M100 60h1000v14H100zM100 84h1000v3H100zM100 568h1000v3H100z"/>`,
  },
  dark: {
    frame: '<rect y="44" width="440" height="542"/>',
    area: { x: 0, y: 44, width: 440, height: 542 },
    behind: () => '<path d="M0 0h1200v44H0zM0 586h1200v44H0z"/>',
    before: ({ ground }) =>
      `<linearGradient id="fade"><stop offset=".45" stop-color="${ground}" stop-opacity="0"/><stop offset="1" stop-color="${ground}"/></linearGradient><path fill="url(#fade)" d="M0 44h442v542H0z"/>`,
  },
  warm: {
    frame: '<path d="M120 515V265a150 150 0 0 1 300 0v250z"/>',
    area: { x: 120, y: 115, width: 300, height: 400 },
    behind: ({ shade, ground, accent }) =>
      `${rays(shade)}<path fill="${accent}" d="M102 533V265a168 168 0 0 1 336 0v268z"/><path fill="${ground}" d="M111 524V265a159 159 0 0 1 318 0v259z"/>`,
  },
  cool: {
    frame: '<circle cx="275" cy="315" r="160"/>',
    area: { x: 115, y: 155, width: 320, height: 320 },
    behind: ({ shade, accent }) =>
      `<radialGradient id="glow"><stop stop-color="${shade}"/><stop offset="1" stop-color="${shade}" stop-opacity="0"/></radialGradient><circle cx="1050" cy="60" r="520" fill="url(#glow)"/><circle cx="60" cy="620" r="420" fill="url(#glow)"/><circle cx="275" cy="315" r="172" fill="${accent}"/>`,
  },
  safelight: {
    frame: '<rect x="130" y="102" width="300" height="426"/>',
    area: { x: 130, y: 102, width: 300, height: 426 },
    behind: ({ shade, accent }) =>
      `<radialGradient id="glow"><stop stop-color="${shade}"/><stop offset="1" stop-color="${shade}" stop-opacity="0"/></radialGradient><ellipse cx="420" cy="60" rx="760" ry="460" fill="url(#glow)"/><path fill="#0c0202" d="M114 46h332v538H114z"/>${holes(accent)}`,
  },
  meadow: {
    frame: '<path d="M270 120c110-8 170 80 160 190s-60 200-160 196S104 420 110 300s70-172 160-180z"/>',
    area: { x: 104, y: 112, width: 330, height: 400 },
    behind: ({ shade }) =>
      `<circle cx="1150" cy="20" r="130" fill="#f6ebae"/><path fill="${shade}" d="M0 630v-40c220-90 420-60 640-20s400-40 560-80v140z"/>`,
  },
  tape: {
    frame: '<rect x="142" y="132" width="286" height="300" transform="rotate(-3 285 310)"/>',
    area: { x: 132, y: 122, width: 306, height: 320 },
    behind: ({ shade }) =>
      `${lines(shade)}<rect x="126" y="118" width="322" height="424" fill="#00000022" transform="rotate(-3 285 310)"/><rect x="120" y="108" width="330" height="424" fill="#fff" transform="rotate(-3 285 310)"/>`,
    before: () => '<rect x="210" y="78" width="130" height="50" fill="#f3dc8c" transform="rotate(-5 275 100)"/>',
  },
  rose: {
    frame: '<ellipse cx="275" cy="335" rx="140" ry="180"/>',
    area: { x: 135, y: 155, width: 280, height: 360 },
    behind: ({ accent }) =>
      `<path fill="${accent}" d="M0 0h1200v30H0z"/>${circles(accent)}<g fill="none" stroke="${accent}" stroke-width="2.5"><ellipse cx="275" cy="335" rx="152" ry="192"/><ellipse cx="275" cy="335" rx="162" ry="202"/></g>`,
  },
};

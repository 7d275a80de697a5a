import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { markup } from "../../markup/markup.ts";

/** This relative path works from the sources and from the build. */
const fileOf = (name: string): string => fileURLToPath(new URL(`../../../fonts/${name}.ttf`, import.meta.url));

const families = {
  title: "Instrument Sans Condensed",
  text: "Instrument Sans",
  mono: "Sometype Mono",
} as const;
const scripts = "Noto Sans Devanagari, Noto Sans Tamil, Noto Sans Telugu, Noto Sans Arabic";
const files = ["title-latin", "sans-latin", "mono-latin", "deva", "taml", "telu", "arab"];

let loading: Promise<unknown> | undefined;
/** The process keeps a font once it was used. */
const loadFonts = (): Promise<unknown> =>
  (loading ??= Promise.all(
    files.map((file) => sharp({ text: { text: "a", fontfile: fileOf(file) } }).metadata()),
  ).catch((error: unknown) => {
    loading = undefined;
    throw error;
  }));

/** The fonts' characters; any other would be drawn as an empty box. */
const hasGlyph =
  /^[\u0020-\u007E\u00A0-\u00FF\u0131\u0152\u0153\u2013\u2014\u2018-\u201A\u201C-\u201E\u2022\u2026\u2039\u203A\u20AC\u2122\u{200C}-\u{200D}\u0600-\u06FF\u0900-\u097F\u0B80-\u0BFF\u0C00-\u0C7F]$/u;

/** A text without accents and signs that cannot be written; `undefined` when a letter cannot. */
export function writable(text: string): string | undefined {
  const signs = Array.from(text).flatMap((sign) => (hasGlyph.test(sign) ? [sign] : Array.from(sign.normalize("NFKD"))));
  if (signs.some((sign) => !hasGlyph.test(sign) && /[\p{L}\p{N}]/u.test(sign))) return undefined;
  return signs
    .map((sign) => (hasGlyph.test(sign) ? sign : /\p{M}/u.test(sign) ? "" : " "))
    .join("")
    .replaceAll(/ +/g, " ")
    .trim();
}

interface Writing {
  readonly text: string;
  readonly face: keyof typeof families;
  readonly bold?: boolean;
  readonly color: string;
  readonly width: number;
  /** Sizes in pixels, from the largest; the first at which the text is low enough is used. */
  readonly sizes: readonly number[];
  readonly mostHeight: number;
}

interface Written {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Draws a text as a transparent picture, with the shaping that its script needs. */
export async function writeText(writing: Writing): Promise<Written> {
  const { text, face, bold, color, width, sizes, mostHeight } = writing;
  await loadFonts();
  const span = String(markup`<span foreground="${color}">${text}</span>`);
  let written: Written | undefined;
  for (const size of sizes) {
    const { data, info } = await sharp({
      text: {
        text: span,
        font: `${families[face]}, ${scripts} ${bold ? "Bold " : ""}${size}`,
        width,
        dpi: 72,
        rgba: true,
        wrap: "word-char",
      },
    })
      .png()
      .toBuffer({ resolveWithObject: true });
    written = { bytes: data, width: info.width, height: info.height };
    if (info.height <= mostHeight) return written;
  }
  if (written === undefined) throw new Error("a text needs a size");
  const height = Math.min(mostHeight, written.height);
  const bytes = await sharp(written.bytes).extract({ left: 0, top: 0, width: written.width, height }).png().toBuffer();
  return { bytes, width: written.width, height };
}

import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { createMediaDecoder } from "../whisper/dist/index.js";

const reelsFolder = fileURLToPath(new URL("../platform-standin/reels/", import.meta.url));

/** The stored reels of the stand-in: `name`, `path`, `kind`, `language`, `text`, `seconds`, `hasAudio`. */
export async function storedReels() {
  const rows = JSON.parse(await readFile(path.join(reelsFolder, "reels.json"), "utf8"));
  return rows.map((row) => ({ ...row, path: path.join(reelsFolder, `${row.name}.mp4`) }));
}

/** The English speech nearest to a length in seconds. */
export async function englishReelOf(seconds) {
  const reels = (await storedReels()).filter(({ kind, language }) => kind === "speech" && language === "en");
  return reels.reduce((best, reel) =>
    Math.abs(reel.seconds - seconds) < Math.abs(best.seconds - seconds) ? reel : best,
  );
}

/** Recordings of a folder with a `MANIFEST.tsv` (file, language, text); those without a text are left out. */
export async function manifestClips(folder) {
  const lines = (await readFile(path.join(folder, "MANIFEST.tsv"), "utf8")).trim().split("\n").slice(1);
  const present = new Set(await readdir(folder));
  return lines
    .map((line) => line.split("\t"))
    .filter(([file, , text]) => present.has(file) && !text.startsWith("("))
    .map(([file, language, text]) => ({ name: file, path: path.join(folder, file), language, text, kind: "speech" }));
}

/** All samples of a media file: 16 kHz, mono. */
export async function decodedSamples(file) {
  const decoder = await createMediaDecoder({ searchPath: process.env.PATH });
  try {
    const chunks = [];
    const { samples } = decoder.decode(file, { maxSeconds: 900, signal: new AbortController().signal });
    for await (const chunk of samples) chunks.push(chunk.slice());
    const all = new Float32Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
    let at = 0;
    for (const chunk of chunks) {
      all.set(chunk, at);
      at += chunk.length;
    }
    return all;
  } finally {
    await decoder.close();
  }
}

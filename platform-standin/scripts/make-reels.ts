// Makes the videos and posters of reels.json from Debian's speech packages, speech synthesis and computed music, and writes
// their lengths to that file. Needs ffmpeg, espeak-ng, festival (festvox-hi-nsk, festvox-te-nsk),
// asterisk-core-sounds-{en,es,fr,it}-g722, pocketsphinx-testdata and Noto fonts. Usage: node scripts/run.mjs
// dist/platform-standin/scripts/make-reels.js [NAME ...]
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { root } from "../../scripts/root.ts";
import { makeSound, type Row } from "./make-sound.ts";
import { ffmpeg, runTool } from "./run-tool.ts";

const reelsFolder = path.join(root, "platform-standin/reels");
const tableFile = path.join(reelsFolder, "reels.json");
const mostBytes = 400_000;
const palettes = ["0x20304f", "0x4a2040", "0x1f4d3f", "0x5a3a1c", "0x33306b", "0x6b2430"];

const rows = JSON.parse(readFileSync(tableFile, "utf8")) as Row[];
const names = process.argv.slice(2);
for (const row of rows) if (names.length === 0 || names.includes(row.name)) makeReel(row);
writeFileSync(tableFile, `${JSON.stringify(rows, undefined, 2)}\n`);

function makeReel(row: Row): void {
  const folder = mkdtempSync(path.join(tmpdir(), "reelscript-reels-"));
  try {
    const sound = makeSound(row, folder);
    const seconds = sound ? secondsOf(sound) : row.seconds;
    row.seconds = Math.round(seconds * 1_000) / 1_000;
    const poster = path.join(reelsFolder, `${row.name}.jpg`);
    const video = path.join(reelsFolder, `${row.name}.mp4`);
    makePoster(row, folder, poster);
    makeVideo(row, { poster, sound, seconds, video });
    const bytes = statSync(video).size;
    if (bytes > mostBytes) throw new Error(`${row.name}: ${bytes} bytes, more than ${mostBytes}`);
    console.log(`${row.name.padEnd(20)} ${row.seconds.toFixed(1).padStart(6)} s ${String(bytes).padStart(7)} bytes`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function secondsOf(file: string): number {
  const options = "-v error -show_entries format=duration -of csv=p=0".split(" ");
  return Number(runTool("ffprobe", [...options, file]).toString());
}

/** A still image of the caption. */
function makePoster(row: Row, folder: string, poster: string): void {
  const { width, height, name } = row;
  const lines = path.join(folder, "poster.ass");
  writeFileSync(lines, posterLines(row));
  const color = palettes[Array.from(name).reduce((sum, letter) => sum + letter.codePointAt(0)!, 0) % palettes.length];
  const gradient = `gradients=s=${width}x${height}:c0=${color}:c1=0x101018:x0=0:y0=0:x1=${width}:y1=${height}:nb_colors=2:seed=1:speed=0.00001:d=1:r=1`;
  ffmpeg("-f lavfi -i", gradient, "-vf", `ass=${lines}`, "-frames:v 1 -q:v 6", poster);
}

function posterLines({ width, height, caption, handle, language }: Row): string {
  const scaled = (pixels: number): number => Math.round((pixels * width) / 360);
  const style = (name: string, size: number, alignment: number, vertical: number): string =>
    `Style: ${name},Noto Sans,${scaled(size)},&H00FFFFFF,&H00FFFFFF,&H00000000,&H64000000,${name === "Handle" ? -1 : 0},0,0,0,100,100,0,0,1,0,0,${alignment},${scaled(26)},${scaled(26)},${scaled(vertical)},1`;
  const line = (name: string, text: string): string =>
    `Dialogue: 0,0:00:00.00,0:10:00.00,${name},,0,0,0,,${text.replaceAll("\\", "/").replaceAll("{", "(").replaceAll("}", ")")}`;
  const [firstLine = ""] = withoutEmoji(caption).split("\n");
  return [
    "[Script Info]",
    "ScriptType: v4.00+",
    `PlayResX: ${width}`,
    `PlayResY: ${height}`,
    "WrapStyle: 0",
    "[V4+ Styles]",
    "Format: Name, Fontname, Fontsize, PrimaryColor, SecondaryColor, OutlineColor, BackColor, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding",
    style("Handle", 20, 7, 40),
    style("Caption", 24, 5, 0),
    style("Foot", 14, 1, 30),
    "[Events]",
    "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text",
    line("Handle", `@${handle}`),
    line("Caption", firstLine.slice(0, 110)),
    line("Foot", language === "und" ? "no words" : language),
    "",
  ].join("\n");
}

/** The text renderer doesn't support colored glyphs and would draw empty boxes. */
function withoutEmoji(text: string): string {
  return text.replaceAll(/(?:\p{Extended_Pictographic}|[\u{1f3fb}-\u{1f3ff}]|\u200d|\ufe0f)+ ?/gu, "");
}

/** One still picture with the sound: H.264 at one frame per second, AAC. The same input gives the same bytes. */
function makeVideo(
  row: Row,
  {
    poster,
    sound,
    seconds,
    video,
  }: Readonly<Record<"poster" | "video", string>> & { readonly sound: string | undefined; readonly seconds: number },
): void {
  const { audioRate = 16_000, audioKilobits = seconds > 45 ? 48 : 64 } = row.sound ?? {};
  ffmpeg(
    "-loop 1 -framerate 1 -i",
    poster,
    ...(sound ? ["-i", sound] : []),
    "-c:v libx264 -preset veryslow -tune stillimage -crf 30 -pix_fmt yuv420p -threads 1 -g 600",
    sound ? `-c:a aac -b:a ${audioKilobits}k -ar ${audioRate}` : "-an",
    `-t ${seconds} -movflags +faststart`,
    "-map_metadata -1 -fflags +bitexact -flags:v +bitexact -flags:a +bitexact",
    video,
  );
}

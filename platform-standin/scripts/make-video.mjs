import { copyFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { runTool } from "./run-tool.mjs";

const palettes = ["0x20304f", "0x4a2040", "0x1f4d3f", "0x5a3a1c", "0x33306b", "0x6b2430"];

const escapeAss = (text) =>
  text.replaceAll("\\", "/").replaceAll("{", "(").replaceAll("}", ")").replaceAll("\n", "\\N");

// the text renderer knows no colored glyphs and would draw empty boxes
const withoutEmoji = (text) =>
  text.replaceAll(/(?:\p{Extended_Pictographic}|[\u{1f3fb}-\u{1f3ff}]|\u200d|\ufe0f)+ ?/gu, "");

function posterLines(recipe, [width, height]) {
  const unit = width / 360;
  const style = (name, size, alignment, vertical) =>
    `Style: ${name},Noto Sans,${Math.round(size * unit)},&H00FFFFFF,&H00FFFFFF,&H00000000,&H64000000,${name === "Handle" ? -1 : 0},0,0,0,100,100,0,0,1,0,0,${alignment},${Math.round(26 * unit)},${Math.round(26 * unit)},${Math.round(vertical * unit)},1`;
  const caption = withoutEmoji(recipe.caption ?? "")
    .split("\n")[0]
    .slice(0, 110);
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
    `Dialogue: 0,0:00:00.00,0:10:00.00,Handle,,0,0,0,,${escapeAss(`@${recipe.handle}`)}`,
    `Dialogue: 0,0:00:00.00,0:10:00.00,Caption,,0,0,0,,${escapeAss(caption)}`,
    `Dialogue: 0,0:00:00.00,0:10:00.00,Foot,,0,0,0,,${escapeAss(recipe.language === "und" ? "no words" : recipe.language)}`,
    "",
  ].join("\n");
}

/** A still of the caption, as JPEG. */
export function makePoster(recipe, folder, out) {
  const [width, height] = recipe.size ?? [360, 640];
  writeFileSync(path.join(folder, "poster.ass"), posterLines(recipe, [width, height]));
  const color = palettes[[...recipe.name].reduce((sum, letter) => sum + letter.codePointAt(0), 0) % palettes.length];
  const source = `gradients=s=${width}x${height}:c0=${color}:c1=0x101018:x0=0:y0=0:x1=${width}:y1=${height}:nb_colors=2:seed=1:speed=0.00001:d=1:r=1`;
  const filter = `ass=${path.join(folder, "poster.ass")}`;
  runTool("ffmpeg", [
    "-v",
    "error",
    "-y",
    "-f",
    "lavfi",
    "-i",
    source,
    "-vf",
    filter,
    "-frames:v",
    "1",
    "-q:v",
    "6",
    out,
  ]);
}

const exact = ["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact"];

/** A portrait mp4 of one still picture and the sound: h264 at one frame a second, AAC. */
export function makeVideo({ poster, audio, seconds, audioKilobits, audioRate, out, folder }) {
  const picture = ["-loop", "1", "-framerate", "1", "-i", poster];
  const sound = audio ? ["-i", audio] : [];
  const audioCodec = audio ? ["-c:a", "aac", "-b:a", `${audioKilobits}k`, "-ar", String(audioRate)] : ["-an"];
  const videoCodec = [
    "-c:v",
    "libx264",
    "-preset",
    "veryslow",
    "-tune",
    "stillimage",
    "-crf",
    "30",
    "-pix_fmt",
    "yuv420p",
  ];
  const temporary = path.join(folder, "reel.mp4");
  runTool(
    "ffmpeg",
    ["-v", "error", "-y", ...picture, ...sound, ...videoCodec, "-threads", "1", "-g", "600"].concat(audioCodec, [
      "-t",
      String(seconds),
      "-movflags",
      "+faststart",
      ...exact,
      temporary,
    ]),
  );
  copyFileSync(temporary, out);
}

// Makes the reels of the stand-in from Debian's speech packages, speech synthesis and computed music.
// Needs ffmpeg, espeak-ng, festival (festvox-hi-nsk, festvox-te-nsk), asterisk-core-sounds-{en,es,fr,it}-g722,
// pocketsphinx-testdata and Noto fonts. Usage: node platform-standin/scripts/make-reels.mjs [NAME ...]
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { makeAudio } from "./make-audio.mjs";
import { makePoster, makeVideo } from "./make-video.mjs";
import { recordedRecipes } from "./recorded-recipes.mjs";
import { secondsOf } from "./run-tool.mjs";
import { soundRecipes } from "./sound-recipes.mjs";
import { synthesizedRecipes } from "./synthesized-recipes.mjs";

const reelsFolder = fileURLToPath(new URL("../reels/", import.meta.url));
const tableFile = path.join(reelsFolder, "reels.json");
const recipes = [...recordedRecipes, ...synthesizedRecipes, ...soundRecipes];
const wanted = new Set(process.argv.slice(2));
const known = existsSync(tableFile)
  ? new Map(JSON.parse(readFileSync(tableFile, "utf8")).map((row) => [row.name, row]))
  : new Map();
const mostBytes = 400_000;

function makeReel(recipe) {
  const folder = mkdtempSync(path.join(tmpdir(), "reelscript-reels-"));
  try {
    const audio = makeAudio(recipe, folder);
    const seconds = audio ? secondsOf(audio) : recipe.seconds;
    const poster = path.join(reelsFolder, `${recipe.name}.jpg`);
    const out = path.join(reelsFolder, `${recipe.name}.mp4`);
    makePoster(recipe, folder, poster);
    const audioRate = recipe.audioRate ?? 16000;
    const audioKilobits = recipe.audioKilobits ?? (seconds > 45 ? 48 : 64);
    makeVideo({ poster, audio, seconds, audioKilobits, audioRate, out, folder });
    const bytes = statSync(out).size;
    if (bytes > mostBytes) throw new Error(`${recipe.name}: ${bytes} bytes, more than ${mostBytes}`);
    console.log(`${recipe.name.padEnd(20)} ${seconds.toFixed(1).padStart(6)} s ${String(bytes).padStart(7)} bytes`);
    return { seconds: Math.round(seconds * 1000) / 1000, audio: audio !== undefined };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const rows = recipes.map((recipe) => {
  const old = known.get(recipe.name);
  const made =
    old && wanted.size > 0 && !wanted.has(recipe.name)
      ? { seconds: old.seconds, audio: old.hasAudio }
      : makeReel(recipe);
  const [width, height] = recipe.size ?? [360, 640];
  return {
    name: recipe.name,
    code: recipe.code,
    kind: recipe.kind,
    language: recipe.language,
    text: recipe.text,
    seconds: made.seconds,
    hasAudio: made.audio,
    width,
    height,
    origin: recipe.origin,
    license: recipe.license,
    handle: recipe.handle,
    fullName: recipe.fullName,
    verified: recipe.verified ?? false,
    caption: recipe.caption,
    likes: recipe.likes,
    comments: recipe.comments,
    views: recipe.views,
    plays: recipe.plays,
    music: recipe.musicTitle ?? null,
  };
});
writeFileSync(tableFile, `${JSON.stringify(rows, null, 2)}\n`);

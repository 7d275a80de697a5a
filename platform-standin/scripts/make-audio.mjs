import path from "node:path";
import { writeFileSync } from "node:fs";
import { runTool } from "./run-tool.mjs";

const asteriskFolders = {
  en: "/usr/share/asterisk/sounds/en_US_f_Allison",
  es: "/usr/share/asterisk/sounds/es_MX_f_Allison",
  fr: "/usr/share/asterisk/sounds/fr_CA_f_June",
  it: "/usr/share/asterisk/sounds/it_IT_m_Carlo",
};
const librivoxFolder = "/usr/share/pocketsphinx/test/data/librivox";

const trimSilence =
  "silenceremove=start_periods=1:start_threshold=-50dB:start_silence=0.05,areverse," +
  "silenceremove=start_periods=1:start_threshold=-50dB:start_silence=0.15,areverse";

/** One part of a recipe as mono 16 kHz WAV; returns the file. */
function makePart(part, language, folder, index) {
  const wav = path.join(folder, `part-${index}.wav`);
  const toWav = (...input) =>
    runTool("ffmpeg", ["-v", "error", "-y", ...input, "-af", trimSilence, "-ar", "16000", "-ac", "1", wav]);
  if (part.prompt) toWav("-f", "g722", "-i", path.join(asteriskFolders[language], `${part.prompt}.g722`));
  else if (part.librivox)
    toWav("-i", path.join(librivoxFolder, `sense_and_sensibility_01_austen_64kb-${part.librivox}.wav`));
  else if (part.espeak) {
    const spoken = path.join(folder, `spoken-${index}.wav`);
    runTool("espeak-ng", ["-v", part.espeak, "-s", String(part.rate ?? 140), "-w", spoken, part.say]);
    toWav("-i", spoken);
  } else if (part.festival) {
    const spoken = path.join(folder, `spoken-${index}.wav`);
    runTool("text2wave", ["-eval", `(voice_${part.festival})`, "-o", spoken], part.say);
    toWav("-i", spoken);
  } else throw new Error(`a part that nobody knows how to make: ${JSON.stringify(part)}`);
  return wav;
}

function joinParts(files, gapSeconds, leveled, folder) {
  const list = path.join(folder, "speech.wav");
  const inputs = files.flatMap((file) => ["-i", file]);
  const padded = files.map((_, index) => `[${index}]apad=pad_dur=${gapSeconds}[p${index}]`).join(";");
  const joined = files.map((_, index) => `[p${index}]`).join("") + `concat=n=${files.length}:v=0:a=1`;
  const loudness = leveled
    ? ",loudnorm=I=-18:TP=-2,aresample=16000,aformat=channel_layouts=mono"
    : ",aformat=channel_layouts=mono";
  runTool("ffmpeg", [
    "-v",
    "error",
    "-y",
    ...inputs,
    "-filter_complex",
    `${padded};${joined}${loudness}`,
    "-ar",
    "16000",
    list,
  ]);
  return list;
}

/** The sound of a reel as WAV, or undefined for a reel without an audio track. */
export function makeAudio(recipe, folder) {
  if (recipe.silent) return undefined;
  const out = path.join(folder, "audio.wav");
  if (recipe.sound) {
    runTool("ffmpeg", [
      "-v",
      "error",
      "-y",
      "-f",
      "lavfi",
      "-i",
      recipe.sound.source,
      "-t",
      String(recipe.sound.seconds),
      out,
    ]);
    return out;
  }
  if (recipe.music) {
    writeFileSync(out, recipe.music());
    return out;
  }
  const files = recipe.parts.map((part, index) => makePart(part, recipe.language, folder, index));
  const speech = joinParts(files, recipe.gapSeconds ?? 0.45, recipe.leveled ?? true, folder);
  if (!recipe.bed) return speech;
  const bed = path.join(folder, "bed.wav");
  writeFileSync(bed, recipe.bed());
  const mix = `[1]volume=${recipe.bedVolume ?? 0.12}[bed];[0][bed]amix=inputs=2:duration=first:normalize=0`;
  runTool("ffmpeg", [
    "-v",
    "error",
    "-y",
    "-i",
    speech,
    "-stream_loop",
    "-1",
    "-i",
    bed,
    "-filter_complex",
    mix,
    "-ar",
    "16000",
    out,
  ]);
  return out;
}

import path from "node:path";
import { makeMusic, type Music } from "./make-music.ts";
import { ffmpeg, runTool } from "./run-tool.ts";

/** The part of a row in reels.json from which its media are made. */
export interface Row {
  readonly name: string;
  readonly language: string;
  readonly text: string;
  seconds: number;
  readonly hasAudio: boolean;
  readonly width: number;
  readonly height: number;
  readonly handle: string;
  readonly caption: string;
  readonly sound?: Sound;
}

/** Recipe for a sound: files or a voice joined with pauses, music alone or quietly under them, or an ffmpeg source. */
interface Sound {
  /** File names in the language's asterisk package, separated by spaces. */
  readonly prompts?: string;
  /** Numbers of chapters in the pocketsphinx package. */
  readonly chapters?: string;
  /** A voice and its speed. */
  readonly espeak?: string;
  readonly rate?: number;
  /**
   * A voice, and the text in its script. espeak-ng's Arabic, Indonesian and Tamil are unintelligible to a small recognizer. The
   * diphones of the Hindi and Telugu voices are recorded speech, which is intelligible if the text is respelled in their
   * script.
   */
  readonly festival?: string;
  readonly say?: string;
  readonly gapSeconds?: number;
  readonly isLeveled?: boolean;
  readonly music?: Music;
  readonly source?: string;
  readonly audioRate?: number;
  readonly audioKilobits?: number;
}

const asteriskFolders: Readonly<Record<string, string>> = {
  en: "en_US_f_Allison",
  es: "es_MX_f_Allison",
  fr: "fr_CA_f_June",
  it: "it_IT_m_Carlo",
};

/** The ffmpeg arguments that read each part of the speech; `spoken` is a file for a voice to write. */
function partsOf({ prompts, chapters, espeak, rate, festival, say }: Sound, row: Row, spoken: string): string[][] {
  if (prompts !== undefined)
    return prompts
      .split(" ")
      .map((name) => ["-f g722 -i", `/usr/share/asterisk/sounds/${asteriskFolders[row.language]}/${name}.g722`]);
  if (chapters !== undefined)
    return chapters
      .split(" ")
      .map((number) => [
        "-i",
        `/usr/share/pocketsphinx/test/data/librivox/sense_and_sensibility_01_austen_64kb-${number}.wav`,
      ]);
  if (espeak !== undefined) runTool("espeak-ng", ["-v", espeak, "-s", String(rate), "-w", spoken, row.text]);
  else if (festival !== undefined)
    runTool("text2wave", ["-eval", `(voice_${festival})`, "-o", spoken], say ?? withoutFinalVowels(row.text));
  else return [];
  return [["-i", spoken]];
}

/** The inherent vowel of a Hindi letter is silent at the end of a word; the voice speaks it unless a virama follows. */
const withoutFinalVowels = (text: string): string =>
  text.replaceAll(/([\u0915-\u0939\u0958-\u095f])(?=[\s।,.?]|$)/g, "$1\u094d");

const trimmed =
  "silenceremove=start_periods=1:start_threshold=-50dB:start_silence=0.05,areverse," +
  "silenceremove=start_periods=1:start_threshold=-50dB:start_silence=0.15,areverse";

/** The sound of a reel as WAV; undefined for a reel without an audio track. */
export function makeSound(row: Row, folder: string): string | undefined {
  if (!row.hasAudio || row.sound === undefined) return undefined;
  const { music, source } = row.sound;
  const fileOf = (name: string): string => path.join(folder, `${name}.wav`);
  const speech = fileOf("speech");
  const musicFile = fileOf("music");
  const mixed = fileOf("mixed");
  if (source) {
    ffmpeg("-f lavfi -i", source, `-t ${row.seconds}`, mixed);
    return mixed;
  }
  if (music) makeMusic(musicFile, music);
  const files = partsOf(row.sound, row, fileOf("spoken")).map((input, index) => {
    const wav = fileOf(`part-${index}`);
    ffmpeg(...input, "-af", trimmed, "-ar 16000 -ac 1", wav);
    return wav;
  });
  if (files.length === 0) return musicFile;
  joinParts(files, speech, row.sound);
  if (!music) return speech;
  const mix = "[1]volume=0.12[bed];[0][bed]amix=inputs=2:duration=first:normalize=0";
  ffmpeg("-i", speech, "-stream_loop -1 -i", musicFile, "-filter_complex", mix, "-ar 16000", mixed);
  return mixed;
}

function joinParts(files: readonly string[], out: string, { gapSeconds = 0.45, isLeveled = true }: Sound): void {
  const padded = files.map((_, index) => `[${index}]apad=pad_dur=${gapSeconds}[p${index}]`).join(";");
  const joined = files.map((_, index) => `[p${index}]`).join("") + `concat=n=${files.length}:v=0:a=1`;
  const leveled = isLeveled ? ",loudnorm=I=-18:TP=-2,aresample=16000" : "";
  const filter = `${padded};${joined}${leveled},aformat=channel_layouts=mono`;
  ffmpeg(...files.flatMap((file) => ["-i", file]), "-filter_complex", filter, "-ar 16000", out);
}

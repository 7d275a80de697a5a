import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { languageCodes, languages, type Language } from "@reelscript/contract";
import { bundledSpeech } from "@reelscript/platform-standin";
import { sumOfErrors, type Transcriber, type Transcription, textErrorsOf, WhisperError } from "@reelscript/whisper";
import type { OpenedWhisper } from "../start/open-whisper.ts";
import { AdminError } from "./admin-error.ts";
import { alignedTable } from "./command.ts";

export interface Measurement {
  readonly model: string;
  readonly threads: number;
  /** Seconds of work per second of audio, decoding included; `null` if no clip's length is known. */
  readonly realTimeFactor: number | null;
  readonly audioSeconds: number;
  /** Peak memory of the recognizer's process in bytes; `null` if the system doesn't report it. */
  readonly peakMemoryBytes: number | null;
  readonly languages: readonly {
    readonly language: Language;
    readonly clips: number;
    /** Clips that the model could not transcribe. */
    readonly refused: number;
    /** Share of spoken words that are wrong; every word of a refused clip counts as wrong. */
    readonly wordErrorPercent: number;
    /** Share of characters that are wrong, counted the same way. */
    readonly characterErrorPercent: number;
    /** Synthesized speech: it shows that the pipeline works, but says little about real people. */
    readonly synthesized: boolean;
  }[];
  /** Languages without a clip by a person. */
  readonly withoutPeople: readonly Language[];
}

/** Seconds of clips per language, the shortest clips first. */
const secondsPerLanguage = 60;

interface Clip {
  readonly file: string;
  readonly text: string;
  /** Unknown for the operator's clips until they are transcribed. */
  readonly seconds?: number;
  readonly synthesized: boolean;
}

interface Wish {
  readonly name: string;
  readonly threads: number;
  readonly language: Language | undefined;
  /** The operator's own clips in that language, which replace the included ones. */
  readonly clips: readonly Clip[] | undefined;
  readonly open: () => Promise<OpenedWhisper>;
  readonly say: (message: string) => void;
}

/** Runs a model on clips in the same way as the service. Throws `WhisperError` if it can't be loaded. */
export async function measureModel({
  name,
  threads,
  language,
  clips: operatorClips,
  open,
  say,
}: Wish): Promise<Measurement> {
  say(`Loading ${name} …`);
  const transcriber = await open();
  try {
    const rows: Measurement["languages"][number][] = [];
    const total = { seconds: 0, audioSeconds: 0 };
    let peakMemoryBytes: number | null = null;
    for (const code of languageCodes.filter((one) => language === undefined || one === language)) {
      const clips = operatorClips ?? clipsOf(code);
      if (clips.length === 0) continue;
      say(`Listening to ${languages[code]} …`);
      const results = [];
      for (const clip of clips) {
        const started = performance.now();
        const result = await transcribed(transcriber, clip.file, code);
        const seconds = clip.seconds ?? result?.seconds;
        if (seconds !== undefined) {
          total.seconds += (performance.now() - started) / 1_000;
          total.audioSeconds += seconds;
        }
        results.push({ refused: result === undefined, errors: textErrorsOf(clip.text, result?.text ?? "") });
        for (const processId of transcriber.recognizer?.processIds() ?? [])
          peakMemoryBytes = Math.max(peakMemoryBytes ?? 0, (await peakMemoryOf(processId)) ?? 0) || null;
      }
      const { words, wordErrors, letters, letterErrors } = sumOfErrors(results.map(({ errors }) => errors));
      rows.push({
        language: code,
        clips: clips.length,
        refused: results.filter(({ refused }) => refused).length,
        wordErrorPercent: Number(((wordErrors / words) * 100).toFixed(1)),
        characterErrorPercent: Number(((letterErrors / letters) * 100).toFixed(1)),
        synthesized: clips.every(({ synthesized }) => synthesized),
      });
    }
    const requestedLanguages = language === undefined ? languageCodes : [language];
    return {
      model: name,
      threads,
      realTimeFactor: total.audioSeconds === 0 ? null : Number((total.seconds / total.audioSeconds).toFixed(3)),
      audioSeconds: Math.round(total.audioSeconds),
      peakMemoryBytes,
      languages: rows,
      withoutPeople: requestedLanguages.filter(
        (code) => !rows.some((row) => row.language === code && !row.synthesized),
      ),
    };
  } finally {
    await transcriber.close();
  }
}

export const measurementText = ({ languages: rows, withoutPeople, ...measured }: Measurement): string => {
  const { model, threads, realTimeFactor, audioSeconds, peakMemoryBytes } = measured;
  return [
    `Model   ${model}`,
    `Speed   ${realTimeFactor ?? "?"} s for a second of audio (${audioSeconds} s heard, ${threads} ${threads === 1 ? "thread" : "threads"})`,
    `Memory  ${peakMemoryBytes === null ? "not available on this system" : `${Math.round(peakMemoryBytes / 1e6)} MB at most`}`,
    "",
    alignedTable(
      ["LANGUAGE", "CLIPS", "REFUSED", "WRONG WORDS", "CHARACTERS", ""],
      rows.map(({ language, clips, refused, wordErrorPercent, characterErrorPercent, synthesized }) => [
        languages[language],
        String(clips),
        String(refused),
        `${wordErrorPercent}%`,
        `${characterErrorPercent}%`,
        synthesized ? "a machine's voice" : "",
      ]),
    ),
    ...(withoutPeople.length === 0
      ? []
      : ["", `No recordings of people are included for ${namesOf(withoutPeople)}. Try reels of your own.`]),
  ].join("\n");
};

export const namesOf = (codes: readonly Language[]): string => codes.map((code) => languages[code]).join(", ");

/** The audio files of a folder that have a text of the same name, such as one.m4a and one.txt. Throws `AdminError`. */
export async function clipsIn(folder: string): Promise<readonly Clip[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw new AdminError("refused", `${folder} cannot be read.`, error);
  });
  const clips: Clip[] = [];
  for (const name of names.filter((one) => one.endsWith(".txt")).toSorted()) {
    const sounds = names.filter((one) => one !== name && path.parse(one).name === path.parse(name).name);
    const text = await readFile(path.join(folder, name), "utf8");
    if (sounds.length !== 1 || textErrorsOf(text, "").words === 0)
      throw new AdminError("refused", `${name} needs words in it, and one sound file with the same name beside it.`);
    clips.push({ file: path.join(folder, sounds[0]!), text, synthesized: false });
  }
  if (clips.length > 0) return clips;
  throw new AdminError(
    "refused",
    `${folder} has no texts: each sound file needs what is said in it, such as one.txt beside one.m4a.`,
  );
}

function clipsOf(language: Language): readonly Clip[] {
  let seconds = 0;
  return bundledSpeech()
    .filter((clip) => clip.language === language)
    .toSorted((one, other) => one.seconds - other.seconds)
    .filter((clip) => {
      seconds += clip.seconds;
      return seconds <= secondsPerLanguage;
    });
}

/** `undefined` if the model can't transcribe the speech. */
async function transcribed(
  transcriber: Transcriber,
  file: string,
  language: Language,
): Promise<Transcription | undefined> {
  try {
    return await transcriber.transcribe(file, { language, signal: new AbortController().signal });
  } catch (error) {
    if (error instanceof WhisperError && ["notRecognized", "notReliable", "unsupportedLanguage"].includes(error.code))
      return undefined;
    throw error;
  }
}

/** Only Linux reports it. */
async function peakMemoryOf(processId: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${processId}/status`, "utf8").catch(() => "");
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

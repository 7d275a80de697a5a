import { readFile } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import { languageCodes, languages, type Language } from "@reelscript/contract";
import { bundledSpeech } from "@reelscript/platform-standin";
import {
  createEmbeddedRecognizer,
  createMediaDecoder,
  createTranscriber,
  sumOfErrors,
  type Transcriber,
  textErrorsOf,
  WhisperError,
} from "@reelscript/whisper";
import type { Config } from "../settings/config.ts";

export interface Measurement {
  readonly model: string;
  readonly threads: number;
  /** Seconds of work for a second of audio, decoding included. */
  readonly realTimeFactor: number;
  readonly audioSeconds: number;
  /** Most bytes that the recognizer's process held; `null` where the system does not say. */
  readonly peakMemoryBytes: number | null;
  readonly languages: readonly {
    readonly language: Language;
    readonly clips: number;
    /** Clips that the model could not write down. */
    readonly refused: number;
    /** Of the words that are said; refused clips count as read without a word right. */
    readonly wordErrorPercent: number;
    /** Read by a machine: it says whether the way works, and little about people. */
    readonly synthesized: boolean;
  }[];
  /** Languages without a clip by a person. */
  readonly withoutPeople: readonly Language[];
}

/** Of each language so much is listened to, the shortest clips first. */
const secondsPerLanguage = 60;

interface Wish {
  readonly name: string;
  readonly directory: string;
  readonly language: Language | undefined;
  readonly config: Config;
  readonly say: (message: string) => void;
}

/** Runs a model on the reels that come along, as the service would. Throws `WhisperError` when it does not load. */
export async function measureModel({ name, directory, language, config, say }: Wish): Promise<Measurement> {
  const threads = config.transcriber.kind === "embedded" ? config.transcriber.threads : 1;
  const recognizer = createEmbeddedRecognizer({ modelDirectory: directory, threads });
  const decoder = await createMediaDecoder({ ffmpegPath: config.ffmpegPath, searchPath: config.searchPath });
  const transcriber = createTranscriber({ decoder, recognizer, maxSeconds: config.maxAudioSeconds });
  try {
    say(`Loading ${name} …`);
    await transcriber.ready();
    const rows: Measurement["languages"][number][] = [];
    const total = { seconds: 0, audioSeconds: 0 };
    let peakMemoryBytes: number | null = null;
    for (const code of languageCodes.filter((one) => language === undefined || one === language)) {
      const clips = clipsOf(code);
      if (clips.length === 0) continue;
      say(`Listening to ${languages[code]} …`);
      const heard = [];
      for (const clip of clips) {
        const started = performance.now();
        const text = await textOf(transcriber, clip.file);
        total.seconds += (performance.now() - started) / 1_000;
        total.audioSeconds += clip.seconds;
        heard.push({ refused: text === undefined, errors: textErrorsOf(clip.text, text ?? "") });
        for (const processId of recognizer.processIds())
          peakMemoryBytes = Math.max(peakMemoryBytes ?? 0, (await peakMemoryOf(processId)) ?? 0) || null;
      }
      const { words, wordErrors } = sumOfErrors(heard.map(({ errors }) => errors));
      rows.push({
        language: code,
        clips: clips.length,
        refused: heard.filter(({ refused }) => refused).length,
        wordErrorPercent: Number(((wordErrors / words) * 100).toFixed(1)),
        synthesized: clips.every(({ synthesized }) => synthesized),
      });
    }
    const asked = language === undefined ? languageCodes : [language];
    return {
      model: name,
      threads,
      realTimeFactor: Number((total.seconds / total.audioSeconds).toFixed(3)),
      audioSeconds: Math.round(total.audioSeconds),
      peakMemoryBytes,
      languages: rows,
      withoutPeople: asked.filter((code) => !rows.some((row) => row.language === code && !row.synthesized)),
    };
  } finally {
    await transcriber.close();
  }
}

function clipsOf(language: Language): ReturnType<typeof bundledSpeech> {
  let seconds = 0;
  return bundledSpeech()
    .filter((clip) => clip.language === language)
    .toSorted((one, other) => one.seconds - other.seconds)
    .filter((clip) => {
      seconds += clip.seconds;
      return seconds <= secondsPerLanguage;
    });
}

/** `undefined` when the model cannot write the speech down. */
async function textOf(transcriber: Transcriber, file: string): Promise<string | undefined> {
  try {
    return (await transcriber.transcribe(file, { signal: new AbortController().signal })).text;
  } catch (error) {
    if (error instanceof WhisperError && ["notRecognized", "unsupportedLanguage"].includes(error.code))
      return undefined;
    throw error;
  }
}

/** Linux counts it for us; other systems don't say. */
async function peakMemoryOf(processId: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${processId}/status`, "utf8").catch(() => "");
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

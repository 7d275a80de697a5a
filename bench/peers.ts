import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { sumOfErrors, textErrorsOf } from "@reelscript/whisper";
import { longRecordings } from "./long-recordings.ts";
import { openTranscriber } from "./processes/own-transcriber.ts";
import { wavFile } from "#whisper/openai/audio-pieces.ts";
import { runWhisperCli, whisperCli } from "./processes/whisper-cli.ts";
import { type Needs, shown } from "./report.ts";
import { decodedSamples, manifestClips, sampleRate as rate, storedReels } from "./speech-clips.ts";
import { median } from "./statistics.ts";

type Hears = (samples: Float32Array) => Promise<{ readonly milliseconds: number; readonly text: string }>;

interface Recording {
  readonly samples: Float32Array;
  readonly text: string;
}

const languages = ["en", "es", "pt", "fr", "de", "it"];
const fasterWhisper = `
import sys, time
from faster_whisper import WhisperModel
model = WhisperModel(sys.argv[1], device="cpu", compute_type="int8", cpu_threads=int(sys.argv[3]))
started = time.monotonic()
segments, _ = model.transcribe(sys.argv[2], beam_size=1, vad_filter=True)
text = " ".join(segment.text.strip() for segment in segments)
print(time.monotonic() - started)
print(text)
`;

/** The recognizer beside others, in turn on the same recordings: time and word error. */
export async function benchPeers({ report, folder, quick, threads, started }: Needs): Promise<void> {
  report.section(
    "Peers",
    "The same recordings in turn, each by all. Of faster-whisper (int8, voice detection) loading is not counted, of whisper-cli it is.",
  );
  const peers = peersHere(folder, threads);
  if (peers.size === 0) {
    report.note("SKIPPED, nothing was compared: set WHISPER_CLI and WHISPER_CLI_MODEL (and WHISPER_CLI_VAD_MODEL),");
    report.note("or FASTER_WHISPER (a Python that has the package) and FASTER_WHISPER_MODEL (a folder).");
    return;
  }
  const own = await started(openTranscriber({ threads }));
  const ours: Hears = async (samples) => {
    const from = performance.now();
    const { text } = await own.samples(samples);
    return { milliseconds: performance.now() - from, text };
  };
  const { long, short } = await recordingsHere();
  for (const [what, recordings, atMost] of [
    ["about 60 s", long, 0.6],
    ["about 30 s", short, 0.5],
  ] as const) {
    const heard = [...new Map([["ours", ours], ...peers])].map(([name, hears]) => ({
      name,
      hears,
      times: [] as number[],
      errors: [] as ReturnType<typeof textErrorsOf>[],
    }));
    for (const { samples, text } of quick ? recordings.slice(0, 2) : recordings)
      for (const { hears, times, errors } of heard) {
        const answer = await hears(samples);
        times.push(answer.milliseconds);
        errors.push(textErrorsOf(text, answer.text));
      }
    const [{ times: ourTimes }, ...others] = heard as [(typeof heard)[number], ...typeof heard];
    const wrong = heard.map(({ errors }) => sumOfErrors(errors)).map(({ wordErrors, words }) => wordErrors / words);
    report.note(`${what}: ${ourTimes.length} recordings`);
    report.table(
      ["recognizer", "median time", "word error"],
      heard.map(({ name, times }, index) => [name, shown(median(times), "ms"), shown(wrong[index]!, "%")]),
    );
    const value = median(ourTimes.map((time, index) => time / Math.min(...others.map(({ times }) => times[index]!))));
    const above = wrong[0]! - Math.min(...wrong.slice(1));
    report.figures([
      { what: `${what}: time, to the faster of the others`, value, unit: "x", atMost },
      { what: `${what}: word error above the better of the others`, value: above, unit: "%", atMost: 0.01 },
    ]);
  }
}

function peersHere(folder: string, threads: number): ReadonlyMap<string, Hears> {
  const peers = new Map<string, Hears>();
  const file = path.join(folder, "recording.wav");
  const cli = whisperCli();
  if (cli)
    peers.set(cli.vadModel ? "whisper-cli" : "whisper-cli without voice detection", async (samples) => {
      await writeFile(file, wavFile(samples));
      return runWhisperCli(cli, file, threads);
    });
  const { FASTER_WHISPER: python, FASTER_WHISPER_MODEL: model } = process.env;
  if (python && model)
    peers.set("faster-whisper", async (samples) => {
      await writeFile(file, wavFile(samples));
      const { stdout } = await promisify(execFile)(python, ["-c", fasterWhisper, model, file, String(threads)]);
      const [seconds = "", ...lines] = stdout.split("\n");
      return { milliseconds: Number(seconds) * 1_000, text: lines.join(" ").trim() };
    });
  return peers;
}

/** Of the stand-in's reels and of SPEECH_DIR: clips in a row, and single ones of 20 to 35 s. */
async function recordingsHere(): Promise<{
  readonly long: readonly Recording[];
  readonly short: readonly Recording[];
}> {
  const { SPEECH_DIR: speechFolder } = process.env;
  const reels = (await storedReels()).filter(({ text, kind }) => text !== "" && kind !== "oneSecond");
  const clips = [...(speechFolder ? await manifestClips(path.resolve(speechFolder)) : []), ...reels];
  const long: Recording[] = [];
  for (const language of languages)
    long.push(...(await longRecordings(clips.filter((clip) => clip.language === language))));
  const short: Recording[] = [];
  for (const clip of clips.filter(({ language }) => languages.includes(language))) {
    const samples = await decodedSamples(clip.path);
    if (samples.length >= 20 * rate && samples.length <= 35 * rate) short.push({ samples, text: clip.text });
  }
  return { long, short };
}

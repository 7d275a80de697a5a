import { execFile, spawn } from "node:child_process";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";
import { Tensor } from "onnxruntime-node";
import * as z from "zod";
import { embeddedModelDirectory } from "../embedded-model.ts";
import { createMediaDecoder } from "../media/create-media-decoder.ts";
import { lowerPriority } from "../media/child-limits.ts";
import { findOnnxFiles } from "../recognition/decoder/onnx-files.ts";
import { samplesOf } from "../recognition/heads/spoken-frames.ts";
import { SpeechHead } from "../recognition/heads/speech-head.ts";
import { unavailable, WhisperError } from "../whisper-error.ts";
import { sumOfErrors, type TextErrors, textErrorsOf } from "../word-errors.ts";
import { type SpokenClip, writeClipStates } from "./clip-states.ts";
import { fromHalf } from "./half-floats.ts";
import { headDirectory, measuredFile } from "./own-heads.ts";

export interface TrainHeadOptions {
  readonly language: string;
  readonly dataDirectory: string;
  /** Files of sentences, one a line, that tell which words follow each other. */
  readonly texts: readonly string[];
  /** The Python that has what `whisper/models/convert/requirements.txt` names. */
  readonly python: string;
  readonly searchPath: string | undefined;
  readonly threads: number;
  readonly signal: AbortSignal;
  /** Called with a line for people at each step. */
  readonly onStep: (line: string) => void;
}

export interface TrainedHead {
  readonly directory: string;
  readonly clips: number;
  /** `null` where the clips don't tell who speaks. */
  readonly speakers: number | null;
  /** Seconds of speech in the clips. */
  readonly seconds: number;
  /** Clips that were refused in the measurement; they count as wrong altogether. */
  readonly refused: number;
  /** Measured with clips that neither the network nor the words have seen, by other speakers where they are told. */
  readonly wordErrorPercent: number;
  readonly characterErrorPercent: number;
}

const programs = fileURLToPath(new URL("../../models/convert", import.meta.url));
const stateWidth = 512;

const step = z.discriminatedUnion("step", [
  z.object({ step: z.literal("fold"), n: z.int(), of: z.int(), unitErrorPercent: z.number() }),
  z.object({ step: z.literal("done"), clips: z.int(), speakers: z.int().nullable() }),
]);

/**
 * Trains a head for the embedded model on clips, tests it on clips that it hasn't seen, and puts it into the data directory,
 * where the next start of the service finds it. Takes minutes to hours, at low priority. Throws `WhisperError`.
 */
export async function trainHead(clips: readonly SpokenClip[], options: TrainHeadOptions): Promise<TrainedHead> {
  const { language, dataDirectory, onStep, threads, signal } = options;
  await checkPython(options);
  const directory = headDirectory(dataDirectory, language);
  const work = `${directory}.training`;
  const states = path.join(work, "states");
  const newHead = path.join(work, "head");
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { recursive: true, mode: 0o700 });
  try {
    onStep(`Listening to ${clips.length} clips …`);
    const seconds = await hear(clips, states, options);
    const done = await runTrainer(states, newHead, options);
    onStep("Counting wrong words in clips that it had not seen …");
    const unseen = await unseenErrors(states, path.join(newHead, "folds"), threads, signal);
    const errors = sumOfErrors(unseen.map(({ errors: wrong }) => wrong));
    await rm(path.join(newHead, "folds"), { recursive: true, force: true });
    const percent = (wrong: number, all: number) => Number(((100 * wrong) / Math.max(1, all)).toFixed(1));
    const trained = {
      directory,
      clips: done.clips,
      speakers: done.speakers,
      seconds: Math.round(seconds),
      refused: unseen.filter(({ isRefused }) => isRefused).length,
      wordErrorPercent: percent(errors.wordErrors, errors.words),
      characterErrorPercent: percent(errors.letterErrors, errors.letters),
    };
    await writeFile(path.join(newHead, measuredFile), `${JSON.stringify(trained, undefined, 2)}\n`);
    await rm(directory, { recursive: true, force: true });
    await rename(newHead, directory);
    return trained;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function hear(
  clips: readonly SpokenClip[],
  states: string,
  { threads, signal, searchPath }: TrainHeadOptions,
): Promise<number> {
  const decoder = await createMediaDecoder({ searchPath });
  try {
    const modelDirectory = embeddedModelDirectory;
    return await writeClipStates(clips, states, { decoder, modelDirectory, threads, signal });
  } finally {
    await decoder.close();
  }
}

async function checkPython({ python, signal }: TrainHeadOptions): Promise<void> {
  await promisify(execFile)(python, ["-c", "import torch, onnx, numpy"], { signal, timeout: 120_000 }).catch(
    (error: unknown) => {
      throw unavailable(
        `${python} lacks what trains a head. Make a Python that has it: python3 -m venv training && training/bin/pip install -r ${path.join(programs, "requirements.txt")}, then --python training/bin/python.`,
        error,
      );
    },
  );
}

async function runTrainer(
  states: string,
  out: string,
  { language, texts, python, threads, signal, onStep }: TrainHeadOptions,
): Promise<Extract<z.infer<typeof step>, { step: "done" }>> {
  const parameters = [
    path.join(programs, "train_head.py"),
    "--states",
    states,
    "--language",
    language,
    "--out",
    out,
    "--name",
    `${language}-own`,
    "--threads",
    String(threads),
    ...texts.flatMap((file) => ["--text", file]),
  ];
  const child = spawn(python, parameters, { signal, stdio: ["ignore", "pipe", "pipe"] });
  lowerPriority(child.pid);
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaint = (complaint + text).slice(-2000)));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  // A failure is met where it is awaited, after the last line.
  ended.catch(() => undefined);
  let done: Extract<z.infer<typeof step>, { step: "done" }> | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    const read = readStep(line);
    if (read?.step === "fold")
      onStep(`Trained without part ${read.n} of ${read.of}, which has ${read.unitErrorPercent} % wrong letters`);
    if (read?.step === "done") done = read;
  }
  const code = await ended.catch((error: unknown) => {
    throw signal.aborted ? new WhisperError("aborted", "The training was stopped.") : error;
  });
  if (code === 0 && done) return done;
  throw unavailable(`The training ended with ${code ?? "a signal"}: ${complaint.trim()}`);
}

function readStep(line: string): z.infer<typeof step> | undefined {
  try {
    return step.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** Errors of a clip; one that is refused is wrong altogether. */
interface UnseenClip {
  readonly errors: TextErrors;
  readonly isRefused: boolean;
}

/** Errors of each clip, read by the head of the fold that was trained without it. */
async function unseenErrors(
  states: string,
  folds: string,
  threads: number,
  signal: AbortSignal,
): Promise<UnseenClip[]> {
  const [, ...lines] = (await readFile(path.join(states, "clips.tsv"), "utf8")).trimEnd().split("\n");
  const texts = new Map(lines.map((line) => line.split("\t")).map(([id = "", , , text = ""]) => [id, text]));
  const { encoder } = await findOnnxFiles(embeddedModelDirectory);
  const clips: UnseenClip[] = [];
  for (let fold = 1; ; fold += 1) {
    const folder = path.join(folds, String(fold));
    const unseen = await readFile(path.join(folder, "unseen.txt"), "utf8").catch(() => undefined);
    if (unseen === undefined) return clips;
    const head = await SpeechHead.load(folder, encoder, threads);
    for (const id of unseen.trim().split("\n")) {
      const values = fromHalf(await readFile(path.join(states, `${id}.f16`)));
      const frames = values.length / stateWidth;
      const tensor = new Tensor("float32", values, [1, frames, stateWidth]);
      const { words, gap } = await head.read(tensor, samplesOf(frames), { signal });
      const isRefused = words.length === 0 || (gap !== null && gap < head.manifest.lowestGap);
      const text = isRefused ? "" : words.map((word) => word.text).join(" ");
      clips.push({ errors: textErrorsOf(texts.get(id) ?? "", text), isRefused });
    }
    await head.release();
  }
}

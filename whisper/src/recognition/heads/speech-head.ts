import { setImmediate } from "node:timers/promises";
import { type InferenceSession, Tensor } from "onnxruntime-node";
import { unavailable } from "../../whisper-error.ts";
import { openBytes } from "../decoder/onnx-files.ts";
import { checkEncoder, HeadFolder, type HeadManifest } from "./head-folder.ts";
import type { HeadReading, HeadWord } from "./head-reading.ts";
import { PathSearch, type PathWord } from "./path-search.ts";
import { spokenFrames, stateSeconds } from "./spoken-frames.ts";
import { NumberReader, numbersSchema } from "./spoken-numbers.ts";
import { blankUnit, borderUnit, Spelling, spellingSchema } from "./spelling.ts";
import { WordGrams } from "./word-grams.ts";
import { WordTree } from "./word-tree.ts";

export interface HeadReadOptions {
  readonly signal: AbortSignal;
  /** Called every second of the window with its words so far, each of which may still change. */
  readonly onWords?: ((words: readonly string[], seconds: number) => void) | undefined;
}

/** A breath for whoever waits, and a report of what is found. */
const framesBetweenReports = 50;

/** Reads one language from the states of an encoder that hears it, without a decoder: a small network tells letters, a search words. */
export class SpeechHead {
  readonly manifest: HeadManifest;
  readonly #session: InferenceSession;
  readonly #units: readonly string[];
  readonly #unitCounts: readonly number[];
  readonly #words: readonly string[];
  readonly #tree: WordTree;
  readonly #grams: WordGrams;
  readonly #numbers: NumberReader | undefined;

  private constructor(
    manifest: HeadManifest,
    session: InferenceSession,
    spelling: Spelling,
    words: readonly string[],
    grams: WordGrams,
    numbers: NumberReader | undefined,
  ) {
    this.manifest = manifest;
    this.#session = session;
    this.#units = spelling.units;
    this.#words = words;
    this.#unitCounts = words.map((word) => spelling.unitsOf(word)?.length ?? 0);
    this.#tree = new WordTree(words, spelling, (word) => grams.logProbabilityOf(word));
    this.#grams = grams;
    this.#numbers = numbers;
  }

  /** Loads the head of a directory. `encoder`: the file of the encoder that it listens to. Throws `WhisperError` "unavailable". */
  static async load(directory: string, encoder: string, threads: number): Promise<SpeechHead> {
    const folder = await HeadFolder.open(directory);
    await checkEncoder(folder, encoder);
    const spelling = new Spelling(await folder.json("units.json", spellingSchema));
    const words = Buffer.from(await folder.unpack("words.txt.gz"))
      .toString("utf8")
      .trimEnd()
      .split("\n");
    const grams = new WordGrams(await folder.unpack("grams.bin.gz"));
    if (grams.size !== words.length)
      throw unavailable(`The words and the word pairs in ${directory} are not of one kind.`);
    const numbers = folder.has("numbers.json")
      ? new NumberReader(await folder.json("numbers.json", numbersSchema))
      : undefined;
    const session = await openBytes(await folder.read("head.onnx"), `${directory}/head.onnx`, threads);
    return new SpeechHead(folder.manifest, session, spelling, words, grams, numbers);
  }

  /** Reads a window of `samples` samples of which the encoder made `states`. Rejects with the signal's reason. */
  async read(states: Tensor, samples: number, { signal, onWords }: HeadReadOptions): Promise<HeadReading> {
    const rows = await this.#rows(states, samples);
    const search = new PathSearch(this.#tree, this.#grams, this.manifest.search);
    const free = new FreePath(rows.length);
    for (const [frame, row] of rows.entries()) {
      search.step(row);
      free.step(row);
      if (frame % framesBetweenReports !== framesBetweenReports - 1) continue;
      await setImmediate();
      signal.throwIfAborted();
      onWords?.(this.#texts(search.sofar()), frame * stateSeconds);
    }
    const path = search.finish();
    if (!path || free.units === 0) return { words: [], gap: null };
    const words = path.words.map((word) => this.#headWord(word, free));
    return {
      words: this.#numbers?.join(words) ?? words,
      gap: (path.acoustic - free.between(0, rows.length)) / free.units,
    };
  }

  async #rows(states: Tensor, samples: number): Promise<Float32Array[]> {
    const [, all = 0, width = 0] = states.dims;
    const frames = Math.min(all, spokenFrames(samples));
    const values = (states.data as Float32Array).subarray(0, frames * width);
    const outputs = await this.#session.run({ states: new Tensor("float32", values, [1, frames, width]) });
    const data = outputs["log_probabilities"]?.data;
    const size = this.#units.length;
    if (!(data instanceof Float32Array) || data.length !== frames * size)
      throw unavailable(`The head for ${this.manifest.language} has no row of ${size} units for each frame.`);
    return Array.from({ length: frames }, (_, frame) => data.subarray(frame * size, (frame + 1) * size));
  }

  #texts(words: readonly PathWord[]): string[] {
    return words.map(({ word }) => this.#words[word]!);
  }

  #headWord({ word, first, last, until, acoustic }: PathWord, free: FreePath): HeadWord {
    const gap = (acoustic - free.between(first, until)) / this.#unitCounts[word]!;
    return {
      text: this.#words[word]!,
      start: first * stateSeconds,
      end: (last + 1) * stateSeconds,
      probability: Math.exp(Math.min(0, gap)),
    };
  }

  async release(): Promise<void> {
    await this.#session.release();
  }
}

/** The likeliest unit of each frame, whatever words there are. */
class FreePath {
  /** Sums before each frame. */
  readonly #sums: Float64Array;
  #frames = 0;
  #last = blankUnit;
  units = 0;

  constructor(frames: number) {
    this.#sums = new Float64Array(frames + 1);
  }

  step(row: Float32Array): void {
    let best = 0;
    for (let unit = 1; unit < row.length; unit += 1) if (row[unit]! > row[best]!) best = unit;
    if (best !== blankUnit && best !== borderUnit && best !== this.#last) this.units += 1;
    this.#last = best;
    this.#sums[this.#frames + 1] = this.#sums[this.#frames]! + row[best]!;
    this.#frames += 1;
  }

  /** Natural logarithm of its probability in the frames from `from` to before `to`. */
  between(from: number, to: number): number {
    return this.#sums[to]! - this.#sums[from]!;
  }
}

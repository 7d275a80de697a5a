import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { embeddedModelDirectory } from "../../src/embedded-model.ts";
import { searchReadings } from "../../src/recognition/decoder/beam-search.ts";
import { spellingTree } from "../../src/recognition/decoder/spelling-tree.ts";
import { TokenRules } from "../../src/recognition/decoder/token-rules.ts";
import type { DecoderOutput } from "../../src/recognition/decoder/whisper-decoder.ts";
import { WhisperModel } from "../../src/recognition/decoder/whisper-model.ts";
import { decoded, reelPath } from "../recordings.ts";
import { at, letters, specification, tokenizer } from "./small-specification.ts";

const { endOfText } = specification;
const vocabularySize = at(30) + 1;
const rules = new TokenRules(specification, vocabularySize);

/** The texts that a decoder knows, with the natural logarithm of how likely each is; all its tokens share it. */
type Texts = ReadonlyMap<string, number>;

/** The output of a prompt; the decoder behind it continues the texts that it knows, each as likely as given. */
function promptOf(texts: Texts): DecoderOutput {
  const continuations = [...texts].map(([text, logProbability]) => {
    const tokens = [at(0), ...letters(text), at(4), endOfText];
    return { tokens, logit: Math.exp(logProbability) };
  });
  const rowOf = (read: readonly number[]): Float32Array => {
    const row = new Float32Array(vocabularySize).fill(-100);
    const next = new Map<number, number>();
    for (const { tokens, logit } of continuations)
      if (read.every((token, index) => tokens[index] === token) && tokens.length > read.length)
        next.set(tokens[read.length]!, (next.get(tokens[read.length]!) ?? 0) + logit);
    for (const [token, weight] of next) row[token] = Math.log(weight);
    return row;
  };
  const outputOf = (readings: readonly (readonly number[])[]): DecoderOutput => {
    const logits = new Float32Array(readings.length * vocabularySize);
    for (const [row, read] of readings.entries()) logits.set(rowOf(read), row * vocabularySize);
    return { logits, step: async (next) => outputOf(next.map(({ row, token }) => [...readings[row]!, token])) };
  };
  return outputOf([[]]);
}

async function searched(
  texts: Readonly<Record<string, number>>,
  options: { beam?: number; captioned?: string[] } = {},
) {
  return searchReadings(promptOf(new Map(Object.entries(texts))), vocabularySize, rules, specification, {
    beam: options.beam ?? 5,
    spellings: spellingTree(options.captioned ?? [], tokenizer),
    signal: new AbortController().signal,
    onStep: () => undefined,
  });
}

const textOf = ({ hypotheses: [best] }: Awaited<ReturnType<typeof searched>>): string => tokenizer.decode(best.tokens);

describe("a search", () => {
  test("takes the likelier text, although another one begins likelier", async () => {
    // Three endings share the likelier beginning.
    const texts = { " ad": Math.log(0.2), " af": Math.log(0.2), " ag": Math.log(0.2), " bc": Math.log(0.4) };
    expect(textOf(await searched(texts))).toBe(" bc");
    expect(textOf(await searched(texts, { beam: 1 }))).not.toBe(" bc");
  });

  test("drops a reading that repeats itself, and says so where all do", async () => {
    const loop = ` ${"na".repeat(100)}`;
    expect(textOf(await searched({ [loop]: 0, " hello": -1 }))).toBe(" hello");
    expect((await searched({ [loop]: 0 })).isLoop).toBe(true);
  });

  test("says where no reading ends", async () => {
    const long = ` ${Array.from({ length: 300 }, (_, index) => String.fromCharCode(97 + ((index * index) % 23))).join("")}`;
    const result = await searched({ [long]: 0 });
    expect(result.isCutOff || result.isLoop).toBe(true);
  });

  test("stops when its signal does", async () => {
    const prompt = promptOf(new Map([[" hello", 0]]));
    const options = { beam: 5, signal: AbortSignal.abort(new Error("enough")), onStep: () => undefined };
    const search = searchReadings(prompt, vocabularySize, rules, specification, options);
    await expect(search).rejects.toThrow("enough");
  });
});

describe("words whose spelling is known", () => {
  test.each<{ said: Readonly<Record<string, number>>; captioned: string[]; text: string }>([
    { said: { " Sinatra": 0, " Sintra": -2 }, captioned: ["Sintra"], text: " Sintra" },
    { said: { " Hong": 0, " Kowloon": -3 }, captioned: ["Kowloon"], text: " Kowloon" },
    { said: { " Pilter": 0, " Quilter": -1 }, captioned: ["Lavender", "Quilter"], text: " Quilter" },
  ])("are written where about as likely: $text", async ({ said, captioned, text }) => {
    expect(textOf(await searched(said))).not.toBe(text);
    expect(textOf(await searched(said, { captioned }))).toBe(text);
  });

  test.each([["Sintra"], ["Sintraville"], ["Lavender"]])(
    "change nothing where something else is said: %s",
    async (captionWord) => {
      const said = { " the center of town": 0, " the enter of town": -0.5 };
      const captioned = await searched(said, { captioned: [captionWord] });
      const uncaptioned = await searched(said);
      expect(captioned.hypotheses).toEqual(uncaptioned.hypotheses);
    },
  );

  test("give nothing for a beginning that isn't finished", async () => {
    const said = { " Sinus": -0.1, " Cinus": 0 };
    expect(textOf(await searched(said, { captioned: ["Sintra"] }))).toBe(" Cinus");
  });

  test("are at most 40, of letters alone, and none that the vocabulary has whole", async () => {
    const many = Array.from(
      { length: 60 },
      (_, index) => `Word${String.fromCharCode(97 + (index % 26)).repeat(2 + index)}`,
    );
    const countEnds = (tree = spellingTree(many, tokenizer)): number =>
      tree ? (tree.isEnd ? 1 : 0) + [...tree.children.values()].reduce((sum, child) => sum + countEnds(child), 0) : 0;
    expect(countEnds()).toBeLessThanOrEqual(40);
    expect(spellingTree(["a1b2", "x", "http://example.org"], tokenizer)).toBeUndefined();
  });
});

describe("the embedded decoder", () => {
  let model: WhisperModel;
  beforeAll(async () => {
    model = await WhisperModel.load(embeddedModelDirectory, 1);
  });
  afterAll(() => model.release());

  test("has nearly the same numbers for a reading alone and beside others", async () => {
    const [samples] = await decoded(reelPath("en-one-second"));
    const encoded = await model.decoder.listen(await model.states(samples!));
    const { startOfTranscript, languages, transcribe, firstTimestamp } = model.specification;
    const prompt = await model.decoder.begin(encoded, [startOfTranscript, languages.get("en")!, transcribe]);
    const feed = async (rows: readonly (readonly number[])[]): Promise<readonly Float32Array[]> => {
      const [first = []] = rows;
      let output = prompt;
      for (const index of first.keys())
        output = await output.step(rows.map((row, at) => ({ row: index === 0 ? 0 : at, token: row[index]! })));
      const size = model.decoder.vocabularySize;
      return rows.map((_, row) => output.logits.subarray(row * size, (row + 1) * size));
    };
    const readings = ["Hello there", "Hallo dort!", "So what is"].map((text) => [
      firstTimestamp,
      ...model.tokenizer.encode(` ${text.split(" ")[0]}`).slice(0, 1),
      ...model.tokenizer.encode(` ${text.split(" ")[1]!.replace("!", "")}`).slice(0, 1),
    ]);
    const together = await feed(readings);
    for (const [index, reading] of readings.entries()) {
      const [alone] = await feed([reading]);
      // Activations of all rows are quantized by one scale.
      const difference = together[index]!.reduce((most, logit, at) => Math.max(most, Math.abs(logit - alone![at]!)), 0);
      expect(difference).toBeLessThan(1);
    }
  });

  test("keeps the past of readings that change places, for more tokens than it had room for", async () => {
    const [samples] = await decoded(reelPath("en-one-second"));
    const encoded = await model.decoder.listen(await model.states(samples!));
    const { startOfTranscript, languages, transcribe } = model.specification;
    const start = [startOfTranscript, languages.get("en")!, transcribe];
    let output = await model.decoder.begin(encoded, start);
    let readings: readonly (readonly number[])[] = [start];
    for (let step = 0; step < 70; step += 1) {
      const rows =
        step === 0
          ? [0, 0, 0]
          : [
              [2, 0, 0],
              [1, 2, 0],
              [0, 1, 2],
            ][step % 3]!;
      const next = rows.map((row, reading) => ({ row, token: 400 + ((step * 31 + reading * 7) % 5000) }));
      output = await output.step(next);
      readings = next.map(({ row, token }) => [...readings[row]!, token]);
    }
    const size = model.decoder.vocabularySize;
    for (const [row, reading] of readings.entries()) {
      let alone = await model.decoder.begin(encoded, start);
      for (const token of reading.slice(start.length)) alone = await alone.step([{ row: 0, token }]);
      const together = output.logits.subarray(row * size, (row + 1) * size);
      const difference = alone.logits.reduce((most, logit, at) => Math.max(most, Math.abs(logit - together[at]!)), 0);
      expect(difference).toBeLessThan(1.5);
    }
  });

  test("writes words in the tokens that they are read back from", () => {
    for (const word of [" Sintra", " Kowloon", " हिन्दी", " Éric"]) {
      const tokens = model.tokenizer.encode(word);
      expect(model.tokenizer.decode(tokens)).toBe(word);
      expect(tokens.length).toBeLessThan(Buffer.byteLength(word));
    }
    expect(model.tokenizer.encode(" the")).toHaveLength(1);
  });
});

import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { embeddedModelDirectory as modelFolder } from "../../src/embedded-model.ts";
import type { Specification } from "../../src/recognition/decoder/specification.ts";
import { TokenRules } from "../../src/recognition/decoder/token-rules.ts";
import { WhisperModel } from "../../src/recognition/decoder/whisper-model.ts";
import { hasSpeech, readWav, skippedWithoutSpeech, speechFolder } from "../recordings.ts";

interface Golden {
  readonly file: string;
  readonly language: string;
  readonly tokens: readonly number[];
}

function readGolden(): Golden[] {
  const [, ...rows] = readFileSync(new URL("../golden/greedy.tsv", import.meta.url), "utf8")
    .trim()
    .split("\n");
  return rows.map((row) => {
    const [file = "", language = "", , , , , tokens = ""] = row.split("\t");
    return { file, language, tokens: tokens.split(" ").map(Number) };
  });
}

/**
 * How far apart two choices are. A timestamp is taken when all that are allowed are together likelier than the likeliest
 * text, so that against text their sum counts.
 */
function marginOf({ firstTimestamp }: Specification) {
  return (logits: Float32Array, choice: number, expected: number, before: readonly number[]): number => {
    const latest = Math.max(firstTimestamp - 1, ...before);
    const strength = (token: number, other: number) => {
      if (token < firstTimestamp || other >= firstTimestamp) return logits[token] ?? 0;
      return Math.log(logits.slice(latest + 1).reduce((sum, logit) => sum + Math.exp(logit), 0));
    };
    return Math.abs(strength(choice, expected) - strength(expected, choice));
  };
}

// Fed with the reference's tokens, because free-running texts part permanently at the first difference: activations are
// quantised by their range, so that a spectrogram that differs by 1e-5 moves close calls.
test.skipIf(!hasSpeech)(`each step agrees with the reference implementation${skippedWithoutSpeech}`, async () => {
  const model = await WhisperModel.load(modelFolder, 1);
  const { startOfTranscript, languages, transcribe, endOfText, longestText } = model.specification;
  const rules = new TokenRules(model.specification, model.decoder.vocabularySize);
  const margin = marginOf(model.specification);
  let steps = 0;
  const disagreements: number[] = [];
  for (const { file, language, tokens } of readGolden()) {
    const encoded = await model.decoder.listen(await model.states(readWav(path.join(speechFolder, file))));
    let output = await model.decoder.begin(encoded, [startOfTranscript, languages.get(language) ?? -1, transcribe]);
    for (const [index, expected] of [...tokens, endOfText].entries()) {
      if (index >= longestText) break;
      const logits = output.logits.slice(-model.decoder.vocabularySize);
      const { token } = rules.choose(logits, tokens.slice(0, index), { temperature: 0, random: () => 0 });
      steps += 1;
      if (token !== expected) disagreements.push(margin(logits, token, expected, tokens.slice(0, index)));
      if (expected !== endOfText) output = await output.step([{ row: 0, token: expected }]);
    }
  }
  await model.release();
  expect(steps).toBeGreaterThan(900);
  expect(disagreements.length / steps).toBeLessThan(0.04);
  expect(Math.max(...disagreements)).toBeLessThan(0.5);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Specification } from "../../src/recognition/decoder/specification.ts";
import { TokenRules } from "../../src/recognition/decoder/token-rules.ts";

const vocabularySize = 60;
const specification: Specification = {
  endOfText: 20,
  startOfTranscript: 21,
  transcribe: 23,
  noSpeech: 24,
  noTimestamps: 25,
  firstTimestamp: 26,
  latestFirstTimestamp: 5,
  languages: new Map([["en", 22]]),
  suppressed: [3, 4, 21, 22, 23, 24, 25],
  longestText: 40,
  longestInput: 448,
  alignmentHeads: [],
};
const rules = new TokenRules(specification, vocabularySize);
const isTimestamp = (token: number | undefined) => token !== undefined && token >= specification.firstTimestamp;

const logits = fc.array(fc.float({ min: -20, max: 20, noNaN: true }), {
  minLength: vocabularySize,
  maxLength: vocabularySize,
});
const steps = fc.array(fc.record({ logits, random: fc.double({ min: 0, max: 0.999, noNaN: true }) }), {
  minLength: 1,
  maxLength: 30,
});

/** What a text does against the rules, in words. */
function violations(tokens: readonly number[]): string[] {
  const { firstTimestamp, latestFirstTimestamp } = specification;
  return tokens.flatMap((token, index) => {
    const before = tokens[index - 1];
    const found: string[] = [];
    if (specification.suppressed.includes(token)) found.push(`${token} is suppressed`);
    if (index === 0 && !isTimestamp(token)) found.push("begins with text");
    if (index === 0 && token > firstTimestamp + latestFirstTimestamp) found.push("begins too late");
    if (!isTimestamp(token)) {
      const isBehindClosing = index > 1 && isTimestamp(before) && !isTimestamp(tokens[index - 2]);
      return isBehindClosing ? [...found, "text after a closing timestamp"] : found;
    }
    const latest = tokens.slice(0, index).findLast(isTimestamp) ?? 0;
    if (token < latest) found.push("time runs back");
    if (!isTimestamp(before) && token === latest) found.push("a segment takes no time");
    if (isTimestamp(before) && (index === 1 || isTimestamp(tokens[index - 2]))) found.push("an empty segment");
    return found;
  });
}

test("whatever the model prefers, the text keeps the rules of timestamps and suppression", () => {
  fc.assert(
    fc.property(steps, fc.constantFrom(0, 0.4, 1), (sequence, temperature) => {
      const tokens: number[] = [];
      const logProbabilities: number[] = [];
      for (const step of sequence) {
        const sampling = { temperature, random: () => step.random };
        const { token, logProbability } = rules.choose(Float32Array.from(step.logits), tokens, sampling);
        logProbabilities.push(logProbability);
        if (token === specification.endOfText) break;
        tokens.push(token);
      }
      expect(violations(tokens)).toEqual([]);
      expect(Math.max(...logProbabilities)).toBeLessThanOrEqual(1e-4);
    }),
  );
});

test("many unlikely timestamps together outweigh one likelier word", () => {
  const values = new Float32Array(vocabularySize).fill(-10);
  values[0] = 1;
  values.fill(0, 30, 50);
  expect(rules.choose(values, [26, 5], { temperature: 0, random: () => 0 }).token).toBeGreaterThanOrEqual(30);
});

test("a word that is likelier than all timestamps together is taken", () => {
  const values = new Float32Array(vocabularySize).fill(-10);
  values[0] = 5;
  values.fill(0, 30, 50);
  expect(rules.choose(values, [26, 5], { temperature: 0, random: () => 0 }).token).toBe(0);
});

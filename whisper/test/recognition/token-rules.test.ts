import fc from "fast-check";
import { expect, test } from "vitest";
import type { Specification } from "../../src/recognition/decoder/specification.ts";
import { TokenRules } from "../../src/recognition/decoder/token-rules.ts";

const vocabularySize = 60;
const specification: Specification = {
  endOfText: 20,
  startOfTranscript: 21,
  transcribe: 23,
  translate: 22,
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

/** Describes each violation of the rules in a text. */
function violations(tokens: readonly number[]): string[] {
  const { firstTimestamp, latestFirstTimestamp } = specification;
  return tokens.flatMap((token, index) => {
    const before = tokens[index - 1];
    const problems: string[] = [];
    if (specification.suppressed.includes(token)) problems.push(`${token} is suppressed`);
    if (index === 0 && !isTimestamp(token)) problems.push("begins with text");
    if (index === 0 && token > firstTimestamp + latestFirstTimestamp) problems.push("begins too late");
    if (!isTimestamp(token)) {
      const isBehindClosing = index > 1 && isTimestamp(before) && !isTimestamp(tokens[index - 2]);
      return isBehindClosing ? [...problems, "text after a closing timestamp"] : problems;
    }
    const latest = tokens.slice(0, index).findLast(isTimestamp) ?? 0;
    if (token < latest) problems.push("time runs back");
    if (!isTimestamp(before) && token === latest) problems.push("a segment takes no time");
    if (isTimestamp(before) && (index === 1 || isTimestamp(tokens[index - 2]))) problems.push("an empty segment");
    return problems;
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

/** All tokens are impossible but those, with their logits. */
function only(likely: Readonly<Record<number, number>>): Float32Array {
  const values = new Float32Array(vocabularySize).fill(-Infinity);
  for (const [token, logit] of Object.entries(likely)) values[Number(token)] = logit;
  return values;
}
const surest = { temperature: 0, random: () => 0 };

test.each([
  ["a text begins within the first second", [], { 0: 9, 31: 1, 32: 8 }, 31],
  ["after an opening timestamp comes text", [26], { 30: 9, 5: 1 }, 5],
  ["text is closed later than it began", [26, 5], { 26: 9, 27: 1 }, 27],
  ["the next segment may begin where the last one ended", [26, 5, 30], { 5: 9, 29: 8, 30: 1 }, 30],
  ["after a closing timestamp the text may end", [26, 5, 30], { 5: 9, 20: 1 }, 20],
  ["the last timestamp may come", [26, 5], { 59: 1 }, 59],
] as const)("%s", (_rule, tokens, likely, token) => {
  expect(rules.choose(only(likely), tokens, surest).token).toBe(token);
});

test("a probability is that among the allowed tokens, at temperature 1", () => {
  const { logProbability } = rules.choose(only({ 0: 1, 1: 0, 3: 5, 26: 5 }), [26, 5], surest);
  expect(logProbability).toBeCloseTo(1 - Math.log(Math.E + 1));
  const drawn = rules.choose(only({ 0: 1, 1: 0 }), [26, 5], { temperature: 2, random: () => 0.99 });
  expect(drawn).toMatchObject({ token: 1, logProbability: expect.closeTo(-Math.log(Math.E + 1)) as number });
});

test("tokens are drawn by their share, the more evenly the higher the temperature", () => {
  const draw = (temperature: number, random: number) =>
    rules.choose(only({ 0: 1, 1: 0 }), [26, 5], { temperature, random: () => random }).token;
  const share = (temperature: number) => 1 / (1 + Math.exp(-1 / temperature));
  for (const temperature of [0.4, 1, 2])
    expect([draw(temperature, share(temperature) - 0.01), draw(temperature, share(temperature) + 0.01)]).toEqual([
      0, 1,
    ]);
});

test("where timestamps are likelier than any word, one of them is drawn", () => {
  const values = only({ 0: 1, 30: 0.9, 31: 0.9 });
  for (const random of [0, 0.3, 0.6, 0.99])
    expect(rules.choose(values.slice(), [26, 5], { temperature: 1, random: () => random }).token).toBeGreaterThan(29);
});

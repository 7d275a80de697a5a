import fc from "fast-check";
import { expect, test } from "vitest";
import type { Specification } from "../../src/recognition/specification.ts";
import { TokenRules } from "../../src/recognition/token-rules.ts";

const VOCABULARY = 60;
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
};
const rules = new TokenRules(specification, VOCABULARY);
const isTimestamp = (token: number | undefined) => token !== undefined && token >= specification.firstTimestamp;

const logits = fc.array(fc.float({ min: -20, max: 20, noNaN: true }), { minLength: VOCABULARY, maxLength: VOCABULARY });
const steps = fc.array(fc.record({ logits, random: fc.double({ min: 0, max: 0.999, noNaN: true }) }), {
  minLength: 1,
  maxLength: 30,
});

test("whatever the model prefers, the text keeps the rules of timestamps and suppression", () => {
  fc.assert(
    fc.property(steps, fc.constantFrom(0, 0.4, 1), (sequence, temperature) => {
      const tokens: number[] = [];
      for (const step of sequence) {
        const { token, logProbability } = rules.choose(Float32Array.from(step.logits), tokens, {
          temperature,
          random: () => step.random,
        });
        expect(token).toBeGreaterThanOrEqual(0);
        expect(logProbability).toBeLessThanOrEqual(1e-4);
        expect(specification.suppressed).not.toContain(token);
        if (token === specification.endOfText) break;
        tokens.push(token);
      }
      const times = tokens.filter(isTimestamp);
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      if (tokens.length > 0) {
        expect(isTimestamp(tokens[0])).toBe(true);
        expect(tokens[0]).toBeLessThanOrEqual(specification.firstTimestamp + specification.latestFirstTimestamp);
      }
      tokens.forEach((token, index) => {
        const closes = index > 0 && isTimestamp(token) && !isTimestamp(tokens[index - 1]);
        const next = tokens[index + 1];
        if (closes && next !== undefined) expect(isTimestamp(next)).toBe(true);
        const opens = isTimestamp(token) && (index === 0 || isTimestamp(tokens[index - 1]));
        if (opens && next !== undefined) expect(isTimestamp(next)).toBe(false);
        // A segment that was opened later begins no earlier than the last one ended; one with text takes time.
        if (closes) expect(token).toBeGreaterThan(tokens.slice(0, index).findLast(isTimestamp) ?? 0);
      });
    }),
  );
});

test("many unlikely timestamps together outweigh one likelier word", () => {
  const values = new Float32Array(VOCABULARY).fill(-10);
  values[0] = 1;
  values.fill(0, 30, 50);
  expect(rules.choose(values, [26, 5], { temperature: 0, random: () => 0 }).token).toBeGreaterThanOrEqual(30);
});

test("a word that is likelier than all timestamps together is taken", () => {
  const values = new Float32Array(VOCABULARY).fill(-10);
  values[0] = 5;
  values.fill(0, 30, 50);
  expect(rules.choose(values, [26, 5], { temperature: 0, random: () => 0 }).token).toBe(0);
});

import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rest, transcribe } from "../harness/rest.ts";
import { createScriptedTranscriber } from "../harness/scripted-transcriber.ts";
import { signInNew } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const characters = 99_000;
const scripts = 6;
/** A page of 50 hits reads at most 2 MB, whatever the letters. */
const bytesOfHit = 40_000;

const transcriber = createScriptedTranscriber();
const service = serviceOfTests({ transcriber, rateLimits: { transcribe: 1_000, address: 10_000 } });

let bytesRead = 0;
const prototype = pg.Client.prototype as unknown as { query: (...given: unknown[]) => unknown };
const { query } = prototype;
beforeAll(() => {
  prototype.query = function (...given) {
    const result = query.apply(this, given);
    if (result instanceof Promise)
      result.then(
        ({ rows }: pg.QueryResult) => (bytesRead += Buffer.byteLength(JSON.stringify(rows ?? []))),
        () => undefined,
      );
    return result;
  };
});
afterAll(() => {
  prototype.query = query;
});

/** The words of a correction have times, too, as long as those that they replace. */
const words = ["Salt", " comes", " first."].map((text, index) => ({
  text,
  start: index * 60 + 0.12,
  end: index * 60 + 59.98,
  probability: 0.87,
}));

async function aKeyWith(text: string): Promise<string> {
  const person = await signInNew(service);
  const key: string = (await person.api("createKey", { name: "test" })).body.secret;
  for (let count = 0; count < scripts; count += 1) {
    const url = service.newReel();
    transcriber.tell({ text: "Salt comes first.", words });
    expect((await transcribe(service.url, key, url)).status).toBe(200);
    const { id } = (await rest(service.url, "/scripts?limit=1", { key })).body.scripts[0];
    const { version } = (await person.api("getScriptCorrection", { id })).body;
    expect((await person.api("correctScript", { id, ifVersion: version, texts: [text] })).status).toBe(200);
  }
  return key;
}

const kinds = {
  "ordinary words": ["The dough rests for an hour, then we shape it. ", "dough"],
  "words of one letter": ["a b c d e f g h i j k l m n o p ", "k"],
  "one word": ["x", "finally"],
  "Devanagari, of three bytes a letter": ["नमस्ते दोस्तों आज हम रोटी बनाएंगे। ", "रोटी"],
  "Thai, of three bytes a letter": ["สวัสดีครับวันนี้เราจะทำขนมปัง", "ขนมปัง"],
  "Chinese, of three bytes a letter": ["我们今天做面包，先放盐再放水。", "面包"],
  "words of one letter of three bytes": ["क ख ग घ च छ ज झ ट ठ ड ढ त थ द ध ", "ज"],
} as const;

describe.each(Object.entries(kinds))("a search in long scripts of %s", (_, [unit, word]) => {
  test("reads a bounded part of each, and still finds what comes last", async () => {
    // Words from number 16,384 on aren't found at all.
    const length = Math.min(
      characters,
      unit.includes(" ") ? (unit.length / unit.trim().split(" ").length) * 16_000 : 15_000,
    );
    const text = `${unit.repeat(Math.ceil(length / unit.length)).slice(0, length)} Finally, rosemary is added.`;
    const key = await aKeyWith(text);
    for (const words of [word, "rosemary ", `${word} rosemary `, "Rosem"]) {
      bytesRead = 0;
      const { status, body } = await rest(service.url, `/scripts?query=${encodeURIComponent(words)}&limit=50`, {
        key,
      });
      expect({ status, total: body.total }).toEqual({ status: 200, total: scripts });
      expect(bytesRead).toBeGreaterThan(0);
      expect(bytesRead / scripts).toBeLessThan(bytesOfHit);
      for (const { snippet, transcript, truncated, at } of body.scripts) {
        expect(snippet.some(({ hit }: { hit: boolean }) => hit)).toBe(true);
        expect(at).toBeGreaterThanOrEqual(0);
        expect(at).toBeLessThan(180);
        expect({ length: transcript.length, truncated }).toEqual({ length: 10_000, truncated: true });
      }
    }
  });
});

import { expect, test } from "vitest";
import { createKeptTexts } from "../../src/http/send-answer.ts";

const kilobyte = 1_024;

/** Halves texts, and knows what it was given. */
function halving() {
  const given: string[] = [];
  return {
    given,
    compress: async (text: string, encoding: string) => {
      given.push(`${encoding} ${text[0]}`);
      return Buffer.alloc(text.length / 2);
    },
  };
}

test("a text is compressed once per encoding for any concurrent requests", async () => {
  const { given, compress } = halving();
  const keptTexts = createKeptTexts(10 * kilobyte, compress);
  const text = "a".repeat(kilobyte);
  await Promise.all(Array.from({ length: 50 }, async () => keptTexts("tag", text, "br")));
  await keptTexts("tag", text, "br");
  expect(given).toEqual(["br a"]);
  await keptTexts("tag", text, "gzip");
  expect(given).toEqual(["br a", "gzip a"]);
});

test("the most recently used are kept, within the bound in bytes", async () => {
  const { given, compress } = halving();
  const keptTexts = createKeptTexts(2 * kilobyte, compress);
  const ask = (letter: string) => keptTexts(letter, letter.repeat(kilobyte), "br");
  for (const letter of ["a", "b", "c", "a", "d"]) await ask(letter);
  expect(given, "three are kept by then, as each weighs half").toEqual(["br a", "br b", "br c", "br d"]);
  await ask("a");
  expect(given).toHaveLength(4);
  for (const letter of ["e", "f", "b"]) await ask(letter);
  expect(given.slice(4)).toEqual(["br e", "br f", "br b"]);
  const large = async () => keptTexts("large", "x".repeat(3 * kilobyte), "br");
  await Promise.all([large(), large()]);
  expect(given.slice(7), "more than all may weigh isn't kept").toEqual(["br x", "br x"]);
});

test("one that could not be compressed is tried again", async () => {
  let tries = 0;
  const keptTexts = createKeptTexts(kilobyte, async () => {
    tries += 1;
    if (tries === 1) throw new Error("no memory");
    return Buffer.from("packed");
  });
  await expect(keptTexts("tag", "text", "gzip")).rejects.toThrow("no memory");
  expect(String(await keptTexts("tag", "text", "gzip"))).toBe("packed");
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { NumberReader, numbersSchema } from "../../../src/recognition/heads/spoken-numbers.ts";

const file = new URL("../../../models/heads/hi/numbers.json", import.meta.url);
const numbers = numbersSchema.parse(JSON.parse(readFileSync(file, "utf8")));
const written = (text: string) =>
  new NumberReader(numbers)
    .join(
      text
        .normalize("NFC")
        .split(" ")
        .map((word, index) => ({ text: word, start: index, end: index + 0.5, probability: 1 - index / 10 })),
    )
    .map((word) => word.text)
    .join(" ");

test("spoken numbers become digits where the whole of them is one number", () => {
  for (const [said, digits] of [
    ["अठारह हजार", "18000"],
    ["दो हजार अठारह में", "2018 में"],
    ["उन्नीस सौ सैंतालीस", "1947"],
    ["एक करोड़ बीस लाख तीन हज़ार पाँच सौ दो", "12003502"],
    ["पचास प्रतिशत", "50 प्रतिशत"],
  ] as const)
    expect(written(said)).toBe(digits.normalize("NFC"));
});

test("words that may be no number, or two numbers, stay words", () => {
  for (const said of [
    "एक आदमी",
    "दो तीन दिन",
    "सौ",
    "हजार बार",
    "बीस पच्चीस लोग",
    "सौ दो सौ रुपये",
    "हजार लाख",
    "पंद्रह सौ हजार",
  ])
    expect(written(said)).toBe(said.normalize("NFC"));
});

test("a number lasts from its first word to its last, and is as sure as the least sure of them", () => {
  const words = ["दो", "हजार"].map((text, index) => ({
    text,
    start: index,
    end: index + 0.5,
    probability: 0.9 - index / 2,
  }));
  expect(new NumberReader(numbers).join(words)).toEqual([{ text: "2000", start: 0, end: 1.5, probability: 0.4 }]);
});

test("every number from 0 to 99 has a word, and no two have the same", () => {
  const values = new Set(Object.values(numbers.words));
  for (let value = 0; value < 100; value += 1) expect(values.has(value), String(value)).toBe(true);
});

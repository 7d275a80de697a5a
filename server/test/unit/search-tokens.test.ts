import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { wordsOf } from "../../src/search/search-tokens.ts";

const samples = {
  Chinese: "今天我们去北京看长城然后吃烤鸭喝茶的一是不了人在有他这中大来上个国和也子时道说到们为得自之年过发后作里用",
  Japanese: "東京都に住んでいます学生です日本語を勉強しているカタカナテスト私はコンピューターが好きで",
  Thai: "สวัสดีครับผมชื่อสมชายวันนี้อากาศดีมากเราไปกินข้าวกันเถอะภาษาไทยไม่มีช่องว่าง",
  Khmer: "សួស្តីអ្នកទាំងអស់គ្នាថ្ងៃនេះអាកាសធាតុល្អណាស់",
  Lao: "ສະບາຍດີທຸກຄົນມື້ນີ້ອາກາດດີຫຼາຍ",
  Myanmar: "မင်္ဂလာပါဒီနေ့ရာသီဥတုကောင်းတယ်ကျွန်တော်မြန်မာစာသင်နေတယ်",
  mixed: "今天 hello we're don't 3.5k 我们🙂👨‍👩‍👧去北京café𠮷野家 สวัสดี",
};

/** A text of pieces of a sample, always the same for a seed, with signs or without. */
function textOf(sample: string, seed: number, length: number, signs: readonly string[]): string {
  const letters = Array.from(sample);
  let state = seed;
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor(state / 65_536) % below;
  };
  let text = "";
  while (text.length < length) {
    const from = next(letters.length);
    text += letters.slice(from, from + 3 + next(17)).join("") + (signs.length > 0 ? signs[next(signs.length)] : "");
  }
  return text;
}

/** Finds the words in one look at the whole text, for texts that need no folding. */
const wholeWords = (text: string): string[] =>
  Array.from(new Intl.Segmenter("und", { granularity: "word" }).segment(text.normalize("NFKC").toLowerCase()))
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment);

describe("texts in scripts without spaces", () => {
  test.each(["Chinese", "Thai", "Khmer", "Lao", "Myanmar"] as const)(
    "%s gives the same words in pieces, even without punctuation",
    (name) => {
      for (let seed = 1; seed <= 5; seed += 1) {
        const text = textOf(samples[name], seed, 3_500, []);
        const { length } = text;
        expect(wordsOf(text), `seed ${seed}, ${length} characters`).toEqual(
          wholeWords(text).flatMap((word) => word.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? []),
        );
      }
    },
  );

  test("Japanese gives the same words where there are signs", () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const text = textOf(samples.Japanese, seed, 3_500, ["。", "、", " ", "！"]);
      expect(wordsOf(text), `seed ${seed}`).toEqual(wholeWords(text));
    }
  });

  test("the words of a long text are those of its lines", () => {
    for (const [name, sample] of Object.entries(samples)) {
      const lines = Array.from({ length: 60 }, (_, seed) => textOf(sample, seed + 1, 90, []));
      expect(wordsOf(lines.join("\n")), name).toEqual(lines.flatMap((line) => wordsOf(line)));
    }
  });

  test("surrogate pairs stay whole across pieces, and lone surrogates end nothing", () => {
    for (const before of ["", "a"]) {
      const words = wordsOf(before + "𠮷".repeat(3_000));
      expect(words.join("")).toBe(before + "𠮷".repeat(3_000));
    }
    expect(wordsOf(`北京${"\uD842".repeat(2_500)}北京\uD842`)).toEqual(["北京", "北京"]);
  });

  test("a word longer than any ends nothing either", () => {
    expect(wordsOf(`${"a".repeat(5_000)}北京`)).toContain("北京");
    expect(wordsOf(`京${"\u0301".repeat(5_000)}北京`)).toContain("北京");
  });
});

test("half a million characters take less than 200 MB", async () => {
  const module = new URL("../../dist/search/search-tokens.js", import.meta.url).href;
  const program = `
    const { wordsOf, wordSpansOf } = await import(${JSON.stringify(module)});
    const text = "今天我们去北京看长城然后吃烤鸭喝茶東京都に住んでいます".repeat(20_000).slice(0, 500_000);
    console.log(wordsOf(text).length > 100_000 && wordSpansOf(text).length > 100_000);`;
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ["--max-old-space-size=200", "--input-type=module", "-e", program], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
  });
  expect(stdout.trim()).toBe("true");
});

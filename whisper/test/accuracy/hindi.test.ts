import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { embeddedModelDirectory } from "../../src/embedded-model.ts";
import { createEmbeddedRecognizer, type EmbeddedRecognizer } from "../../src/embedded-recognizer.ts";
import { sumOfErrors, textErrorsOf } from "../../src/word-errors.ts";
import { decoded, live, mediaOf } from "../recordings.ts";

const folder = process.env["HINDI_SPEECH_DIR"] ?? "";
const list = path.join(folder, "MANIFEST.tsv");
const isThere = folder !== "" && existsSync(list);

/** Read stories that the head did not learn from: 49 % of the words in all 76 are wrong. */
const genre = "story";
const most = 20;
const share = 0.6;

describe.skipIf(!isThere)(
  `Hindi by many speakers${isThere ? "" : " (skipped: HINDI_SPEECH_DIR names no folder with a MANIFEST.tsv)"}`,
  () => {
    let recognizer: EmbeddedRecognizer;
    beforeAll(async () => {
      recognizer = createEmbeddedRecognizer({ modelDirectory: embeddedModelDirectory, threads: 1 });
      await recognizer.ready();
    });
    afterAll(async () => {
      await recognizer.close();
    });

    test("read stories have no more wrong words than measured", async () => {
      const rows = readFileSync(list, "utf8")
        .trim()
        .split("\n")
        .map((line) => line.split("\t"))
        .filter(([, set]) => set === genre)
        .slice(0, most);
      expect(rows).toHaveLength(most);
      const errors = [];
      for (const [file = "", , text = ""] of rows) {
        const [samples = new Float32Array(0)] = await decoded(path.join(folder, "clips", file));
        const transcript = await recognizer.recognize(mediaOf(samples), { ...live(), language: "hi" }).then(
          (recognition) => recognition.text,
          () => "",
        );
        errors.push(textErrorsOf(text, transcript));
      }
      const { words, wordErrors } = sumOfErrors(errors);
      expect(wordErrors / words).toBeLessThan(share);
    });
  },
);

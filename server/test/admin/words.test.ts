import { writeFile } from "node:fs/promises";
import path from "node:path";
import { bundledSpeech } from "@reelscript/platform-standin";
import { expect, test } from "vitest";
import { beginningOf, reelPath } from "../../../whisper/test/recordings.ts";
import { operate } from "./run-program.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

const directory = directoryOfTests();

const clipNamed = (name: string) =>
  bundledSpeech().find(({ file }) => path.basename(file, ".mp4") === name) ?? expect.fail(`no clip ${name}`);
const words = (args: readonly string[]) => operate(["words", ...args], { directory, environment: {} });

test("shows windows, verdicts and each word with time and confidence", async () => {
  const { code, stdout } = await words([reelPath("en-one-second")]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^WINDOW +NO SPEECH +CONFIDENCE +VERDICT\n\d+\.\d\d +\d+\.\d\d +0\.\d\d +-0\.\d\d +kept$/m);
  expect(stdout).toMatch(/^\d+\.\d\d +\d+\.\d\d +[01]\.\d\d +Goodbye\.$/m);
  expect(stdout.trimEnd()).toMatch(/\nModel whisper-base, language en \([01]\.\d\d\)$/);

  const { file, seconds } = clipNamed("en-amiable");
  const answer = JSON.parse((await words([file, "--json"])).stdout);
  expect(answer).toMatchObject({ refusal: null, heard: { model: "whisper-base", language: "en", gaps: [] } });
  for (const { start, end, probability } of answer.heard.words) {
    expect(end).toBeGreaterThanOrEqual(start);
    expect(end).toBeLessThanOrEqual(seconds + 0.1);
    expect(probability).toBeGreaterThan(0);
    expect(probability).toBeLessThanOrEqual(1);
  }
});

test("shows what became of the windows of a refused recording", async () => {
  await writeFile(path.join(directory, "telugu.wav"), await beginningOf("te-pachadi", 5));
  const { code, stdout, stderr } = await words(["telugu.wav", "--language", "te"]);
  expect([code, stderr]).toEqual([1, ""]);
  expect(stdout).toMatch(/ (wrongScript|repetition|lowConfidence)$/m);
  expect(stdout.trimEnd()).toMatch(/could not write down most of the speech, heard as te\.$/);
});

test("says that a file does not exist, or has no sound", async () => {
  expect(await words(["nothing.mp4"])).toMatchObject({
    code: 1,
    stderr: `error: ${path.join(directory, "nothing.mp4")} does not exist.\n`,
  });
  expect(await words([import.meta.filename])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^error: .+\n$/),
  });
  expect(await words([])).toMatchObject({ code: 2, stderr: expect.stringContaining("<file> is missing") });
});

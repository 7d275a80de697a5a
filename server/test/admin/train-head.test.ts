import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { root } from "../harness/start-program.ts";
import { beforeEach, expect, test } from "vitest";
import { languageErrorsOf, recognizerOf, withChosenModels } from "../../src/recognition/recognizer-of.ts";
import { readConfig } from "../../src/settings/config.ts";
import { directoryOfTest } from "../harness/temporary-directory.ts";
import { operate } from "./run-program.ts";

/** A Python with what `whisper/models/convert/requirements.txt` names. */
const { TRAINING_PYTHON: python = "" } = process.env;

const texts = {
  "train-253": "साथ ही रात के तापमान में गिरावट होगी",
  "train-313": "श्री नड्डा अपने दो दिवसीय बिहार दौरे के दौरान मुजफ्फरपुर और दरभंगा जायेंगे",
  "story-054": "आख़िरकार अंग्रेज़ सरकार को झुकना पड़ा",
};

let testDirectory: string;
let data: string;
beforeEach(async () => {
  testDirectory = directoryOfTest(tmpdir());
  data = path.join(testDirectory, "data");
  for (const [index, [name, text]] of Object.entries(texts).entries()) {
    const folder = path.join(testDirectory, "clips", `speaker-${index}`);
    await mkdir(folder, { recursive: true });
    // A letter is a unit where it is said a few times.
    for (const time of ["one", "two", "three"]) {
      await cp(path.join(root, `whisper/test/fixtures/hindi/${name}.flac`), path.join(folder, `${time}.flac`));
      await writeFile(path.join(folder, `${time}.txt`), text);
    }
  }
});

const train = (...args: string[]) =>
  operate(["model", "train-head", "--language", "hi", "--clips", "clips", ...args], {
    directory: testDirectory,
    environment: { DATA_DIR: data },
  });

test("training a head needs a Python that can, and clips with texts", async () => {
  expect(await train("--python", "false")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/false lacks what trains a head\..*pip install -r .*requirements\.txt/u) as string,
  });
  expect(await train("--clips", "nowhere")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("cannot be read"),
  });
  expect(existsSync(path.join(data, "heads"))).toBe(false);
});

const anyPython = spawnSync("python3", ["--version"]).status === 0;

test.skipIf(!anyPython).each([
  ["Arabic", "أَهْلًا إلى هٰذا المؤتمر", "اهلا|الي|هذا|الموتمر"],
  ["Latin", "Rumah-rumah, it’s Jumat", "rumahrumah|its|jumat"],
  ["Tamil", "ஸ்ரீரங்கம் கோயில்", "ஸ்ரீரங்கம்|கோயில்"],
  ["Telugu", "లక్ష్మీ చదివారు.", "లక్ష్మీ|చదివారు"],
  ["Devanagari", "फ़िर बड़ा घर।", "फिर|बड़ा|घर"],
])(
  `words in %s are spelled in letters that a head learns${anyPython ? "" : " (skipped: there is no python3)"}`,
  (script, text, spelled) => {
    const program = [
      "import sys; from head_spelling import Spelling",
      "script, text = sys.argv[1:]; spelling = Spelling.of_texts(script, [text] * 3)",
      "print(''.join(spelling.units[number] for number in spelling.target(text)))",
    ].join("\n");
    const { stdout, stderr } = spawnSync("python3", ["-c", program, script, text], {
      cwd: path.join(root, "whisper/models/convert"),
      env: { PATH: process.env.PATH, PYTHONIOENCODING: "utf-8", PYTHONDONTWRITEBYTECODE: "1" },
      encoding: "utf8",
    });
    expect(stdout.trim().normalize("NFC"), stderr).toBe(`|${spelled}|`.normalize("NFC"));
  },
);

test.skipIf(python === "")(
  `a head is trained, tested on separate speakers, and used after restarting${python === "" ? " (skipped: TRAINING_PYTHON names no Python with torch)" : ""}`,
  async () => {
    const { code, stdout, stderr } = await train("--python", python, "--json");
    expect([code, stderr]).toEqual([0, expect.stringContaining("which has")]);
    const trained = JSON.parse(stdout);
    expect(trained).toMatchObject({ language: "hi", clips: 9, speakers: 3 });
    // Three sentences teach nothing: what counts is that they are counted.
    expect(trained.wordErrorPercent).toBeGreaterThan(50);
    expect(await readdir(path.join(data, "heads"))).toEqual(["hi"]);
    const config = await withChosenModels(readConfig({ DATA_DIR: data }, testDirectory));
    expect(recognizerOf(config).model).toBe("whisper-base+hi:hi-own");
    const { wordErrorPercent, clips, refused, speakers } = trained;
    expect(languageErrorsOf(config).hi).toEqual({ wordErrorPercent, clips, refused, speakers });
  },
);

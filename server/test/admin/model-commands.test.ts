import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { bundledSpeech } from "@reelscript/platform-standin";
import { embeddedModelDirectory } from "@reelscript/whisper";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type Hub, hubModel, revision, startHub } from "../../../whisper/test/model/model-hub.ts";
import { beginningOf } from "../../../whisper/test/recordings.ts";
import { startEndpoint } from "../harness/start-endpoint.ts";
import { adminProgram, operate } from "./run-program.ts";
import { directoryOfTest } from "../harness/temporary-directory.ts";

const encoderFile = "onnx/encoder_model.onnx";

let testDirectory: string;
let data: string;
beforeEach(() => {
  testDirectory = directoryOfTest(tmpdir());
  data = path.join(testDirectory, "data");
});

/** Nobody listens at this address, so a command that must not ask a hub fails if it does. */
const nowhere = "http://127.0.0.1:9";

const environmentOf = (more: Record<string, string> = {}) => ({ DATA_DIR: data, MODEL_HUB_URL: nowhere, ...more });
const model = (args: readonly string[], more?: Record<string, string>) =>
  operate(["model", ...args], { directory: testDirectory, environment: environmentOf(more) });
const add = (hub: Hub, ...args: string[]) => model(["add", hubModel, ...args], { MODEL_HUB_URL: hub.url });

async function listModels(more?: Record<string, string>) {
  const { stdout } = await model(["list", "--json"], more);
  return JSON.parse(stdout) as {
    models: { name: string; state: string; bytes: number | null; languages: string[]; measured: boolean }[];
    inUse: { all: string; languages: Record<string, string>; settings: string[] };
  };
}

/** A folder with a small Whisper that passes for one until it is loaded. */
async function aFolder(name: string, changes: Record<string, object> = {}): Promise<string> {
  const folder = path.join(testDirectory, name);
  await mkdir(path.join(folder, "onnx"), { recursive: true });
  for (const file of ["config.json", "generation_config.json", "tokenizer.json"])
    await cp(path.join(embeddedModelDirectory, file), path.join(folder, file));
  for (const [file, fields] of Object.entries(changes)) {
    const read = JSON.parse(await readFile(path.join(folder, file), "utf8")) as object;
    await writeFile(path.join(folder, file), JSON.stringify({ ...read, ...fields }));
  }
  await writeFile(path.join(folder, encoderFile), "encoder");
  await writeFile(path.join(folder, "onnx/decoder_model_merged.onnx"), "decoder");
  return folder;
}

describe("model add", () => {
  test("downloads a model with progress, reports the checks, and lists it", async () => {
    const hub = await startHub();
    const added = await add(hub);
    expect(added).toMatchObject({ code: 0, lastLine: hubModel });
    expect(added.stdout).toContain(revision);
    expect(added.stdout).toContain("the checksum that the hub states; this project ships none for it");
    expect(added.stderr).toMatch(/^ {2}onnx\/encoder_model\.onnx {2}\d+\.\d of 6\.0 MB$/m);
    expect(added.stderr, "no bar where nobody watches").not.toMatch(/[█\r]/);
    const { models, inUse } = await listModels();
    expect(models.find(({ name }) => name === hubModel)).toMatchObject({ state: "installed", measured: false });
    expect(inUse).toEqual({ all: "whisper-base", languages: {}, settings: [] });

    const again = await add(hub);
    expect(again).toMatchObject({ code: 1, stdout: "" });
    expect(again.stderr).toContain(`error: ${hubModel} is already installed.\n`);
  });

  test("killed in the middle, goes on where it stopped", async () => {
    const hub = await startHub({
      stallAfter: (file, from) => (file === encoderFile && from === 0 ? 2_000_000 : undefined),
    });
    const child = spawn(process.execPath, [adminProgram, "model", "add", hubModel], {
      cwd: testDirectory,
      env: { PATH: "", ...environmentOf({ MODEL_HUB_URL: hub.url }) },
      stdio: "ignore",
    });
    const part = path.join(data, "models/somebody/.whisper-base.download", `${encoderFile}.part`);
    await expect
      .poll(() =>
        stat(part).then(
          ({ size }) => size,
          () => 0,
        ),
      )
      .toBe(2_000_000);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect((await listModels()).models.map(({ name }) => name)).not.toContain(hubModel);

    hub.requests.length = 0;
    expect(await add(hub, "--language", "te")).toMatchObject({ code: 0, lastLine: hubModel });
    expect(hub.requests).toContainEqual({ path: `delivery/${encoderFile}`, range: "bytes=2000000-" });
    const installed = path.join(data, "models", hubModel);
    expect((await readFile(path.join(installed, encoderFile))).equals(hub.files.get(encoderFile)!)).toBe(true);
    expect(await readdir(path.dirname(installed))).toEqual(["whisper-base"]);
    expect((await listModels()).inUse.languages).toEqual({ te: hubModel });
  });

  test.each<[string, Parameters<typeof startHub>[0], RegExp]>([
    ["a wrong checksum", { statedChecksum: { [encoderFile]: "a".repeat(64) } }, /does not have the checksum/],
    ["a page where there should be data", { answersPages: true }, /an answer that is not JSON/],
    ["pages in place of files", { sendsPages: true }, /broke off|checksum/],
    ["a file longer than it states", { statedSize: { [encoderFile]: 1_000_000 } }, /sends more of .* than it states/],
    ["a file that no disk holds", { statedSize: { [encoderFile]: 90e9 } }, /larger than any Whisper/],
    ["redirects without end", { redirectsForever: true }, /redirects too often/],
    ["no Whisper", { without: [encoderFile] }, /is not a Whisper model in the common ONNX layout/],
  ])("refuses %s in one line, and nothing is installed", async (_what, behavior, says) => {
    const { code, stdout, stderr } = await add(await startHub(behavior));
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr.split("\n").filter((line) => line.startsWith("error:"))).toEqual([expect.stringMatching(says)]);
    expect(stderr).not.toMatch(/^ +at /m);
    expect(existsSync(path.join(data, "models", hubModel))).toBe(false);
  });

  test("says that the hub is down, or the name is wrong", async () => {
    expect((await model(["add", hubModel])).stderr).toMatch(
      /error: .*127\.0\.0\.1:9 did not give it.*Connect this machine/,
    );
    const { url } = await startHub();
    const missing = await model(["add", "somebody/nothing"], { MODEL_HUB_URL: url });
    expect(missing.stderr).toContain("error: The model hub has no public model somebody/nothing.");
    expect((await model(["add", "not a name"])).stderr).toMatch(/error: not a name is not a folder and not a name/);
    expect((await model(["add", "whisper-base"])).stderr).toContain("it is the embedded model");
    expect(await model(["add", hubModel, "--language", "xx"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--language must be one of en, es, pt"),
    });
  });

  test("copies only the necessary files of a folder, following links", async () => {
    const folder = await aFolder("my-whisper");
    await writeFile(path.join(folder, "notes.txt"), "private");
    await rm(path.join(folder, "config.json"));
    await symlink(path.join(embeddedModelDirectory, "config.json"), path.join(folder, "config.json"));
    const added = await model(["add", "./my-whisper", "--language", "hi"]);
    expect(added).toMatchObject({ code: 0, lastLine: "local/my-whisper" });
    const installed = path.join(data, "models/local/my-whisper");
    expect(await readdir(installed)).toEqual([
      "config.json",
      "download.json",
      "generation_config.json",
      "onnx",
      "tokenizer.json",
    ]);
    await rm(folder, { recursive: true });
    expect(await readFile(path.join(installed, encoderFile), "utf8")).toBe("encoder");
    expect((await listModels()).inUse.languages).toEqual({ hi: "local/my-whisper" });
  });

  test.each<[string, Record<string, object>, RegExp]>([
    ["English-only", { "generation_config.json": { is_multilingual: false } }, /is an English-only Whisper/],
    ["of another kind", { "config.json": { model_type: "bert" } }, /is a bert, not a Whisper/],
    ["out to steer the terminal", { "config.json": { model_type: "\u001B[2Jx".repeat(9_000) } }, /^[\P{C}\n]{1,700}$/u],
  ])("refuses a folder with a model that is %s", async (_what, changes, says) => {
    const { code, stderr } = await model(["add", await aFolder("other", changes)]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(says)]);
    expect(existsSync(path.join(data, "models/local"))).toBe(false);
  });

  test("copies to nowhere when there is no room", async () => {
    const folder = await aFolder("huge");
    // The file is sparse: it states more bytes than any disk has, and takes none.
    await truncate(path.join(folder, encoderFile), 8e12);
    expect((await model(["add", folder])).stderr).toMatch(/error: The disk of .* lacks \d+ MB for the model\.$/m);
    expect(await readdir(path.join(data, "models/local"))).toEqual([]);
  });
});

describe("model use", () => {
  test("chooses for all languages or for one, and goes back", async () => {
    await model(["add", await aFolder("large")]);
    const use = (...args: string[]) => model(["use", ...args]);
    const inUse = async () => {
      const { all, languages } = (await listModels()).inUse;
      return { all, languages };
    };
    expect((await use("local/large", "--language", "hi")).stdout).toContain("is chosen for Hindi");
    expect(await inUse()).toEqual({ all: "whisper-base", languages: { hi: "local/large" } });
    const list = (await model(["list"])).stdout;
    expect(list).toMatch(/^whisper-base .* embedded .* all languages but Hindi$/m);
    expect(list).toMatch(/^local\/large .* installed .* Hindi$/m);
    expect(list).toMatch(/^onnx-community\/whisper-small +about 506 MB +to add/m);

    expect((await use("local/large")).code).toBe(0);
    expect(await inUse()).toEqual({ all: "local/large", languages: {} });
    await use("whisper-base", "--language", "en");
    expect(await inUse()).toEqual({ all: "local/large", languages: { en: "whisper-base" } });
    await use("whisper-base");
    expect(await inUse()).toEqual({ all: "whisper-base", languages: {} });
  });

  test("says that a model is missing, and that settings come first", async () => {
    expect(await model(["use", "onnx-community/whisper-small"])).toMatchObject({
      code: 1,
      stderr:
        'error: There is no model onnx-community/whisper-small on this machine. "model add onnx-community/whisper-small" downloads it.\n',
    });
    const choice = await model(["use", "whisper-base"], { WHISPER_MODEL: "/models/mine", WHISPER_MODEL_HI: "a/b" });
    expect(choice.stdout).toContain("WHISPER_MODEL, WHISPER_MODEL_HI: set in the environment, which overrides");
    expect((await listModels({ WHISPER_MODEL_HI: "a/b" })).inUse).toEqual({
      all: "whisper-base",
      languages: { hi: "a/b" },
      settings: ["WHISPER_MODEL_HI"],
    });
  });

  test("does not guess what a damaged choice meant", async () => {
    await mkdir(path.join(data, "models"), { recursive: true });
    for (const text of ["{", '{"languages":{"xx":"a/b"}}', '{"all":"../../etc"}']) {
      await writeFile(path.join(data, "models/in-use.json"), text);
      expect(await model(["list"]), text).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/in-use\.json is damaged/),
      });
    }
  });
});

describe("model test", () => {
  test("measures a downloaded model of another shape, without using it", async ({ skip }) => {
    const { WHISPER_SHAPE_MODEL: folder } = process.env;
    if (folder === undefined) return skip("WHISPER_SHAPE_MODEL is not set");
    const names = (await readdir(folder, { recursive: true })).filter((name) => /\.(json|onnx)$/.test(name));
    const files = Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await readFile(path.join(folder, name))] as const)),
    );
    const hub = await startHub({ files });
    expect(await add(hub)).toMatchObject({ code: 0 });
    // Random words in another script than Telugu's aren't tried again, which would take five times as long.
    const { code, stdout } = await model(["test", hubModel, "--language", "te", "--json"]);
    expect(code).toBe(0);
    const measured = JSON.parse(stdout);
    expect(measured).toMatchObject({ model: hubModel, languages: [{ language: "te", clips: 2, synthesized: true }] });
    expect(measured.withoutPeople).toEqual(["te"]);
    expect(measured.languages[0].wordErrorPercent, "its weights are random").toBeGreaterThan(90);
    expect(measured.realTimeFactor).toBeGreaterThan(0);
    expect(measured.peakMemoryBytes).toBeGreaterThan(process.platform === "linux" ? 50e6 : -1);
    expect((await listModels()).inUse.all).toBe("whisper-base");
  });

  test("tells how well the embedded model reads a language", async () => {
    const { code, stdout } = await model(["test", "--language", "de"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Model {3}whisper-base$/m);
    expect(stdout).toMatch(/^Speed {3}[\d.]+ s for a second of audio \(34 s heard/m);
    expect(stdout).toMatch(/^German {4}2 +0 +[12]?\d(\.\d)?% +\d(\.\d)?% +a machine's voice$/m);
    expect(stdout).toContain("No recordings of people are included for German. Try reels of your own.");
  });

  test("judges by clips of the operator's, also what cannot be read", async () => {
    await mkdir(path.join(testDirectory, "clips"));
    await writeFile(path.join(testDirectory, "clips/0.wav"), await beginningOf("te-pachadi", 5));
    await writeFile(path.join(testDirectory, "clips/0.txt"), "నమస్కారం మిత్రులారా\n");
    await writeFile(path.join(testDirectory, "clips/notes.md"), "no text of a clip");
    const { code, stdout } = await model(["test", "--language", "te", "--clips", "clips", "--json"]);
    expect(code).toBe(0);
    const row = { language: "te", clips: 1, refused: 1, wordErrorPercent: 100, characterErrorPercent: 100 };
    expect(JSON.parse(stdout)).toMatchObject({ model: "whisper-base", languages: [row], withoutPeople: [] });
  });

  test("judges the endpoint of a language, heard as the service hears it", async () => {
    const folder = path.join(testDirectory, "clips");
    await mkdir(folder);
    const clips = bundledSpeech().filter(({ language }) => language === "hi");
    for (const [index, clip] of clips.slice(0, 2).entries()) {
      await cp(clip.file, path.join(folder, `${index}${path.extname(clip.file)}`));
      await writeFile(path.join(folder, `${index}.txt`), `${clip.text}\n`);
    }
    const text = await readFile(path.join(folder, "0.txt"), "utf8");
    const endpoint = await startEndpoint({ text: `${text} और`, language: "hindi", seconds: 3 });
    onTestFinished(() => endpoint.close());
    const { stdout } = await model(["test", "--language", "hi", "--clips", "clips", "--json"], {
      TRANSCRIBER_HI: "openai",
      OPENAI_BASE_URL_HI: endpoint.baseUrl,
      OPENAI_API_KEY_HI: "secret",
      OPENAI_MODEL_HI: "large",
    });
    const measured = JSON.parse(stdout);
    expect(measured).toMatchObject({ model: "large", languages: [{ language: "hi", refused: 0 }] });
    expect(measured.languages[0].clips).toBe(2);
    expect(endpoint.requests).toHaveLength(2);
    expect(measured.languages[0].wordErrorPercent).toBeGreaterThan(0);
  });

  test("says what a folder of clips lacks", async () => {
    const clips = path.join(testDirectory, "clips");
    const said = async () => (await model(["test", "--language", "hi", "--clips", clips])).stderr;
    expect(await said()).toBe(`error: ${clips} cannot be read.\n`);
    await mkdir(clips);
    expect(await said()).toContain("has no texts: each sound file needs what is said in it");
    await writeFile(path.join(clips, "one.txt"), "hello");
    expect(await said()).toContain("one.txt needs words in it, and one sound file with the same name");
    await writeFile(path.join(clips, "one.wav"), "sound");
    await writeFile(path.join(clips, "one.txt"), " …");
    expect(await said()).toContain("one.txt needs words in it");
    expect(await model(["test", "--clips", clips])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--clips needs --language"),
    });
  });

  test("says that a model cannot be loaded", async () => {
    await model(["add", await aFolder("broken")]);
    const { code, stderr } = await model(["test", "local/broken"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: .*(encoder|load)/m);
    expect(await model(["test", "local/none"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no model local/none"),
    });
  });
});

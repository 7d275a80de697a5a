import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DownloadProgress, embeddedModelDirectory, locateModel } from "@reelscript/whisper";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Hub, MODEL, startHub } from "./model-hub.ts";

const ENCODER = "onnx/encoder_model.onnx";
const FILES = [
  "config.json",
  "generation_config.json",
  ENCODER,
  "onnx/decoder_model_merged_quantized.onnx",
  "preprocessor_config.json",
  "tokenizer.json",
  "tokenizer_config.json",
];

async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "reelscript-model-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .toSorted();
}

/** What is on the disk under the directory, as it should be: every file as the hub has it, and nothing else. */
async function differences(directory: string, hub: Hub): Promise<string[]> {
  const found = await filesIn(directory);
  const wanted = [...FILES, "download.json"];
  const odd = [...found.filter((name) => !wanted.includes(name)), ...wanted.filter((name) => !found.includes(name))];
  for (const name of FILES.filter((file) => found.includes(file))) {
    const bytes = await readFile(join(directory, name));
    if (!hub.files.get(name)?.equals(bytes)) odd.push(name);
  }
  return odd;
}

describe("a directory", () => {
  test("that holds a model is taken as it is", async () => {
    expect(await locateModel(embeddedModelDirectory, { dataDirectory: "/nowhere" })).toBe(embeddedModelDirectory);
  });

  test("that lacks a part, or is none, is refused by name", async () => {
    const folder = await dataFolder();
    const options = { dataDirectory: folder };
    await expect(locateModel(folder, options)).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("config.json"),
    });
    await writeFile(join(folder, "config.json"), "{}");
    await expect(locateModel(folder, options)).rejects.toMatchObject({ message: expect.stringContaining("encoder") });
    await expect(locateModel("/no/such/model", options)).rejects.toMatchObject({ code: "unavailable" });
  });

  test.each([
    "../outside",
    "owner/../../etc",
    "owner/..",
    "a/b/c",
    "owner\\name",
    "http://a/b",
    "owner/na me",
    ".a/b",
    "",
  ])("%j is no name of a model", async (name) => {
    const dataDirectory = await dataFolder();
    const hub = await startHub();
    await expect(locateModel(name, { dataDirectory, hubUrl: hub.url })).rejects.toMatchObject({ code: "unavailable" });
    expect(hub.requests).toEqual([]);
    expect(await readdir(dataDirectory)).toEqual([]);
  });
});

describe("a download", () => {
  test("brings what is needed once, with progress, and needs no network then", async () => {
    const dataDirectory = await dataFolder();
    const hub = await startHub({ isWhole: true });
    const seen: DownloadProgress[] = [];
    const options = {
      dataDirectory,
      hubUrl: `${hub.url}/`,
      onProgress: (progress: DownloadProgress) => seen.push(progress),
    };
    const directory = await locateModel(MODEL, options);
    expect(directory).toBe(join(dataDirectory, "models", "somebody", "whisper-base"));
    expect(await differences(directory, hub)).toEqual([]);
    expect(await readdir(join(dataDirectory, "models", "somebody"))).toEqual(["whisper-base"]);
    expect(new Set(seen.map(({ file }) => file))).toEqual(new Set(FILES));
    const encoder = seen.filter(({ file }) => file === ENCODER);
    expect(encoder.length).toBeGreaterThan(2);
    expect(encoder.map(({ bytes }) => bytes)).toEqual(encoder.map(({ bytes }) => bytes).toSorted((a, b) => a - b));
    expect(encoder.at(-1)?.bytes).toBe(encoder[0]?.total);
    await hub.stop();
    expect(await locateModel(MODEL, options)).toBe(directory);
  });

  test("that breaks off goes on by itself where it stopped", async () => {
    let breaks = 2;
    const hub = await startHub({
      breakAfter: (path) => (path === ENCODER && breaks-- > 0 ? 2_000_000 : undefined),
    });
    const directory = await locateModel(MODEL, { dataDirectory: await dataFolder(), hubUrl: hub.url });
    expect(await differences(directory, hub)).toEqual([]);
    const ranges = hub.requests.filter(({ path }) => path === `delivery/${ENCODER}`).map(({ range }) => range);
    expect(ranges).toEqual([undefined, expect.stringMatching(/^bytes=\d+-$/), expect.stringMatching(/^bytes=\d+-$/)]);
  });

  test("that was given up goes on in the next start", async () => {
    const dataDirectory = await dataFolder();
    const hub = await startHub();
    const controller = new AbortController();
    const first = locateModel(MODEL, {
      dataDirectory,
      hubUrl: hub.url,
      signal: controller.signal,
      onProgress: ({ file, bytes }) => {
        if (file === ENCODER && bytes > 2_000_000) controller.abort();
      },
    });
    await expect(first).rejects.toMatchObject({ code: "aborted" });
    const part = join(dataDirectory, "models/somebody/.whisper-base.download", `${ENCODER}.part`);
    const { size } = await stat(part);
    expect(size).toBeGreaterThan(2_000_000);
    expect(existsSync(join(dataDirectory, "models", MODEL))).toBe(false);
    hub.requests.length = 0;
    const directory = await locateModel(MODEL, { dataDirectory, hubUrl: hub.url });
    expect(await differences(directory, hub)).toEqual([]);
    expect(hub.requests).toContainEqual({ path: `delivery/${ENCODER}`, range: `bytes=${size}-` });
    expect(hub.requests.map(({ path }) => path)).not.toContainEqual(expect.stringContaining("tokenizer.json"));
  });

  test.each([
    ["a server that ignores ranges", { ignoresRange: true }, "right"],
    ["a part that is damaged", {}, "damaged"],
    ["a part that is too long", {}, "too long"],
  ])("survives %s", async (_what, behaviour, kind) => {
    const dataDirectory = await dataFolder();
    const hub = await startHub(behaviour);
    const staging = join(dataDirectory, "models/somebody/.whisper-base.download");
    const part = join(staging, `${ENCODER}.part`);
    const controller = new AbortController();
    const stopped = locateModel(MODEL, {
      dataDirectory,
      hubUrl: hub.url,
      signal: controller.signal,
      onProgress: ({ file }) => {
        if (file === ENCODER) controller.abort();
      },
    });
    await expect(stopped).rejects.toMatchObject({ code: "aborted" });
    if (kind === "damaged") await writeFile(part, Buffer.alloc(1_000_000, 7));
    if (kind === "too long") await writeFile(part, Buffer.alloc(7_000_000, 7));
    const directory = await locateModel(MODEL, { dataDirectory, hubUrl: hub.url });
    expect(await differences(directory, hub)).toEqual([]);
  });

  test.each([
    ["sha256", ENCODER, "a".repeat(64)],
    ["git blob id", "config.json", "b".repeat(40)],
  ])("with a wrong %s is refused and nothing of it is kept", async (_kind, path, checksum) => {
    const dataDirectory = await dataFolder();
    const hub = await startHub({ statedChecksum: { [path]: checksum } });
    await expect(locateModel(MODEL, { dataDirectory, hubUrl: hub.url })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(new RegExp(`${path}.*checksum`)),
    });
    const staging = join(dataDirectory, "models/somebody/.whisper-base.download");
    expect(existsSync(join(dataDirectory, "models", MODEL))).toBe(false);
    expect([existsSync(join(staging, path)), existsSync(join(staging, `${path}.part`))]).toEqual([false, false]);
  });

  test("whose files never come whole ends with what to do", async () => {
    const hub = await startHub({ breakAfter: (path) => (path === "config.json" ? 0 : undefined) });
    await expect(locateModel(MODEL, { dataDirectory: await dataFolder(), hubUrl: hub.url })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("goes on where it stopped"),
    });
  });

  test("takes the next best variant, and weights that lie beside a graph", async () => {
    const hub = await startHub({
      without: ["onnx/decoder_model_merged_quantized.onnx"],
      files: { "onnx/encoder_model.onnx_data": Buffer.from("weights") },
    });
    const directory = await locateModel(MODEL, { dataDirectory: await dataFolder(), hubUrl: hub.url });
    expect(await readdir(join(directory, "onnx"))).toEqual([
      "decoder_model_merged.onnx",
      "encoder_model.onnx",
      "encoder_model.onnx_data",
    ]);
  });

  test("follows no listing out of its folder", async () => {
    const outside = { type: "file", oid: "c".repeat(40), size: 5, path: "onnx/encoder_model.onnx_data/../../../../x" };
    const hub = await startHub({ extraEntries: [outside, { ...outside, path: "/etc/x" }, null as unknown as object] });
    const directory = await locateModel(MODEL, { dataDirectory: await dataFolder(), hubUrl: hub.url });
    expect(await differences(directory, hub)).toEqual([]);
  });

  test.each([
    ["that has no such model", "somebody/nothing", {}, "no public model"],
    ["whose model is no Whisper", MODEL, { without: [ENCODER] }, "no onnx/encoder_model.onnx"],
    ["that redirects without end", MODEL, { redirectsForever: true }, "redirects too often"],
  ])("from a hub %s is refused", async (_what, model, behaviour, message) => {
    const hub = await startHub(behaviour);
    await expect(locateModel(model, { dataDirectory: await dataFolder(), hubUrl: hub.url })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining(message),
    });
  });

  test("without a network says what to do", async () => {
    const hub = await startHub();
    await hub.stop();
    const dataDirectory = await dataFolder();
    await expect(locateModel(MODEL, { dataDirectory, hubUrl: hub.url })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/could not be reached.*Connect this machine once/),
    });
  });

  test("into a folder that cannot be written says so", async () => {
    const dataDirectory = join(await dataFolder(), "a-file");
    await writeFile(dataDirectory, "");
    const hub = await startHub();
    await expect(locateModel(MODEL, { dataDirectory, hubUrl: hub.url })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("cannot be stored"),
    });
  });
});

describe("two at once", () => {
  test("two processes download once", async () => {
    const dataDirectory = await dataFolder();
    const hub = await startHub();
    const built = new URL("../../dist/index.js", import.meta.url).href;
    const program = `import { locateModel } from ${JSON.stringify(built)};
      console.log(await locateModel(${JSON.stringify(MODEL)}, ${JSON.stringify({ dataDirectory, hubUrl: hub.url })}));`;
    const codes = await Promise.all(
      [1, 2].map(async () => {
        const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: "ignore" });
        return (await once(child, "exit"))[0] as unknown;
      }),
    );
    expect(codes).toEqual([0, 0]);
    expect(await differences(join(dataDirectory, "models", MODEL), hub)).toEqual([]);
    expect(hub.requests.filter(({ path }) => path === `delivery/${ENCODER}`)).toHaveLength(1);
  });

  test.each([
    ["of a process that died on this machine", async () => {}, { host: undefined, processId: 2 ** 22 + 1 }],
    [
      "that nobody has touched for long",
      (path: string) => utimes(path, new Date(0), new Date(0)),
      { host: "elsewhere", processId: 1 },
    ],
  ])("a lock %s is taken away", async (_whose, age, holder) => {
    const dataDirectory = await dataFolder();
    const hub = await startHub();
    const folder = join(dataDirectory, "models/somebody");
    await mkdir(folder, { recursive: true });
    const { hostname } = await import("node:os");
    const mark = { host: holder.host ?? hostname(), processId: holder.processId, nonce: "n" };
    await writeFile(join(folder, ".whisper-base.lock"), JSON.stringify(mark));
    await age(join(folder, ".whisper-base.lock"));
    const directory = await locateModel(MODEL, { dataDirectory, hubUrl: hub.url });
    expect(await differences(directory, hub)).toEqual([]);
    expect(await readdir(folder)).toEqual(["whisper-base"]);
  });

  test("a lock that is held is waited for until the caller gives up", async () => {
    const dataDirectory = await dataFolder();
    const hub = await startHub();
    const folder = join(dataDirectory, "models/somebody");
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, ".whisper-base.lock"),
      JSON.stringify({ host: "elsewhere", processId: 1, nonce: "n" }),
    );
    await expect(
      locateModel(MODEL, { dataDirectory, hubUrl: hub.url, signal: AbortSignal.timeout(500) }),
    ).rejects.toMatchObject({ code: "aborted" });
    expect(hub.requests).toEqual([]);
  });
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, stat, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { type DownloadProgress, embeddedModelDirectory, locateModel } from "@reelscript/whisper";
import { describe, expect, test } from "vitest";
import { dataFolder, differences, encoderFile, modelFiles } from "./model-folders.ts";
import { hubModel, revision, startHub } from "./model-hub.ts";

const lockMark = { startTime: null, since: new Date(0).toISOString(), nonce: "n" };

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
    await writeFile(path.join(folder, "config.json"), "{}");
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
    const directory = await locateModel(hubModel, options);
    expect(directory).toBe(path.join(dataDirectory, "models", "somebody", "whisper-base"));
    expect(await differences(directory, hub)).toEqual([]);
    expect(await readdir(path.join(dataDirectory, "models", "somebody"))).toEqual(["whisper-base"]);
    expect(new Set(seen.map(({ file }) => file))).toEqual(new Set(modelFiles));
    const encoder = seen.filter(({ file }) => file === encoderFile);
    expect(encoder.length).toBeGreaterThan(2);
    expect(encoder.map(({ bytes }) => bytes)).toEqual(encoder.map(({ bytes }) => bytes).toSorted((a, b) => a - b));
    expect(encoder.at(-1)?.bytes).toBe(encoder[0]?.total);
    await hub.stop();
    expect(await locateModel(hubModel, options)).toBe(directory);
  });

  test("that breaks off goes on by itself where it stopped", async () => {
    let breaks = 2;
    const hub = await startHub({
      breakAfter: (filePath) => {
        if (filePath !== encoderFile || breaks === 0) return undefined;
        breaks -= 1;
        return 2_000_000;
      },
    });
    const directory = await locateModel(hubModel, { dataDirectory: await dataFolder(), hubUrl: hub.url });
    expect(await differences(directory, hub)).toEqual([]);
    const ranges = hub.requests
      .filter(({ path: filePath }) => filePath === `delivery/${encoderFile}`)
      .map(({ range }) => range);
    expect(ranges).toEqual([undefined, expect.stringMatching(/^bytes=\d+-$/), expect.stringMatching(/^bytes=\d+-$/)]);
  });

  test("that was given up goes on in the next start", async () => {
    const dataDirectory = await dataFolder();
    const hub = await startHub();
    const controller = new AbortController();
    const first = locateModel(hubModel, {
      dataDirectory,
      hubUrl: hub.url,
      signal: controller.signal,
      onProgress: ({ file, bytes }) => {
        if (file === encoderFile && bytes > 2_000_000) controller.abort();
      },
    });
    await expect(first).rejects.toMatchObject({ code: "aborted" });
    const part = path.join(dataDirectory, "models/somebody/.whisper-base.download", `${encoderFile}.part`);
    const { size } = await stat(part);
    expect(size).toBeGreaterThan(2_000_000);
    expect(existsSync(path.join(dataDirectory, "models", hubModel))).toBe(false);
    hub.requests.length = 0;
    const directory = await locateModel(hubModel, { dataDirectory, hubUrl: hub.url });
    expect(await differences(directory, hub)).toEqual([]);
    expect(hub.requests).toContainEqual({ path: `delivery/${encoderFile}`, range: `bytes=${size}-` });
    expect(hub.requests.map(({ path: filePath }) => filePath)).not.toContainEqual(
      expect.stringContaining("tokenizer.json"),
    );
  });

  test.each([
    ["a server that ignores ranges", { ignoresRange: true }, "right"],
    ["a part that is damaged", {}, "damaged"],
    ["a part that is too long", {}, "too long"],
  ])("survives %s", async (_what, behavior, kind) => {
    const dataDirectory = await dataFolder();
    const hub = await startHub(behavior);
    const staging = path.join(dataDirectory, "models/somebody/.whisper-base.download");
    const part = path.join(staging, `${encoderFile}.part`);
    const controller = new AbortController();
    const stopped = locateModel(hubModel, {
      dataDirectory,
      hubUrl: hub.url,
      signal: controller.signal,
      onProgress: ({ file }) => {
        if (file === encoderFile) controller.abort();
      },
    });
    await expect(stopped).rejects.toMatchObject({ code: "aborted" });
    if (kind === "damaged") await writeFile(part, Buffer.alloc(1_000_000, 7));
    if (kind === "too long") await writeFile(part, Buffer.alloc(7_000_000, 7));
    const directory = await locateModel(hubModel, { dataDirectory, hubUrl: hub.url });
    expect(await differences(directory, hub)).toEqual([]);
  });

  test.each([
    ["sha256", encoderFile, "a".repeat(64)],
    ["git blob id", "config.json", "b".repeat(40)],
  ])("with a wrong %s is refused and nothing of it is kept", async (_kind, filePath, checksum) => {
    const dataDirectory = await dataFolder();
    const hub = await startHub({ statedChecksum: { [filePath]: checksum } });
    await expect(locateModel(hubModel, { dataDirectory, hubUrl: hub.url })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(new RegExp(`${filePath}.*checksum`)),
    });
    const staging = path.join(dataDirectory, "models/somebody/.whisper-base.download");
    expect(existsSync(path.join(dataDirectory, "models", hubModel))).toBe(false);
    expect([existsSync(path.join(staging, filePath)), existsSync(path.join(staging, `${filePath}.part`))]).toEqual([
      false,
      false,
    ]);
  });

  test("whose files never come whole ends with what to do", async () => {
    const hub = await startHub({ breakAfter: (filePath) => (filePath === "config.json" ? 0 : undefined) });
    await expect(locateModel(hubModel, { dataDirectory: await dataFolder(), hubUrl: hub.url })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("continue where it stopped"),
    });
  });

  test("takes the next best variant, and weights that lie beside a graph", async () => {
    const hub = await startHub({
      without: ["onnx/decoder_model_merged_quantized.onnx"],
      files: { "onnx/encoder_model.onnx_data": Buffer.from("weights") },
    });
    const directory = await locateModel(hubModel, { dataDirectory: await dataFolder(), hubUrl: hub.url });
    expect(await readdir(path.join(directory, "onnx"))).toEqual([
      "decoder_model_merged.onnx",
      "encoder_model.onnx",
      "encoder_model.onnx_data",
    ]);
  });

  test("follows no listing out of its folder", async () => {
    const outside = { type: "file", oid: "c".repeat(40), size: 5, path: "onnx/encoder_model.onnx_data/../../../../x" };
    const hub = await startHub({ extraEntries: [outside, { ...outside, path: "/etc/x" }, null as unknown as object] });
    const directory = await locateModel(hubModel, { dataDirectory: await dataFolder(), hubUrl: hub.url });
    expect(await differences(directory, hub)).toEqual([]);
  });

  test.each([
    ["that has no such model", "somebody/nothing", {}, "no public model"],
    ["whose model is no Whisper", hubModel, { without: [encoderFile] }, "no onnx/encoder_model.onnx"],
    ["that redirects without end", hubModel, { redirectsForever: true }, "redirects too often"],
  ])("from a hub %s is refused", async (_what, model, behavior, message) => {
    const hub = await startHub(behavior);
    await expect(locateModel(model, { dataDirectory: await dataFolder(), hubUrl: hub.url })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining(message),
    });
  });

  test("is of the commit that was asked for, and of no other", async () => {
    const dataDirectory = await dataFolder();
    const hub = await startHub();
    const options = { dataDirectory, hubUrl: hub.url };
    const other = "f".repeat(40);
    await expect(locateModel(`${hubModel}@${other}`, options)).rejects.toMatchObject({
      message: `The model hub has no revision ${other} of ${hubModel}.`,
    });
    const directory = await locateModel(`${hubModel}@${revision}`, options);
    expect(await locateModel(hubModel, options)).toBe(directory);
    await expect(locateModel(`${hubModel}@${other}`, options)).rejects.toMatchObject({
      message: expect.stringContaining(`installed at the revision ${revision}`),
    });
  });

  test("without a network says what to do", async () => {
    const hub = await startHub();
    await hub.stop();
    const dataDirectory = await dataFolder();
    await expect(locateModel(hubModel, { dataDirectory, hubUrl: hub.url })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/could not be reached.*Connect this machine once/),
    });
  });

  test("into a folder that cannot be written says so", async () => {
    const dataDirectory = path.join(await dataFolder(), "a-file");
    await writeFile(dataDirectory, "");
    const hub = await startHub();
    await expect(locateModel(hubModel, { dataDirectory, hubUrl: hub.url })).rejects.toMatchObject({
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
      console.log(await locateModel(${JSON.stringify(hubModel)}, ${JSON.stringify({ dataDirectory, hubUrl: hub.url })}));`;
    const codes = await Promise.all(
      [1, 2].map(async () => {
        const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: "ignore" });
        return (await once(child, "exit"))[0] as unknown;
      }),
    );
    expect(codes).toEqual([0, 0]);
    expect(await differences(path.join(dataDirectory, "models", hubModel), hub)).toEqual([]);
    expect(hub.requests.filter(({ path: filePath }) => filePath === `delivery/${encoderFile}`)).toHaveLength(1);
  });

  test.each([
    ["of a process that died on this machine", async () => undefined, { host: undefined, pid: 2 ** 22 + 1 }],
    [
      "that nobody has touched for long",
      (filePath: string) => utimes(filePath, new Date(0), new Date(0)),
      { host: "elsewhere", pid: 1 },
    ],
    // Less than a holder that cannot be seen is waited for.
  ])("a lock %s is taken away", { timeout: 28_000 }, async (_whose, age, holder) => {
    const dataDirectory = await dataFolder();
    const hub = await startHub();
    const folder = path.join(dataDirectory, "models/somebody");
    await mkdir(folder, { recursive: true });
    const { hostname } = await import("node:os");
    const mark = { ...lockMark, host: holder.host ?? hostname(), pid: holder.pid };
    await writeFile(path.join(folder, ".whisper-base.lock"), JSON.stringify(mark));
    await age(path.join(folder, ".whisper-base.lock"));
    const directory = await locateModel(hubModel, { dataDirectory, hubUrl: hub.url });
    expect(await differences(directory, hub)).toEqual([]);
    expect(await readdir(folder)).toEqual(["whisper-base"]);
  });

  test("a lock that is held is waited for until the caller gives up", async () => {
    const dataDirectory = await dataFolder();
    const hub = await startHub();
    const folder = path.join(dataDirectory, "models/somebody");
    await mkdir(folder, { recursive: true });
    await writeFile(
      path.join(folder, ".whisper-base.lock"),
      JSON.stringify({ ...lockMark, host: "elsewhere", pid: 1 }),
    );
    await expect(
      locateModel(hubModel, { dataDirectory, hubUrl: hub.url, signal: AbortSignal.timeout(500) }),
    ).rejects.toMatchObject({ code: "aborted" });
    expect(hub.requests).toEqual([]);
  });
});

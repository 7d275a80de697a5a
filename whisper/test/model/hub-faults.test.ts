import { existsSync } from "node:fs";
import { readFile, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { embeddedModelDirectory, locateModel } from "@reelscript/whisper";
import { describe, expect, test } from "vitest";
import { dataFolder, differences, encoderFile } from "./model-folders.ts";
import { hubModel, startHub } from "./model-hub.ts";

describe("a download", () => {
  test("that stalls continue where it stopped, and is given up when nothing comes any more", async () => {
    const dataDirectory = await dataFolder();
    const options = { dataDirectory, idleSeconds: 2 };
    const silent = await startHub({
      stallAfter: (file, from) => (file === encoderFile ? (from === 0 ? 1_000_000 : 0) : undefined),
    });
    await expect(locateModel(hubModel, { ...options, hubUrl: silent.url })).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/nothing came for 2 s.*continue where it stopped/),
    });
    const halting = await startHub({ stallAfter: (file) => (file === encoderFile ? 3_000_000 : undefined) });
    const directory = await locateModel(hubModel, { ...options, hubUrl: halting.url });
    expect(await differences(directory, halting)).toEqual([]);
  });

  test.each([
    ["more than it states", { [encoderFile]: 1_000_000 }, "more of onnx/encoder_model.onnx than it states"],
    ["less than it states", { [encoderFile]: 9_000_000 }, "broke off"],
    ["more than any model has", { [encoderFile]: 20e9 }, "larger than any Whisper: 7 files with 20.0 GB"],
    ["text of gigabytes", { "config.json": 2e9 }, "larger than any Whisper"],
  ])("of %s is refused", async (_what, statedSize, message) => {
    const hub = await startHub({ statedSize });
    await expect(
      locateModel(hubModel, { dataDirectory: await dataFolder(), hubUrl: hub.url, idleSeconds: 5 }),
    ).rejects.toMatchObject({ code: "unavailable", message: expect.stringContaining(message) });
  });

  test.each([
    ["an English-only Whisper", { "generation_config.json": { is_multilingual: false } }, "is an English-only Whisper"],
    ["another kind of model", { "config.json": { model_type: "bert" } }, "is a bert, not a Whisper"],
  ])("of %s ends before its weights are fetched", async (_what, changes, message) => {
    const files = Object.fromEntries(
      await Promise.all(
        Object.entries(changes).map(async ([name, fields]) => {
          const text = await readFile(path.join(embeddedModelDirectory, name), "utf8");
          return [name, Buffer.from(JSON.stringify({ ...(JSON.parse(text) as object), ...fields }))] as const;
        }),
      ),
    );
    const hub = await startHub({ files });
    await expect(locateModel(hubModel, { dataDirectory: await dataFolder(), hubUrl: hub.url })).rejects.toMatchObject({
      message: expect.stringContaining(
        `${hubModel} ${message}`.replace(`${hubModel} is a bert`, `in ${hubModel} is a bert`),
      ),
    });
    expect(hub.requests.map(({ path: file }) => file)).not.toContain(`delivery/${encoderFile}`);
  });

  test.skipIf(!existsSync("/dev/full"))(
    "onto a disk that is full says so, and goes on when there is room",
    async () => {
      const dataDirectory = await dataFolder();
      const stopped = await startHub({ stallAfter: (file) => (file === encoderFile ? 0 : undefined) });
      const options = { dataDirectory, idleSeconds: 2 };
      await expect(locateModel(hubModel, { ...options, hubUrl: stopped.url })).rejects.toThrow(
        "continue where it stopped",
      );
      const part = path.join(dataDirectory, "models/somebody/.whisper-base.download", `${encoderFile}.part`);
      await rm(part, { force: true });
      await symlink("/dev/full", part);
      const hub = await startHub();
      await expect(locateModel(hubModel, { ...options, idleSeconds: 30, hubUrl: hub.url })).rejects.toMatchObject({
        code: "unavailable",
        message: expect.stringMatching(/cannot be stored in .*: the disk is full\.$/),
      });
      await rm(part);
      const directory = await locateModel(hubModel, { ...options, idleSeconds: 30, hubUrl: hub.url });
      expect(await differences(directory, hub)).toEqual([]);
    },
  );
});

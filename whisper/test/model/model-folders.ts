import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import type { Hub } from "./model-hub.ts";

export const encoderFile = "onnx/encoder_model.onnx";
export const modelFiles = [
  "config.json",
  "generation_config.json",
  encoderFile,
  "onnx/decoder_model_merged_quantized.onnx",
  "preprocessor_config.json",
  "tokenizer.json",
  "tokenizer_config.json",
];

export async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "reelscript-model-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name).slice(directory.length + 1))
    .toSorted();
}

/** Compares a folder with the hub: it must have every file as the hub has it, and no others. */
export async function differences(directory: string, hub: Hub): Promise<string[]> {
  const names = await filesIn(directory);
  const expectedNames = [...modelFiles, "download.json"];
  const odd = [
    ...names.filter((name) => !expectedNames.includes(name)),
    ...expectedNames.filter((name) => !names.includes(name)),
  ];
  for (const name of modelFiles.filter((file) => names.includes(file))) {
    const bytes = await readFile(path.join(directory, name));
    if (!hub.files.get(name)?.equals(bytes)) odd.push(name);
  }
  return odd;
}

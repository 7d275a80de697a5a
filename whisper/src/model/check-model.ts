import { access, stat } from "node:fs/promises";
import path from "node:path";
import { readJsonObject } from "../recognition/decoder/json-fields.ts";
import { findOnnxFiles, type OnnxFiles } from "../recognition/decoder/onnx-files.ts";
import { readSpecification } from "../recognition/decoder/specification.ts";
import { unavailable, WhisperError } from "../whisper-error.ts";

/** Tokens of a Whisper that knows no languages; the others have at least one more. */
const englishOnlyVocabulary = 51_864;

/** Throws `WhisperError`, which calls the model `name`, when the directory is not a model that can be loaded. */
export async function checkModel(directory: string, name = directory): Promise<OnnxFiles> {
  if (!(await isDirectory(directory))) throw unavailable(`Cannot find the folder ${name}.`);
  await access(path.join(directory, "config.json")).catch((error: unknown) => {
    throw unavailable(`There is no config.json in ${name}.`, error);
  });
  const files = await callIt(name, directory, () => findOnnxFiles(directory));
  await checkSpecification(directory, name);
  return files;
}

/**
 * Checks that the text files describe a multilingual Whisper, before gigabytes of weights are downloaded. Throws
 * `WhisperError`.
 */
export async function checkSpecification(directory: string, name: string): Promise<void> {
  await callIt(name, directory, async () => {
    const [config, generation] = await Promise.all(
      ["config.json", "generation_config.json"].map((file) => readJsonObject(path.join(directory, file))),
    );
    const isEnglishOnly = generation?.["is_multilingual"] === false || config?.["vocab_size"] === englishOnlyVocabulary;
    if (config?.["model_type"] === "whisper" && isEnglishOnly)
      throw unavailable(
        `${name} is an English-only Whisper: take the multilingual one, which usually has the same name without ".en".`,
      );

    await readSpecification(directory);
  });
}

/** Much of a message may come out of the model's files. */
const longestMessage = 500;

/** People know a model by its name, not by the folder it is in for the moment. */
async function callIt<Result>(name: string, directory: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WhisperError)) throw error;
    const message = error.message.replaceAll(directory, name).replaceAll(/\p{C}/gu, "");
    throw new WhisperError(error.code, message.slice(0, longestMessage), { cause: error });
  }
}

export async function isDirectory(filePath: string): Promise<boolean> {
  return stat(filePath).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

import { access } from "node:fs/promises";
import { join } from "node:path";
import { WhisperError } from "../whisper-error.ts";

const FOLDERS = ["onnx", "."];
// The encoder loses words when its weights are integers, the decoder does not; so each prefers another file.
const ENCODER_FILES = ["", "_quantized", "_int8", "_uint8", "_fp16", "_q4", "_bnb4"].map(
  (kind) => `encoder_model${kind}.onnx`,
);
const DECODER_FILES = ["_quantized", "_int8", "_uint8", "", "_fp16", "_q4", "_bnb4"].map(
  (kind) => `decoder_model_merged${kind}.onnx`,
);

export interface OnnxFiles {
  readonly encoder: string;
  readonly decoder: string;
}

/** The encoder and the decoder in a model directory, by the file names in use. Throws `WhisperError`. */
export async function findOnnxFiles(directory: string): Promise<OnnxFiles> {
  return { encoder: await findFile(directory, ENCODER_FILES), decoder: await findFile(directory, DECODER_FILES) };
}

async function findFile(directory: string, names: readonly string[]): Promise<string> {
  for (const folder of FOLDERS) {
    for (const name of names) {
      const path = join(directory, folder, name);
      const isThere = await access(path).then(
        () => true,
        () => false,
      );
      if (isThere) return path;
    }
  }
  throw new WhisperError(
    "unavailable",
    `There is no ${String(names[0])} (or a variant of it) in ${join(directory, "onnx")}.`,
  );
}

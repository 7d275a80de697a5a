import { isJsonObject } from "../recognition/decoder/json-fields.ts";
import { unavailable } from "../whisper-error.ts";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";

export interface HubFile {
  /** Below the model's directory, with forward slashes. */
  readonly path: string;
  readonly size: number;
  readonly checksum: Checksum;
}

const neededFiles = ["config.json", "generation_config.json", "preprocessor_config.json", "tokenizer.json"];
const optionalFiles = ["tokenizer_config.json"];
/** The files of a model that are not weights. */
export const textFiles: readonly string[] = [...neededFiles, ...optionalFiles];
// The encoder loses words when its weights are integers, the decoder does not.
const encoders = ["", "_quantized", "_int8", "_uint8", "_fp16"].map((kind) => `onnx/encoder_model${kind}.onnx`);
const decoders = ["_quantized", "_int8", "_uint8", "", "_fp16"].map((kind) => `onnx/decoder_model_merged${kind}.onnx`);
/** Large-v3 in float32 has six. */
const largestModelBytes = 16 * 1024 ** 3;
export const largestTextBytes = 64 * 1024 ** 2;
const mostFiles = 64;

/** Picks from the hub's listing of a model what a recognizer loads. Throws `WhisperError` when a part is missing. */
export function chooseHubFiles(model: string, listing: unknown): readonly HubFile[] {
  const filesByPath = new Map<string, HubFile>();
  for (const entry of Array.isArray(listing) ? (listing as readonly unknown[]) : []) {
    const file = readEntry(entry);
    if (file !== null) filesByPath.set(file.path, file);
  }
  const need = (names: readonly string[]): HubFile => {
    const file = names.map((name) => filesByPath.get(name)).find((entry) => entry !== undefined);
    if (file !== undefined) return file;
    throw unavailable(`${model} has no ${String(names[0])}: it is not a Whisper model in the common ONNX layout.`);
  };
  const graphs = [need(encoders), need(decoders)];
  // Weights above 2 GB are beside their graph.
  const weights = graphs.flatMap(({ path }) =>
    [...filesByPath.values()].filter((file) => isWeightsOf(file.path, path)),
  );
  const texts = [
    ...neededFiles.map((name) => need([name])),
    ...optionalFiles.flatMap((name) => filesByPath.get(name) ?? []),
  ];
  const files = [...texts, ...graphs, ...weights];
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes > largestModelBytes || files.length > mostFiles || texts.some(({ size }) => size > largestTextBytes))
    throw unavailable(
      `${model} is larger than any Whisper: ${files.length} files with ${(bytes / 1e9).toFixed(1)} GB.`,
    );

  return files;
}

/** True if a file's name says that it has the weights of a graph above 2 GB. */
export function isWeightsOf(path: string, graph: string): boolean {
  return path.startsWith(`${graph}_data`) && /^(?:_\d+)?$/.test(path.slice(`${graph}_data`.length));
}

function readEntry(entry: unknown): HubFile | null {
  if (!isJsonObject(entry) || entry.type !== "file" || typeof entry.path !== "string") return null;
  if (!isPlainPath(entry.path)) return null;
  const { lfs } = entry;
  const size = isJsonObject(lfs) ? lfs.size : entry.size;
  if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 1) return null;
  const hash = isJsonObject(lfs) ? lfs.oid : entry.oid;
  if (typeof hash !== "string") return null;
  if (isJsonObject(lfs)) {
    const hex = hash.replace(/^sha256:/, "");
    return /^[0-9a-f]{64}$/.test(hex) ? { path: entry.path, size, checksum: { kind: "sha256", hex } } : null;
  }
  return /^[0-9a-f]{40}$/.test(hash) ? { path: entry.path, size, checksum: { kind: "gitBlob", hex: hash } } : null;
}

function isPlainPath(path: string): boolean {
  return /^[\w.-]+(?:\/[\w.-]+)*$/.test(path) && !path.split("/").some((part) => part.startsWith("."));
}

/** Checksum that the hub states: the SHA-256 of a large file, the git blob id of a small one. */
interface Checksum {
  readonly kind: "sha256" | "gitBlob";
  readonly hex: string;
}

export async function hasChecksum(path: string, size: number, checksum: Checksum): Promise<boolean> {
  const hash = createHash(checksum.kind === "sha256" ? "sha256" : "sha1");
  if (checksum.kind === "gitBlob") hash.update(`blob ${size}\0`);
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex") === checksum.hex;
}

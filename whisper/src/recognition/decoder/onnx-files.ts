import { access } from "node:fs/promises";
import path from "node:path";
import { unavailable } from "../../whisper-error.ts";
import type { InferenceSession, InferenceSessionFactory } from "onnxruntime-node";

const modelFolders = ["onnx", "."];
// The encoder loses words when its weights are integers, the decoder does not; so each prefers another file.
const encoderFiles = ["", "_quantized", "_int8", "_uint8", "_fp16", "_q4", "_bnb4"].map(
  (kind) => `encoder_model${kind}.onnx`,
);
const compactFiles = ["decoder_compact_quantized.onnx"];
const crossFiles = ["decoder_cross_quantized.onnx"];
const mergedFiles = ["_quantized", "_int8", "_uint8", "", "_fp16", "_q4", "_bnb4"].map(
  (kind) => `decoder_model_merged${kind}.onnx`,
);

export interface OnnxFiles {
  readonly encoder: string;
  readonly decoder: {
    readonly path: string;
    /** The second part of a compact decoder; `null` for a merged one. */
    readonly crossPath: string | null;
  };
}

/** The encoder and the decoder in a model directory, by the file names in use. Throws `WhisperError`. */
export async function findOnnxFiles(directory: string): Promise<OnnxFiles> {
  return { encoder: await needFile(directory, encoderFiles), decoder: await findDecoder(directory) };
}

async function findDecoder(directory: string): Promise<OnnxFiles["decoder"]> {
  const file = await findFile(directory, compactFiles);
  const crossPath = await findFile(directory, crossFiles);
  if (file !== null && crossPath !== null) return { path: file, crossPath };
  return { path: await needFile(directory, mergedFiles), crossPath: null };
}

async function needFile(directory: string, names: readonly string[]): Promise<string> {
  const file = await findFile(directory, names);
  if (file !== null) return file;
  throw unavailable(`There is no ${String(names[0])} (or a variant of it) in ${path.join(directory, "onnx")}.`);
}

async function findFile(directory: string, names: readonly string[]): Promise<string | null> {
  for (const folder of modelFolders)
    for (const name of names) {
      const file = path.join(directory, folder, name);
      const isThere = await access(file).then(
        () => true,
        () => false,
      );
      if (isThere) return file;
    }

  return null;
}

let modelRuns = 0;

/** How many computations the models of this process have finished: while it grows, work continues, however slowly. */
export const finishedModelRuns = (): number => modelRuns;

/** Opens an ONNX file with the options that keep memory low at the same speed. Throws `WhisperError`. */
export async function openSession(path: string, threads: number): Promise<InferenceSession> {
  return open(path, threads, async (sessions, options) => sessions.create(path, options));
}

/** Opens the bytes of an ONNX file, which an error calls `name`. Throws `WhisperError`. */
export async function openBytes(bytes: Uint8Array, name: string, threads: number): Promise<InferenceSession> {
  return open(name, threads, async (sessions, options) => sessions.create(bytes, options));
}

async function open(
  name: string,
  threads: number,
  create: (sessions: InferenceSessionFactory, options: InferenceSession.SessionOptions) => Promise<InferenceSession>,
): Promise<InferenceSession> {
  try {
    // The library is large, and the service's own process never opens a model.
    const onnx = await import("onnxruntime-node");
    const session = await create(onnx.InferenceSession, {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      executionMode: "sequential",
      graphOptimizationLevel: "all",
      enableMemPattern: false,
      // It would keep what the largest run needed; memory for each run is as fast.
      enableCpuMemArena: false,
      logSeverityLevel: 3,
    });
    const run = session.run.bind(session) as (...inputs: unknown[]) => ReturnType<InferenceSession["run"]>;
    session.run = async (...inputs: unknown[]) => {
      const outputs = await run(...inputs);
      modelRuns += 1;
      return outputs;
    };
    return session;
  } catch (error) {
    throw unavailable(`The model file ${name} cannot be loaded: ${String(error)}`, error);
  }
}

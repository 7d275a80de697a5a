import { InferenceSession } from "onnxruntime-node";
import { WhisperError } from "../../whisper-error.ts";

/** Opens an ONNX file with the options that keep memory low at the same speed. Throws `WhisperError`. */
export async function openSession(path: string, threads: number): Promise<InferenceSession> {
  try {
    return await InferenceSession.create(path, {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      executionMode: "sequential",
      graphOptimizationLevel: "all",
      enableMemPattern: false,
      // It would keep what the largest run needed; memory for each run is as fast.
      enableCpuMemArena: false,
      logSeverityLevel: 3,
    });
  } catch (error) {
    throw new WhisperError("unavailable", `The model file ${path} cannot be loaded: ${String(error)}`, {
      cause: error,
    });
  }
}

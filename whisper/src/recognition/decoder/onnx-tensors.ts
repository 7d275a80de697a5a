import { type InferenceSession, Tensor } from "onnxruntime-node";
import { unavailable } from "../../whisper-error.ts";

export type Tensors = Readonly<Record<string, Tensor>>;

export const integers = (values: readonly number[], shape: readonly number[]): Tensor =>
  new Tensor("int64", BigInt64Array.from(values, BigInt), shape);

/** Throws `WhisperError` "unavailable" where the model has no such output. */
export function outputOf(outputs: Readonly<Record<string, unknown>>, name: string): Tensor {
  const value = outputs[name];
  if (!(value instanceof Tensor)) throw unavailable(`The model has no output ${name}.`);
  return value;
}

export function floatsOf(outputs: Readonly<Record<string, unknown>>, name: string): Float32Array {
  const { data } = outputOf(outputs, name);
  if (!(data instanceof Float32Array)) throw unavailable(`The output ${name} is not float32.`);
  return data;
}

export function fixedSize(metadata: readonly InferenceSession.ValueMetadata[], name: string, axis: number): number {
  const value = metadata.find((candidate) => candidate.name === name);
  const size = value?.isTensor && value.type === "float32" ? value.shape[axis] : undefined;
  if (typeof size === "number") return size;
  throw unavailable(`The model does not state the size of ${name}, or it is not float32.`);
}

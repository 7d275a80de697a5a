import type { InferenceSession } from "onnxruntime-node";
import { floatsOf, outputOf, type Tensors } from "./onnx-tensors.ts";
import type { LayerAttention } from "./whisper-decoder.ts";

/**
 * Runs a decoder on a whole text and returns the attention of `layers`, as `WhisperDecoder.attention` does. `tokens` is their
 * number. `headsAxis` is the dimension of the heads in the files' layout; the other of the first two is that of the reading.
 */
export async function readAttention(
  session: InferenceSession,
  inputs: Tensors,
  {
    layers,
    tokens,
    headsAxis,
  }: { readonly layers: readonly number[]; readonly tokens: number; readonly headsAxis: 0 | 1 },
): Promise<ReadonlyMap<number, LayerAttention> | null> {
  const names = layers.map((layer) => `cross_attentions.${layer}`);
  if (!names.every((name) => session.outputNames.includes(name))) return null;
  const outputs = await session.run(inputs, names);
  const attention = new Map<number, LayerAttention>();
  for (const layer of layers) {
    const name = `cross_attentions.${layer}`;
    const { dims } = outputOf(outputs, name);
    const heads = dims[headsAxis];
    const readings = dims[1 - headsAxis];
    const [, , rows, frames] = dims;
    if (readings !== 1 || heads === undefined || rows !== tokens || frames === undefined) return null;
    attention.set(layer, { heads, tokens, frames, weights: floatsOf(outputs, name) });
  }
  return attention;
}

export interface KnownModel {
  /** Name on the model hub. */
  readonly name: string;
  /** Bytes of the files that are downloaded, reckoned from the architecture: a hub may keep other variants. */
  readonly estimatedBytes: number;
}

interface Architecture {
  readonly width: number;
  readonly encoderLayers: number;
  readonly decoderLayers: number;
  readonly melBands: number;
}

const vocabulary = 51_866;
const encoderPositions = 1500;
const decoderPositions = 448;
/** The encoder is downloaded in float32 and the decoder in int8. */
const encoderBytes = 4;
const decoderBytes = 1;

/** Larger multilingual Whispers in the common ONNX layout, smallest first. Each is for all languages. */
export const knownModels: readonly KnownModel[] = [
  knownModel("onnx-community/whisper-small", { width: 768, encoderLayers: 12, decoderLayers: 12, melBands: 80 }),
  knownModel("Xenova/whisper-medium", { width: 1024, encoderLayers: 24, decoderLayers: 24, melBands: 80 }),
  knownModel("onnx-community/whisper-large-v3-turbo", {
    width: 1280,
    encoderLayers: 32,
    decoderLayers: 4,
    melBands: 128,
  }),
];

function knownModel(name: string, { width, encoderLayers, decoderLayers, melBands }: Architecture): KnownModel {
  const convolutions = 3 * width * (melBands + width);
  // Attention has four matrices of width x width, the layers behind it two of width x 4 width; a decoder attends twice.
  const encoder = convolutions + encoderPositions * width + encoderLayers * 12 * width ** 2;
  const decoder = (vocabulary + decoderPositions) * width + decoderLayers * 16 * width ** 2;
  return { name, estimatedBytes: encoder * encoderBytes + decoder * decoderBytes };
}

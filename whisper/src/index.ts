export { createTranscriber, type TranscriberOptions } from "./create-transcriber.ts";
export type { DecodedMedia, MediaDecoder, MediaInfo } from "./decoded-media.ts";
export { embeddedModelDirectory } from "./embedded-model.ts";
export {
  createEmbeddedRecogniser,
  type EmbeddedRecogniser,
  type EmbeddedRecogniserOptions,
} from "./embedded-recogniser.ts";
export { createMediaDecoder, type MediaDecoderOptions } from "./media/create-media-decoder.ts";
export { type DownloadProgress, locateModel, type LocateModelOptions } from "./model/locate-model.ts";
export { embeddedModelQuality, type ModelQuality } from "./model-quality.ts";
export { createOpenAiRecogniser, type OpenAiRecogniserOptions } from "./openai/create-openai-recogniser.ts";
export type { Recogniser, RecogniseOptions, Recognition, Segment, Transcriber, Transcription } from "./transcriber.ts";
export { WhisperError, type WhisperErrorCode } from "./whisper-error.ts";

export type { DecodedMedia, MediaDecoder, MediaInfo } from "./decoded-media.ts";
export { createMediaDecoder, type MediaDecoderOptions } from "./media/create-media-decoder.ts";
export type {
  Recogniser,
  RecogniseOptions,
  Recognition,
  Segment,
  Transcriber,
  Transcription,
} from "./transcriber.ts";
export { WhisperError, type WhisperErrorCode } from "./whisper-error.ts";

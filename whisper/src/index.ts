export { createTranscriber, type TranscriberOptions } from "./create-transcriber.ts";
export type { DecodedMedia, MediaDecoder } from "./decoded-media.ts";
export {
  embeddedHeads,
  embeddedModelDirectory,
  embeddedModelErrors,
  embeddedModelName,
  embeddedModelQuality,
  unreliableLanguages,
} from "./embedded-model.ts";
export {
  createEmbeddedRecognizer,
  type EmbeddedRecognizer,
  type EmbeddedRecognizerOptions,
} from "./embedded-recognizer.ts";
export {
  childProgram,
  commandLimiter,
  findExecutable,
  isExecutable,
  keepParent,
  lowerPriority,
  watchMemory,
} from "./media/child-limits.ts";
export { audioCodecs, demuxers } from "./media/ffmpeg-arguments.ts";
export { FfmpegReport } from "./media/ffmpeg-report.ts";
export { type Container, inspectFile, sniffContainer } from "./media/inspect-file.ts";
export { superviseChild, type SupervisedChild } from "./media/supervise-child.ts";
export { watchLife } from "./watch-life.ts";
export { createMediaDecoder, type MediaDecoderOptions } from "./media/create-media-decoder.ts";
export { addModel, type AddedModel } from "./model/add-model.ts";
export { findModel, type InstalledModel, listModels } from "./model/installed-models.ts";
export { type KnownModel, knownModels } from "./model/known-models.ts";
export { choiceFile, chooseModel, type ModelChoice, readModelChoice } from "./model/model-choice.ts";
export { type DownloadProgress, locateModel, type LocateModelOptions } from "./model/locate-model.ts";
export { listOwnHeads, type OwnHead } from "./model/own-heads.ts";
export type { SpokenClip } from "./model/clip-states.ts";
export { trainHead } from "./model/train-head-when-asked.ts";
export type { TrainedHead, TrainHeadOptions } from "./model/train-head.ts";
export { leastRecordings, type ModelQuality, qualityOfErrors, type ReadingErrors } from "./model-quality.ts";
export { createOpenAiRecognizer, type OpenAiRecognizerOptions } from "./openai/create-openai-recognizer.ts";
export { recognizerRevision } from "./recognizer-revision.ts";
export type {
  FinishedLanguage,
  FinishedWindows,
  Gap,
  GapReason,
  HeardPassage,
  HeardWindowReport,
  Recognizer,
  RecognizeOptions,
  Recognition,
  Segment,
  Silence,
  Transcriber,
  Transcription,
  Word,
} from "./transcriber.ts";
export { WhisperError, type WhisperErrorCode } from "./whisper-error.ts";
export { sumOfErrors, type TextErrors, textErrorsOf } from "./word-errors.ts";

import type {
  FinishedWindows,
  HandOver,
  HeardDraft,
  HeardPassage,
  HeardWindowReport,
  Recognition,
} from "./transcriber.ts";
import type { WhisperErrorCode } from "./whisper-error.ts";

/** Messages to the recognizer's child process. Samples are 16 kHz mono. */
export type RecognizerRequest =
  | {
      readonly type: "load";
      readonly modelDirectory: string;
      readonly languageModels: Readonly<Record<string, string>>;
      readonly heads: Readonly<Record<string, string>>;
      readonly unreliable: readonly string[];
      readonly elsewhere: readonly string[];
      readonly voiceDetector: string;
      readonly threads: number;
      readonly beam: number;
    }
  | {
      readonly type: "begin";
      readonly job: number;
      readonly task: "transcribe" | "translate";
      readonly language: string | undefined;
      readonly spellings: readonly string[];
      readonly resume: FinishedWindows | undefined;
    }
  | { readonly type: "samples"; readonly job: number; readonly samples: Float32Array }
  | { readonly type: "end"; readonly job: number }
  | { readonly type: "abort"; readonly job: number };

/** Messages from the child. */
export type RecognizerAnswer =
  /** Sent once a second. `modelRuns`: how many computations the models have finished since the process began. */
  | { readonly type: "alive"; readonly modelRuns: number }
  | { readonly type: "loaded" }
  | { readonly type: "notLoaded"; readonly failure: RecognizerFailure }
  /** `seconds` of the recording are done. */
  | { readonly type: "progress"; readonly job: number; readonly seconds: number }
  | { readonly type: "passage"; readonly job: number; readonly passage: HeardPassage }
  | { readonly type: "draft"; readonly job: number; readonly draft: HeardDraft | undefined }
  | { readonly type: "window"; readonly job: number; readonly window: HeardWindowReport }
  | { readonly type: "finished"; readonly job: number; readonly finished: FinishedWindows }
  | { readonly type: "done"; readonly job: number; readonly recognition: Recognition }
  | { readonly type: "handOver"; readonly job: number; readonly detection: HandOver["detection"] }
  | { readonly type: "failed"; readonly job: number; readonly failure: RecognizerFailure };

export interface RecognizerFailure {
  readonly code: WhisperErrorCode;
  readonly message: string;
  readonly language: string | undefined;
  readonly model: string | undefined;
}

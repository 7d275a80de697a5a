import type { Claim, Failure, TranscriptionOrigin, TranscriptionOutcome } from "./transcriptions.ts";
import type { Translation } from "./transcripts.ts";

/** A translation that is there, is being made, failed when it was last tried, or that nobody asked for. */
export type TranslationState =
  | { readonly state: "done"; readonly translation: Translation }
  | { readonly state: "inProgress"; /** If it is the account's. */ readonly transcriptionId?: string }
  | { readonly state: "failed"; readonly failure: Failure }
  | { readonly state: "none" };

/** A script as it can be translated. */
export interface TranslatedScript {
  /** That of the transcript. */
  readonly language: string;
  /** False for a file whose bytes are gone. */
  readonly hasMedia: boolean;
  readonly translation: TranslationState;
}

export interface TranslationRequest {
  readonly accountId: string;
  readonly scriptId: string;
  /** That of the recognizer: what an older one couldn't translate is tried again. */
  readonly revision: number;
  /** A file of the account's whose bytes are there although it isn't kept. */
  readonly fileId?: string | undefined;
  readonly queueLimit: number;
  readonly queueLimitPerAccount: number;
  readonly now: Date;
  readonly origin?: TranscriptionOrigin | undefined;
}

export type TranslationStart =
  | { readonly kind: "noScript" }
  /** It is the script of a file whose bytes are gone. */
  | { readonly kind: "noMedia" }
  | { readonly kind: "done" }
  | Extract<TranscriptionOutcome, { readonly kind: "inProgress" | "queueFull" | "accountQueueFull" }>
  | { readonly kind: "started"; readonly transcriptionId: string };

/**
 * English translations, one of each transcript: whoever has the transcript has it too. Each is made by a transcription of its own,
 * which holds no unit.
 */
export interface Translations {
  /** `undefined` if the account has no such script. `revision` is that of the recognizer. */
  find(accountId: string, scriptId: string, revision: number): Promise<TranslatedScript | undefined>;
  /** The translations of those among the scripts that have one, by the script's id. */
  list(accountId: string, scriptIds: readonly string[]): Promise<ReadonlyMap<string, Translation>>;
  /** Like `list`, without times. */
  texts(accountId: string, scriptIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Notes that a running transcription of the account is to be translated as soon as it is done. False if it has ended, or isn't
   * the account's.
   */
  wish(accountId: string, transcriptionId: string): Promise<boolean>;
  /**
   * Puts the reel or the file of a script into the queue to be translated. Of any number of concurrent calls for one transcript
   * exactly one starts.
   */
  request(request: TranslationRequest): Promise<TranslationStart>;
  /** Stores the translation of a claimed transcript. False, and nothing is written, if the lease was lost. */
  complete(claim: Claim, translation: Translation, now: Date): Promise<boolean>;
}

import type { CallError } from "@reelscript/client/core";
import type { Transcription } from "@reelscript/contract";

/** What went wrong; plain, so that it can be kept. */
export type Trouble = Pick<CallError, "code" | "reason" | "status" | "message">;

type Interim = NonNullable<Transcription["interim"]>;

export type JobState =
  | { readonly kind: "waiting" }
  | { readonly kind: "asking" }
  | {
      readonly kind: "following";
      readonly status: "queued" | "running";
      readonly progress: number;
      readonly waitsForPlatform?: boolean;
      /** Milliseconds: when listening was first seen and how far it was, and when it should end, which is never put off. */
      readonly listening?: { readonly since: number; readonly from: number; readonly until?: number | undefined };
      /** What is recognized so far. Not kept over a reload. */
      readonly passages?: Interim["passages"];
      /** What follows them, unchecked. */
      readonly draft?: Interim["draft"];
    }
  /** Goes on by itself at `until` (milliseconds). */
  | { readonly kind: "pausing"; readonly until: number; readonly trouble: Trouble }
  | {
      readonly kind: "done";
      readonly cached: boolean;
      readonly language: string;
      /** Not kept over a reload; the script has it. */
      readonly transcript?: string;
      readonly scriptId?: string;
    }
  | { readonly kind: "failed"; readonly trouble: Trouble };

/** One reel to transcribe. */
export interface Job {
  /** In the order of asking. */
  readonly number: number;
  readonly url: string;
  readonly languageHint?: string;
  /** Once the service works on it. */
  readonly transcriptionId?: string;
  /** How often it was asked for. */
  readonly attempts: number;
  readonly state: JobState;
}

export const isFinished = ({ state }: Job): boolean => state.kind === "done" || state.kind === "failed";
export const isActive = ({ state }: Job): boolean => state.kind === "asking" || state.kind === "following";

import type { VideoStyleName } from "@reelscript/contract";
import type { Failure } from "./transcriptions.ts";

/** A subtitled video of a script's file, without its bytes. */
export interface StoredVideo {
  readonly id: string;
  readonly accountId: string;
  readonly scriptId: string;
  readonly style: VideoStyleName;
  readonly state: "queued" | "running" | "done" | "failed";
  /** From 0 to 1. */
  readonly progress: number;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  readonly failure: Failure | null;
  /** No font had some of its letters. */
  readonly lacksLetters: boolean;
  /** Bytes of the finished video. */
  readonly size: number | null;
  readonly keptUntil: Date | null;
  readonly deletedAt: Date | null;
  readonly deletedBytes: number | null;
}

interface NewVideo {
  readonly accountId: string;
  readonly fileId: string;
  readonly scriptId: string;
  readonly style: VideoStyleName;
  /** The file with subtitles for the renderer. */
  readonly subtitles: string;
  /** Length of the audio. */
  readonly seconds: number;
  readonly now: Date;
}

/** A video that a worker makes. `attempt` fences: a worker that lost its lease can't write any more. */
export interface VideoClaim {
  readonly videoId: string;
  readonly attempt: number;
  readonly accountId: string;
  readonly fileId: string;
  readonly subtitles: string;
  readonly seconds: number;
  /** True if it may be begun once more after this attempt. */
  readonly mayRetry: boolean;
}

/** A finished video whose bytes can be read. */
export interface KeptVideo {
  readonly id: string;
  readonly scriptId: string;
  readonly style: VideoStyleName;
  readonly size: number;
}

/** Bytes of each part of a video but the last. */
export const videoPartBytes = 1_048_576;

/** How often a video is begun at most. */
export const mostVideoTries = 3;

/**
 * Subtitled videos, and the line in which they wait to be made, apart from that of transcriptions. Nobody but their account finds
 * them.
 */
export interface Videos {
  /**
   * Puts a video in the line, and replaces an earlier one of the script in that style. Returns the one that is waiting or being
   * made instead, if there is one. `tooMany` when the account has as many as it may, `full` when all together have as many bytes.
   * No account passes its bound, however many calls come at once.
   */
  begin(
    video: NewVideo,
    bounds: { readonly mostOfAccount: number; readonly mostBytes: number },
  ): Promise<
    { readonly kind: "begun"; readonly video: StoredVideo } | { readonly kind: "tooMany" } | { readonly kind: "full" }
  >;
  find(accountId: string, videoId: string): Promise<StoredVideo | undefined>;
  /** Those of a script, the newest first, at most 100. `undefined` if the account has no such script. */
  listOfScript(accountId: string, scriptId: string): Promise<readonly StoredVideo[] | undefined>;
  /** The newest first, at most 1,000. */
  list(accountId: string): Promise<readonly StoredVideo[]>;
  /** Ends its making, or deletes its bytes. `undefined` if the account has no such video. */
  delete(accountId: string, videoId: string, failure: Failure, now: Date): Promise<StoredVideo | undefined>;
  /** True if a worker that can make videos reported itself within the last minute. */
  hasMaker(now: Date): Promise<boolean>;
  /** Files that are done and whose video isn't begun yet, with the style that was asked for. */
  due(limit: number): Promise<
    readonly {
      readonly fileId: string;
      readonly accountId: string;
      readonly scriptId: string;
      readonly style: VideoStyleName;
    }[]
  >;
  /** From then on the file isn't due. */
  noteBegun(fileId: string): Promise<void>;

  /**
   * Claims the video whose account was served longest ago, or one whose lease expired. Each is given to one worker, and an account
   * has one made at a time.
   */
  claim(worker: string, leaseSeconds: number, now: Date): Promise<VideoClaim | undefined>;
  /** False if the lease was lost. */
  extend(claim: VideoClaim, progress: number, leaseSeconds: number, now: Date): Promise<boolean>;
  /** Puts it back; it isn't claimed before `resumeAt`. With `isSetback`, the attempt doesn't count. */
  release(claim: VideoClaim, released: { readonly isSetback: boolean; readonly resumeAt: Date }): Promise<boolean>;
  /** Stores a part by its number from 0. False if the lease was lost. Throws `unavailable` when it can't be stored. */
  append(claim: VideoClaim, number: number, bytes: Uint8Array): Promise<boolean>;
  /** Ends it with its parts. It is kept as long as its file. False if the lease was lost. */
  complete(
    claim: VideoClaim,
    done: { readonly size: number; readonly lacksLetters: boolean; readonly now: Date },
  ): Promise<boolean>;
  /** False if the lease was lost. */
  fail(claim: VideoClaim, failure: Failure, now: Date): Promise<boolean>;
  /** Fails videos whose worker died and that have no try left. */
  reap(failure: Failure, now: Date): Promise<void>;

  findKept(accountId: string, videoId: string): Promise<KeptVideo | undefined>;
  /** A part of a finished video. Throws `SentMediaAway` when it can't be read now. */
  readPart(videoId: string, number: number): Promise<Uint8Array | undefined>;
}

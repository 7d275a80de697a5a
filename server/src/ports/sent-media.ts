import { ServiceError } from "@reelscript/contract";
import type { TranscriptionOutcome, TranscriptionRequest } from "./transcriptions.ts";

/**
 * Media that people sent from their browsers, kept until their transcription ends, however it ends. The transcript belongs
 * to the account alone, and isn't shared.
 */
export interface SentMedia {
  /**
   * Makes room for media that will arrive. `busy` when others of this account are arriving; `full` when the account, or
   * all together, have as many bytes waiting as they may; `spent` when the account sent as many in an hour as it may;
   * `noRoom` when the disk would have too few left, if that can be read. Deletes expired media first.
   */
  begin(begun: {
    readonly accountId: string;
    readonly mostBytesOfAccount: number;
    readonly mostBytes: number;
    readonly mostBytesPerHour: number;
    readonly leastFreeBytes: number;
    readonly expiresAt: Date;
    readonly now: Date;
  }): Promise<
    | { readonly kind: "begun"; readonly mediaId: string }
    | { readonly kind: "busy" }
    | { readonly kind: "full" }
    | { readonly kind: "noRoom" }
    /** Seconds until the hour is over. */
    | { readonly kind: "spent"; readonly retryAfter: number }
  >;
  /** Adds to what the account sent in this hour. */
  count(accountId: string, bytes: number, now: Date): Promise<void>;
  /** The next bytes, in order from 0. Throws when the media are gone, and `unavailable` when they can't be stored. */
  append(mediaId: string, number: number, bytes: Uint8Array, expiresAt: Date): Promise<void>;
  /** Like `Transcriptions.request`, for media that have arrived; from then on they belong to the transcription. */
  request(mediaId: string, request: TranscriptionRequest): Promise<TranscriptionOutcome>;
  /** Forgets media that no transcription has, and gives their room back. */
  drop(mediaId: string): Promise<void>;
  /**
   * A piece of a running transcription's media, by its number from 0; `undefined` behind the last one. Throws
   * `SentMediaAway` when it can't be read now.
   */
  readPart(transcriptionId: string, number: number): Promise<Uint8Array | undefined>;
}

/** The storage that has the media is away, or doesn't return what was stored. */
export class SentMediaAway extends ServiceError {
  constructor(cause: unknown) {
    super(
      "unavailable",
      "We can't read the media that you sent. You weren't charged. Send the reel again in a minute.",
      {
        retryAfter: 60,
        cause,
      },
    );
  }
}

import type { Reel } from "@reelscript/contract";

/** A reel, whatever the shape of its URL was. */
export interface ReelAddress {
  readonly platform: string;
  readonly mediaId: string;
  readonly shortcode: string;
  /** Canonical. */
  readonly url: string;
}

export type ReelIdentity = Pick<ReelAddress, "platform" | "mediaId">;

/** What a source knows about a reel at the moment of asking. */
export type ReelDetails = Omit<Reel, "resolvedAt">;

/** Finds out which reel a URL names. */
export interface ReelLocator {
  /**
   * Every shape of a reel's URL gives the same address. Only share links cost a request.
   * Throws `ServiceError`: `invalidRequest` when it names no reel, `notFound`, `upstreamError`.
   */
  locate(url: string, signal: AbortSignal): Promise<ReelAddress>;
  /** The same without a request: undefined for what names no reel, and for share links. */
  read(url: string): ReelAddress | undefined;
}

/**
 * Gets public reels from a platform. Throws `ServiceError`: `notFound` (private, deleted, age-gated), `upstreamError`
 * (walled, changed, unreachable), `invalidRequest` 422 (no video, over the size limit).
 */
export interface ReelSource {
  resolve(reel: ReelAddress, signal: AbortSignal): Promise<ReelDetails>;
  /** Writes the media into `file`, which the caller made and removes, and returns the details read on the way. */
  fetch(reel: ReelAddress, file: string, signal: AbortSignal, contact?: PlatformContact): Promise<ReelDetails>;
}

/** Follows whether the platform answers. */
export interface PlatformContact {
  /** Called whenever something has come. */
  onAnswer(): void;
  /**
   * Called again and again while nothing has come for a few seconds, and when the platform could not be reached at all: from
   * another machine it may answer. Says whether to wait no longer.
   */
  onSilence(): boolean;
  /** Called when waiting for a turn to ask the platform begins and ends: nobody is silent meanwhile. */
  readonly onWait?: ((waits: boolean) => void) | undefined;
}

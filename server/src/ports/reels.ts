import type { Reel } from "@reelscript/contract";

/** Identifies a reel. */
export interface ReelIdentity {
  readonly platform: string;
  readonly mediaId: string;
}

/** A reel, whatever form its URL had. */
export interface ReelAddress extends ReelIdentity {
  readonly shortcode: string;
  /** Canonical. */
  readonly url: string;
}

/** A reel's details as a source gives them now. */
export type ReelDetails = Omit<Reel, "resolvedAt">;

/** The account for which a request to a platform waits. */
export interface Asker {
  /** Accounts take turns. */
  readonly accountId: string;
  /** Called before the platform is asked; the caller gets what it throws. */
  beforeAsking(): Promise<void>;
}

/** Finds out which reel a URL names. */
export interface ReelLocator {
  /** The address of a reel on each platform that the server is set up to fetch from, with `{code}` for its code. */
  readonly examples: readonly string[];
  /**
   * Every form of a reel's URL gives the same address. Only share links cost a request. Throws `ServiceError`: `invalidRequest`
   * if it names no reel, `notFound`, `upstreamError`.
   */
  locate(url: string, signal: AbortSignal, asker?: Asker): Promise<ReelAddress>;
  /** Like `locate`, without a request: undefined for share links and for URLs that don't name a reel. */
  read(url: string): ReelAddress | undefined;
}

/**
 * Gets public reels from a platform. Throws `ServiceError`: `notFound` (private, deleted, age-gated), `upstreamError`
 * (walled, changed, unreachable), `invalidRequest` 422 (no video, over the size limit).
 */
export interface ReelSource {
  /** Accounts take turns at the platform; the operator's requests belong to none. */
  resolve(reel: ReelAddress, signal: AbortSignal, accountId?: string): Promise<ReelDetails>;
  /** Writes the media to `file`, which the caller created and removes, and returns the details that were read on the way. */
  fetch(reel: ReelAddress, file: string, signal: AbortSignal, contact?: PlatformContact): Promise<ReelDetails>;
}

/** Watches whether the platform answers. */
export interface PlatformContact {
  /** Called at every sign of life. */
  onAnswer(): void;
  /**
   * Called repeatedly while nothing has come for a few seconds, and when the platform could not be reached at all: another
   * machine may get an answer. Returns whether to stop waiting.
   */
  onSilence(): boolean;
  /** Called when waiting for a turn at the platform begins and ends, because that wait doesn't count as silence. */
  readonly onWait?: ((isWaiting: boolean) => void) | undefined;
  /**
   * Called when no address of ours may ask the platform now: all rest after a wall, or their proxies open no tunnel. That isn't
   * an answer about the reel. `isRefused` is true if this request itself met the wall.
   */
  readonly onRest?: ((isRefused: boolean) => void) | undefined;
}

/** A public reel that is requested repeatedly, so that an operator learns which routes to the platform work. */
export interface Canary {
  readonly ways: readonly string[];
  /**
   * Returns the outcome of one route: data, shell, wall, gone, gated, changed, unreachable, broken, or busy if no address had a
   * turn for it. Throws the signal's reason.
   */
  ask(way: string, signal: AbortSignal): Promise<string>;
}

/** In pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** A small picture: WebP without metadata. */
export interface Picture extends PictureSize {
  readonly bytes: Uint8Array;
}

/** Gets pictures of reels from their platforms. */
export interface PictureSource {
  /**
   * Downloads the picture at `url` and redraws it at most 640 pixels wide and high. Asks only the platform's own hosts.
   * Throws when it can't be fetched or isn't a picture; the error is for the log.
   */
  fetch(platform: string, url: string): Promise<Picture>;
}

/** One picture of each resolved reel; it never changes. */
export interface Thumbnails {
  find(reel: ReelIdentity): Promise<PictureSize | undefined>;
  read(reel: ReelIdentity): Promise<Picture | undefined>;
  /** A reel keeps its first picture; returns the size of the stored one. */
  keep(reel: ReelIdentity, picture: Picture, now: Date): Promise<PictureSize>;
}

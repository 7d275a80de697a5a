/** A reel as the platform's own page loaded it. `null` is what the page did not show. */
export interface SeenReel {
  readonly code: string;
  /** Of the account that posted it, in lower case. */
  readonly handle: string | null;
  readonly caption: string | null;
  readonly views: number | null;
  readonly likes: number | null;
  readonly comments: number | null;
  /** Seconds since 1970. */
  readonly takenAt: number | null;
  /** As `takenAt`, read off the id: up to some hours before it. */
  readonly mintedAt: number | null;
  readonly seconds: number | null;
  /** Where the video is, for as long as the platform's link holds. */
  readonly videoUrl: string | null;
}

/** What both know: pages load a reel in several pieces, and the newer count is the truer one. */
export const mergeReels = (older: SeenReel | undefined, newer: SeenReel): SeenReel => ({
  code: newer.code,
  handle: newer.handle ?? older?.handle ?? null,
  caption: newer.caption ?? older?.caption ?? null,
  views: newer.views ?? older?.views ?? null,
  likes: newer.likes ?? older?.likes ?? null,
  comments: newer.comments ?? older?.comments ?? null,
  takenAt: newer.takenAt ?? older?.takenAt ?? null,
  mintedAt: newer.mintedAt ?? older?.mintedAt ?? null,
  seconds: newer.seconds ?? older?.seconds ?? null,
  videoUrl: newer.videoUrl ?? older?.videoUrl ?? null,
});

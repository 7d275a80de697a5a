/** Maximum counts and lengths of a bio page; those of texts in visible characters. */
export const bioLimits = {
  displayName: 60,
  bio: 300,
  links: 100,
  linkTitle: 80,
  url: 2_048,
  socialHandle: 64,
  seoTitle: 60,
  seoDescription: 160,
  contentBytes: 65_536,
  /** Limit of an image that is uploaded or fetched. */
  imageBytes: 15_000_000,
  imageMegapixels: 40,
  /** Images stored per account, including those that were unused for up to 30 days. */
  images: 300,
  /** Images of other sites in one change. */
  fetchedImages: 12,
};

export const bioHandleLimits = {
  shortest: 3,
  longest: 30,
  /** How long a former handle redirects to the page's new one, and only its account can take it back. */
  keptDays: 90,
  /** Former handles reserved per account. */
  kept: 5,
};

/** Limits of a correction and of the resulting text. */
export const correctionLimits = { characters: 100_000, segments: 10_000 } as const;

/** Visible characters of the title that a person gives a report, to share or print it. */
export const longestReportTitle = 120;

/** Maximum of scripts that are deleted, restored or tagged together. */
export const mostDeleted = 500;

/** Maximum of ids in a call of the tool that tags scripts. */
export const mostTagged = 200;

/** Maximum of matches that a search may have to be tagged together. */
export const mostTaggedBySearch = 1_000;

/** Days for which a deleted script can be restored. */
export const restorableDays = 30;

/** Number of scripts above which the dashboard asks before it deletes them. */
export const deletedWithoutAsking = 10;

export const tagLimits = {
  /** Maximum of different tags on an account's scripts, including deleted ones. */
  perAccount: 20,
  /** Visible characters of a name. */
  longest: 40,
} as const;

/** `longestName`: visible characters. */
export const savedSearchLimits = { perAccount: 20, longestName: 60 } as const;

/** Minutes for which the address of an export works. */
export const exportMinutes = 10;

/** Maximum of links in a batch. */
export const mostBatchLinks = 100;

/** Maximum of open batches per account. */
export const mostOpenBatches = 10;

/** Days for which a batch is kept after it was sent. */
export const batchDays = 30;

export const fileLimits = {
  /** Seconds of audio for which one transcription is used. */
  secondsOfUnit: 900,
  /** Visible characters. */
  longestTitle: 200,
  mostKeepDays: 30,
  /** Files of an account that are received or transcribed at a time, and that a batch may have. */
  openAtATime: 20,
  /** Those of them that are in the queue. The database's function `start_transcription_2` has the same number. */
  inQueue: 4,
  /** Hours for which an upload can be continued. */
  uploadHours: 24,
} as const;

export const videoLimits = {
  /** Seconds of the longest subtitled video. */
  longestSeconds: 600,
  /** Bytes of the largest subtitled video. */
  mostBytes: 500_000_000,
  /** Videos of an account that are queued, being made or kept. */
  perAccount: 10,
  /** Days for which a file is kept if a subtitled video was asked for with it. */
  keepDays: 7,
} as const;

/** Content types of a reel's media that a browser may send. */
export const reelMediaTypes = [
  "video/mp4",
  "video/webm",
  "audio/mp4",
  "audio/webm",
  "audio/mpeg",
  "audio/ogg",
  "application/octet-stream",
] as const;

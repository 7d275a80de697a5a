/** Counts and lengths that a bio page keeps to. */
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
  /** Images that are kept of one account, the unused ones of the last 30 days among them. */
  images: 300,
  /** Images of other sites that one change may name. */
  fetchedImages: 12,
};

export const bioHandleLimits = {
  shortest: 3,
  longest: 30,
  /** A handle that was given up redirects this long to the page's new one, and only its account can take it back. */
  keptDays: 90,
  /** Former handles that can be kept for one account. */
  kept: 5,
};

/** Limits of a correction and of the text that it leads to. */
export const correctionLimits = { characters: 100_000, segments: 10_000 } as const;

/** Characters of the title that a person gives a report, to share or print it. */
export const longestReportTitle = 120;

/** Scripts that are deleted, restored or tagged together at most. */
export const mostDeleted = 500;

/** Days for which a deleted script can be restored. */
export const restorableDays = 30;

/** Scripts above which the dashboard asks before it deletes them. */
export const deletedWithoutAsking = 10;

export const tagLimits = {
  /** Different names that the scripts of an account have, deleted ones among them. */
  perAccount: 20,
  /** UTF-16 units of a name. */
  longest: 40,
} as const;

export const savedSearchLimits = { perAccount: 20, longestName: 60 } as const;

/** Minutes for which the address of an export can be opened. */
export const exportMinutes = 10;

/** Links of a batch at most. */
export const mostBatchLinks = 100;

/** Batches of an account that may be open at a time. */
export const mostOpenBatches = 10;

/** Days for which a batch is kept from the moment it was sent. */
export const batchDays = 30;

/** Content types that a browser may send the media of a reel as. */
export const reelMediaTypes = [
  "video/mp4",
  "video/webm",
  "audio/mp4",
  "audio/webm",
  "audio/mpeg",
  "audio/ogg",
  "application/octet-stream",
] as const;

/**
 * The largest media of a worker, as sources count them: a file of an account's own may be larger than a reel, but nobody writes it
 * twice.
 */
export const largestMediaBytes = (limits: { readonly maxMediaBytes: number; readonly maxFileBytes: number }): number =>
  Math.max(limits.maxMediaBytes, limits.maxFileBytes / 2);

/** Bytes of disk that a worker needs: a source may write a file of its own before it returns the media. */
export const roomOfTranscriptions = (maxMediaBytes: number): number => 2 * maxMediaBytes;

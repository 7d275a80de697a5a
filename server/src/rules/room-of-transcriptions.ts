/** Bytes of disk that a worker needs for reels: a source may write a file of its own before it returns the media. */
export const roomOfReels = (maxMediaBytes: number): number => 2 * maxMediaBytes;

/** Bytes that it needs for files too, which nobody writes twice. */
export const roomOfFiles = (limits: { readonly maxMediaBytes: number; readonly maxFileBytes: number }): number =>
  Math.max(roomOfReels(limits.maxMediaBytes), limits.maxFileBytes);

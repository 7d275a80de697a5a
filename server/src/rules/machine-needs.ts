/** Bytes of disk that a worker needs for reels: a source may write a file of its own before it returns the media. */
export const roomOfReels = (maxMediaBytes: number): number => 2 * maxMediaBytes;

/** Bytes of disk that it needs for files of accounts' own too, which are written only once. */
export const roomOfFiles = (limits: { readonly maxMediaBytes: number; readonly maxFileBytes: number }): number =>
  Math.max(roomOfReels(limits.maxMediaBytes), limits.maxFileBytes);

/** Advice for operators on whose machines no videos can be made. */
export const videoAdvice =
  "Subtitled videos need ffmpeg with libass and libx264, and fonts, on the machines that transcribe. On Debian or Ubuntu: apt-get install ffmpeg fonts-noto-core. Then restart the service.";

import { audioCodecs, demuxers, type Container } from "@reelscript/whisper";
import { videoLimits } from "@reelscript/contract";

/** Decoders that may open in addition to those of sound: what phones, cameras and editors write. */
const videoCodecs = "h264,hevc,vp8,libvpx,vp9,libvpx-vp9,av1,libdav1d,mpeg4,prores";

/** Four times as many as a picture of 4K has. */
const mostPixels = 36_000_000;
const fastest = 60;
const threads = "2";

/** Codecs of sound that every player of MP4 knows; others become AAC. */
const copied: ReadonlySet<string> = new Set(["aac", "mp3"]);

const inputOf = (container: Container, media: string): readonly (readonly string[])[] => [
  ["-nostdin", "-hide_banner", "-y"],
  ["-loglevel", "level+info"],
  ["-max_alloc", String(256 * 1024 ** 2)],
  ["-max_pixels", String(mostPixels)],
  ["-threads", threads],
  ["-protocol_whitelist", "file"],
  ["-codec_whitelist", `${audioCodecs},${videoCodecs}`],
  ["-f", demuxers[container]],
  ["-i", `file:${media}`],
];

/** Only prints what the container says of its streams. */
export const describeArguments = (container: Container, media: string): string[] => inputOf(container, media).flat();

/** The picture fits into the upright one, whatever the shape of its pixels, and black fills the rest. */
const filters = (subtitles: string): string =>
  [
    `fps=fps=min(source_fps\\,${fastest})`,
    // Zero would mean the size of the file's picture.
    "scale=w=max(2\\,trunc(min(1080\\,1920*dar)/2)*2):h=max(2\\,trunc(min(1920\\,1080/dar)/2)*2):flags=bicubic",
    "setsar=1",
    "pad=1080:1920:(ow-iw)/2:(oh-ih)/2:black",
    "format=yuv420p",
    `ass=filename=${subtitles}:shaping=complex`,
  ].join(",");

/** The names are those of files in the folder in which the program starts, and have letters and dots only. */
export const renderArguments = (job: {
  readonly container: Container;
  readonly media: string;
  readonly subtitles: string;
  readonly output: string;
  /** Number of the track of sound in the file, and its codec; `undefined` without sound. */
  readonly sound: { readonly stream: number; readonly codec: string } | undefined;
}): string[] =>
  [
    ["-nostats", "-progress", "pipe:1"],
    ...inputOf(job.container, job.media),
    // Not a picture of a cover.
    ["-map", "0:V:0"],
    ...(job.sound === undefined ? [] : [["-map", `0:${job.sound.stream}`]]),
    ["-sn", "-dn", "-map_metadata", "-1", "-map_chapters", "-1"],
    ["-t", String(videoLimits.longestSeconds + 1)],
    ["-filter_threads", threads, "-vf", filters(job.subtitles)],
    ["-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-maxrate", "6M", "-bufsize", "12M"],
    ["-profile:v", "high", "-pix_fmt", "yuv420p", "-threads", threads],
    job.sound !== undefined && copied.has(job.sound.codec)
      ? ["-c:a", "copy"]
      : ["-c:a", "aac", "-b:a", "160k", "-ac", "2"],
    ["-movflags", "+faststart", "-f", "mp4"],
    [`file:${job.output}`],
  ].flat();

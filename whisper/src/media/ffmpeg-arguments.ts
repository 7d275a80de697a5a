import type { Container } from "./inspect-file.ts";

export const sampleRate = 16_000;

/** The demuxer that is forced on each container. */
export const demuxers: Record<Container, string> = {
  isobmff: "mov",
  ebml: "matroska",
  mp3: "mp3",
  ogg: "ogg",
  wav: "wav",
  flac: "flac",
};

/** Decoders that may open. Video is not among them, so no video decoder sees a byte of what is transcribed, not even while probing. */
export const audioCodecs = [
  "aac,aac_fixed,aac_latm,libfdk_aac,mp3,mp3float,mp2,mp2float,mp1,mp1float,ac3,eac3,opus,libopus,vorbis,libvorbis",
  "flac,alac,amrnb,amrwb,pcm_u8,pcm_s8,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be",
  "pcm_f32le,pcm_f32be,pcm_f64le,pcm_f64be,pcm_alaw,pcm_mulaw,adpcm_ms,adpcm_ima_wav,adpcm_ima_qt",
].join(",");

/** Layouts of one to eight channels, by names that old versions of ffmpeg know. Others are mixed into one of these. */
const channelLayouts = "mono|stereo|2.1|3.0|4.0|quad|5.0|5.1|6.1|7.1";

/** Arguments for both the system's and the embedded ffmpeg: one audio track as 16 kHz float32 in Matroska, with its times. */
export function ffmpegArguments(job: {
  readonly container: Container;
  readonly input: string;
  readonly output: string;
  readonly cpuSeconds: number;
  /** Number of a stream in the file; the first audio track where it isn't given. */
  readonly stream?: number | undefined;
}): string[] {
  const options: readonly (readonly string[])[] = [
    ["-nostdin", "-hide_banner", "-nostats", "-y"],
    ["-loglevel", "level+info"],
    ["-timelimit", String(Math.ceil(job.cpuSeconds))],
    ["-max_alloc", String(256 * 1024 ** 2)],
    ["-threads", "1"],
    ["-protocol_whitelist", "file"],
    ["-codec_whitelist", audioCodecs],
    ["-f", demuxers[job.container]],
    ["-i", job.input],
    ["-map", job.stream === undefined ? "0:a:0" : `0:${job.stream}`],
    ["-vn", "-sn", "-dn"],
    ["-map_metadata", "-1"],
    ["-threads", "1"],
    ["-af", `aformat=channel_layouts=${channelLayouts}`],
    ["-ar", String(sampleRate)],
    ["-c:a", "pcm_f32le"],
    ["-f", "matroska"],
    [job.output],
  ];
  return options.flat();
}

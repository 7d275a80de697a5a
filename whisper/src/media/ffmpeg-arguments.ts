import type { Container } from "./inspect-file.ts";

export const sampleRate = 16_000;

const demuxers: Record<Container, string> = {
  isobmff: "mov",
  ebml: "matroska",
  mp3: "mp3",
  ogg: "ogg",
  wav: "wav",
  flac: "flac",
};

/** Decoders that may open. Video is not among them, so a video decoder never sees a byte, not even while probing. */
const audioCodecs = [
  "aac,aac_fixed,aac_latm,libfdk_aac,mp3,mp3float,mp2,mp2float,mp1,mp1float,ac3,eac3,opus,libopus,vorbis,libvorbis",
  "flac,alac,amrnb,amrwb,pcm_u8,pcm_s8,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be",
  "pcm_f32le,pcm_f32be,pcm_f64le,pcm_f64be,pcm_alaw,pcm_mulaw,adpcm_ms,adpcm_ima_wav,adpcm_ima_qt",
].join(",");

/** The same for the system's and the embedded ffmpeg: the first audio track as raw 16 kHz mono float32. */
export function ffmpegArguments(job: {
  readonly container: Container;
  readonly input: string;
  readonly output: string;
  readonly maxSeconds: number;
  readonly cpuSeconds: number;
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
    ["-map", "0:a:0"],
    ["-vn", "-sn", "-dn"],
    ["-map_metadata", "-1"],
    // A little more than is wanted, so that the reader of the samples sees whether any were left over.
    ["-t", (job.maxSeconds + 0.25).toFixed(3)],
    ["-threads", "1"],
    ["-ac", "1"],
    ["-ar", String(sampleRate)],
    ["-f", "f32le"],
    [job.output],
  ];
  return options.flat();
}

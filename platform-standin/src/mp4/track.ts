export interface Sample {
  bytes: Buffer;
  /** In units of the track's timescale. */
  duration: number;
}

/** A track whose every sample is a sync sample. */
export interface Track {
  handler: "vide" | "soun";
  timescale: number;
  /** The one entry of the sample description (`avc1`, `mp4a`, ...). */
  sampleEntry: Buffer;
  samples: readonly Sample[];
  width: number;
  height: number;
}

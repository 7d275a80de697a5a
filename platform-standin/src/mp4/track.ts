export interface Sample {
  readonly bytes: Buffer;
  /** In units of the track's timescale. */
  readonly duration: number;
}

/** A track whose every sample is a sync sample. */
export interface Track {
  readonly handler: "vide" | "soun";
  readonly timescale: number;
  /** The one entry of the sample description (`avc1`, `mp4a`, ...). */
  readonly sampleEntry: Buffer;
  readonly samples: readonly Sample[];
  /** The edit list (`edts`), which says when the track begins; or undefined. */
  readonly edits?: Buffer;
  readonly width: number;
  readonly height: number;
}

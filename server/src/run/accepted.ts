import type { Transcription } from "@reelscript/contract";

/** What a handler answers a caller who does not want to wait: how the work goes, as `respondAsync` of its operation tells. */
export class Accepted {
  readonly output: Transcription;

  constructor(output: Transcription) {
    this.output = output;
  }
}

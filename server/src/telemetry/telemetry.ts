import type { Traces } from "./traces.ts";
import type { Log } from "./create-log.ts";
import type { Metrics } from "./metrics.ts";

/** When the samples of a file were first wanted and when the last had come, as moments of `performance.now()`. */
export type Decodings = Map<string, { readonly wantedAt: number; readonly decodedAt: number }>;

/** How operators see inside: lines, figures and traces. Each is kept only where somebody wants it. */
export interface Telemetry {
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  readonly traces: Traces | undefined;
  /** Filled by the decoder and emptied by who had the file decoded. */
  readonly decodings: Decodings;
}

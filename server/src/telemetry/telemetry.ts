import type { Logger } from "pino";
import type { SpanContext } from "../ports.ts";
import type { Metrics } from "./metrics.ts";

export type Log = Pick<Logger, "debug" | "info" | "warn" | "error">;

/** The small part of OpenTelemetry that is used here, so that the library is loaded only if traces are collected. */
export interface Span {
  readonly context: SpanContext;
  set(attributes: Readonly<Record<string, string | number | boolean>>): void;
  /** A part of this one. */
  child(name: string, startedAt?: Date): Span;
  end(failed: boolean, at?: Date): void;
}

export interface Traces {
  /** `cause` is linked: the request that caused the work, which may run later in another process. */
  start(name: string, kind: "server" | "internal", cause?: SpanContext): Span;
  /** Sends the remaining spans, for at most a few seconds. */
  close(): Promise<void>;
}

/** When the samples of a file were first wanted and when the last had come, as moments of `performance.now()`. */
export type Decodings = Map<string, { readonly wantedAt: number; readonly decodedAt: number }>;

/** Logs, metrics and traces for operators. Each is collected only if it is turned on. */
export interface Telemetry {
  readonly log: Log;
  readonly metrics: Metrics | undefined;
  readonly traces: Traces | undefined;
  /** Filled by the decoder and emptied by who had the file decoded. */
  readonly decodings: Decodings;
}

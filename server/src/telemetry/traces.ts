/** The little of OpenTelemetry that is used here, so that the library is loaded only where traces are collected. */
export interface Span {
  set(attributes: Readonly<Record<string, string | number | boolean>>): void;
  /** A part of this one. */
  child(name: string, startedAt?: Date): Span;
  end(failed: boolean, at?: Date): void;
}

export interface Traces {
  start(name: string, kind: "server" | "internal"): Span;
  /** Sends what is left, for at most a few seconds. */
  close(): Promise<void>;
}

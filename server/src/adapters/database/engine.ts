import type { Pool } from "pg";
import type { Signals } from "./signals.ts";

/** What the two kinds of database differ in. */
export interface Engine {
  readonly kind: "embedded" | "server";
  readonly pool: Pool;
  readonly signals: Signals;
  /** Brings to the disk, within about a second, what was committed without waiting for it. */
  readonly flushSoon: () => void;
  close(): Promise<void>;
}

/** Where what happens in the background is told; by default it is not. */
export interface DatabaseLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

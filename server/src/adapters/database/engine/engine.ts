import type { Signals } from "./signals.ts";
import type { Database, Transaction } from "./statement.ts";

/** The embedded database and a server differ only in these. */
export interface Engine {
  readonly kind: "embedded" | "server";
  readonly pool: Database;
  /**
   * For leases, health and waiting callers: on a server a few connections of its own with short timeouts, so that these
   * never wait for what takes long.
   */
  readonly urgentPool: Database;
  readonly signals: Signals;
  /** A transaction that may take as long as it needs, such as bringing the tables up to date. */
  patiently<Result>(work: (inside: Transaction) => Promise<Result>): Promise<Result>;
  /** Brings to the disk, within about a second, what was committed without waiting for it. */
  readonly flushSoon: () => void;
  /** Free space on the database's disk; infinite if it can't be read. */
  readonly freeBytes: () => Promise<number>;
  close(): Promise<void>;
}

/** Receives what happens in the background; by default nothing does. */
export interface DatabaseLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** How many connections to a database server a process opens, and how long it waits for it. */
export interface ServerLimits {
  readonly connections: number;
  /** For a connection, new or freed by another call. */
  readonly connectSeconds: number;
  /** For a statement. The server cancels a longer one; when it doesn't answer at all, the connection is given up soon after. */
  readonly statementSeconds: number;
}

export const defaultServerLimits: ServerLimits = { connections: 10, connectSeconds: 5, statementSeconds: 20 };

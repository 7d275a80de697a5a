import type { Signals } from "./signals.ts";
import type { Database, Transaction } from "./statement.ts";

/** The embedded database and a server differ only in these members. */
export interface Engine {
  readonly kind: "embedded" | "server";
  readonly pool: Database;
  /**
   * For leases, health and waiting callers: on a server, a few separate connections with short timeouts, so that these never
   * wait for long work.
   */
  readonly urgentPool: Database;
  readonly signals: Signals;
  /** A transaction that may take as long as it needs, such as bringing the tables up to date. */
  patiently<Result>(work: (inside: Transaction) => Promise<Result>): Promise<Result>;
  /** Flushes commits that didn't wait for the disk, within about a second. */
  readonly flushSoon: () => void;
  /** Free space on the database's disk; infinite if it can't be read. */
  readonly freeBytes: () => Promise<number>;
  close(): Promise<void>;
}

/** Receives events of background work; by default nothing listens. */
export interface DatabaseLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** The number of connections to a database server that a process opens, and its timeouts. */
export interface ServerLimits {
  readonly connections: number;
  /** Seconds to wait for a new connection, or for one that another call releases. */
  readonly connectSeconds: number;
  /**
   * Seconds for a statement. The server cancels a longer one; if the server doesn't answer at all, the connection is closed
   * soon after.
   */
  readonly statementSeconds: number;
}

export const defaultServerLimits: ServerLimits = { connections: 10, connectSeconds: 5, statementSeconds: 20 };

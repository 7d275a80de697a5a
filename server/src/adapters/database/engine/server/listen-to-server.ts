import type pg from "pg";
import type { DatabaseLog } from "../engine.ts";
import { ImpatientClient } from "./server-pool.ts";

const firstRetryMilliseconds = 250;
const longestRetryMilliseconds = 15_000;

/**
 * Receives notifications on its own connection, which is reopened whenever it breaks. A silent connection could be dead, so it
 * is checked every `checkSeconds`. Returns a function that ends it.
 */
export function listenToServer(
  connection: pg.ClientConfig,
  {
    channel,
    checkSeconds,
    log,
    hear,
  }: {
    readonly channel: string;
    readonly checkSeconds: number;
    readonly log: DatabaseLog;
    readonly hear: (payload: string) => void;
  },
): () => Promise<void> {
  let stopped = false;
  let client: ImpatientClient | undefined;
  let next: NodeJS.Timeout | undefined;
  let wait = firstRetryMilliseconds;

  const connect = async () => {
    const connecting = new ImpatientClient({ ...connection, application_name: "reelscript listener" });
    client = connecting;
    let broken = false;
    const again = (error?: unknown) => {
      if (broken || stopped) return;
      broken = true;
      const reason = error instanceof Error ? error.message : undefined;
      log.warn({ error: reason, retryMilliseconds: wait }, "Not hearing from the database; trying again");
      connecting.end().catch(() => undefined);
      clearTimeout(next);
      next = setTimeout(() => void connect(), wait).unref();
      wait = Math.min(wait * 2, longestRetryMilliseconds);
    };
    const check = () => {
      next = setTimeout(() => {
        connecting.query("select 1").then(() => broken || stopped || check(), again);
      }, checkSeconds * 1_000).unref();
    };
    connecting.on("error", again);
    connecting.on("end", () => again());
    connecting.on("notification", ({ payload }) => hear(payload ?? ""));
    try {
      await connecting.connect();
      await connecting.query(`listen ${channel}`);
      wait = firstRetryMilliseconds;
      check();
    } catch (error) {
      again(error);
    }
  };
  void connect();

  return async () => {
    stopped = true;
    clearTimeout(next);
    await client?.end().catch(() => undefined);
  };
}

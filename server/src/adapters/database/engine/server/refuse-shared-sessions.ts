import type pg from "pg";
import { ImpatientClient } from "./server-pool.ts";

const rounds = 5;

/** Process numbers of two servers may be alike. */
const readSession = "select concat(pg_backend_pid(), ' ', pg_postmaster_start_time()) as session";

/**
 * Throws if the session behind a connection changes or also serves another connection: neither happens without a pooler or with
 * one in session mode, however busy it is. Each connection asks twice in a row, because a pooler that rotates its sessions
 * could otherwise give each connection a different one by chance. It sets nothing, because a setting would remain in others'
 * sessions.
 */
export async function refuseSharedSessions(setting: string, connection: pg.ClientConfig): Promise<void> {
  const clients = [new ImpatientClient(connection), new ImpatientClient(connection)];
  const seen = clients.map(() => new Set<string>());
  try {
    for (const client of clients) {
      client.on("error", () => undefined);
      await client.connect();
    }
    for (let round = 0; round < rounds; round += 1)
      for (const [index, client] of clients.entries())
        for (let time = 0; time < 2; time += 1) {
          const { rows } = await client.query<{ session: string }>(readSession);
          for (const { session } of rows) seen[index]?.add(session);
        }
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
  const isShared = new Set(seen.flatMap((sessions) => [...sessions])).size < clients.length;
  if (isShared || seen.some(({ size }) => size > 1))
    throw new Error(
      `The pooler at ${setting} shares sessions between connections, which loses locks, notifications and settings: set it to session mode (PgBouncer: pool_mode = session), or point ${setting} at the server itself.`,
    );
}

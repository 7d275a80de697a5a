import process from "node:process";

import { type AccountsBySize, accountsBySize, seedServerLibrary } from "./seed-server-library.ts";
import { onServer, startThrowawayPostgres } from "../processes/throwaway-postgres.ts";

/** Of all transcripts, in the one large library. */
const largestShare = 0.084;

/**
 * A database with `transcripts` in libraries of all sizes: on a server of its own in `folder`, or the one that DATABASE_URL
 * names, which is filled when it is empty and kept. Undefined where there is neither; throws when it holds anything else.
 */
export async function startLibraryServer({
  folder,
  transcripts,
}: {
  readonly folder: string;
  readonly transcripts: number;
}): Promise<LibraryServer | undefined> {
  const given = process.env.DATABASE_URL;
  const server = given ? { databaseUrl: given, stop: async () => undefined } : await startThrowawayPostgres(folder);
  if (!server) return undefined;
  const largest = Math.round(transcripts * largestShare);
  const { databaseUrl } = server;
  try {
    const accounts =
      (await filledBefore(databaseUrl, largest)) ?? (await seedServerLibrary({ databaseUrl, transcripts, largest }));
    return { databaseUrl, stop: () => server.stop(), largest, accounts };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

export interface LibraryServer {
  readonly databaseUrl: string;
  /** How many scripts the one large library has. */
  readonly largest: number;
  readonly accounts: AccountsBySize;
  stop(): Promise<void>;
}

const filledBefore = (databaseUrl: string, largest: number): Promise<AccountsBySize | undefined> =>
  onServer(databaseUrl, async (client) => {
    const { rows } = await client.query<{ made: boolean }>("select to_regclass('public.script') is not null as made");
    if (!rows[0]?.made) return undefined;
    const accounts = await accountsBySize(client, largest);
    const strangers = await client.query("select 1 from account where email <> 'bench@example.com' limit 1");
    if (accounts.get(largest)!.length === 0 || strangers.rowCount !== 0)
      throw new Error("DATABASE_URL names a database that this bench has not filled, or not with as many transcripts");
    return accounts;
  });

import process from "node:process";
import pg from "pg";
import { openStore } from "../../server/dist/adapters/database/open-store.js";
import { createNewId } from "../../server/dist/callers/api-key.js";
import { accountsBySize, seedServerLibrary } from "./seed-server-library.mjs";
import { startThrowawayPostgres } from "../processes/throwaway-postgres.mjs";

/** Of all transcripts, in the one large library. */
export const largestShare = 0.084;

/**
 * A database with `transcripts` in libraries of all sizes: on a server of its own in `folder`, or the one that DATABASE_URL
 * names, which is filled when it is empty and kept. Undefined where there is neither; throws when it holds anything else.
 */
export async function startLibraryServer({ folder, transcripts }) {
  const given = process.env.DATABASE_URL;
  const server = given ? { databaseUrl: given, stop: () => undefined } : await startThrowawayPostgres(folder);
  if (!server) return undefined;
  const largest = Math.round(transcripts * largestShare);
  const { databaseUrl } = server;
  try {
    const accounts =
      (await filledBefore(databaseUrl, largest)) ?? (await seedServerLibrary({ databaseUrl, transcripts, largest }));
    await shelve(databaseUrl);
    return { ...server, largest, accounts };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function connected(databaseUrl, work) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const filledBefore = (databaseUrl, largest) =>
  connected(databaseUrl, async (client) => {
    const { rows } = await client.query("select to_regclass('public.script') is not null as made");
    if (!rows[0].made) return undefined;
    const accounts = await accountsBySize(client, largest);
    const strangers = await client.query("select 1 from account where email <> 'bench@example.com' limit 1");
    if (accounts.get(largest).length === 0 || strangers.rowCount > 0)
      throw new Error("DATABASE_URL names a database that this bench has not filled, or not with as many transcripts");
    return accounts;
  });

/** Does what a service does in the background: counts the libraries, and puts the large ones together. */
async function shelve(databaseUrl) {
  const store = await openStore({ databaseUrl, dataDirectory: "unused", newId: createNewId() });
  try {
    for (const name of ["count-libraries", "fill-shelves"]) {
      const task = store.upkeep.find((one) => one.name === name);
      if (!task) throw new Error(`The store has no task ${name}`);
      while (await task.run(new Date(), new AbortController().signal));
    }
  } finally {
    await store.close();
  }
  await connected(databaseUrl, (client) => client.query("vacuum analyze shelved_script, account_content"));
}

import { setTimeout as pause } from "node:timers/promises";
import type { DatabaseLog } from "../engine/engine.ts";
import { openEmbeddedEngine } from "../engine/embedded/embedded-engine.ts";
import { openOwnPool } from "../engine/server/server-pool.ts";
import { isNumber } from "../engine/columns.ts";
import { statement, type Database } from "../engine/statement.ts";
import { openEngine } from "../open-engine.ts";
import { moveDatabase, type Receipt } from "./move-database.ts";

const countOthers = statement(`
  select count(*)::integer as others from pg_stat_activity
  where datname = current_database() and application_name = 'reelscript'`).reading({ others: isNumber });

/** The server notices closed connections a little later. */
const mostLooks = 20;
const lookMilliseconds = 250;

interface Move {
  /** The database to move from; without it the embedded one of the data directory. */
  readonly databaseUrl: string | undefined;
  readonly dataDirectory: string;
  readonly to: string;
  readonly onTable: (name: string, rows: number) => void;
}

/** Moves everything to a PostgreSQL server, whose tables are created. Throws with a message for the operator. */
export async function moveToServer(
  { databaseUrl, dataDirectory, to, onTable }: Move,
  log: DatabaseLog,
): Promise<Receipt> {
  const closers: (() => Promise<void>)[] = [];
  const openPool = async (url: string, which: string): Promise<Database> => {
    const pool = openOwnPool(url, "reelscript move");
    closers.push(() => pool.end());
    for (let looks = 1; (await countOthers.onlyRow(pool)).others > 0; looks += 1) {
      if (looks === mostLooks)
        throw new Error(`A service uses the database ${which}. Stop every process of it, then run this again.`);
      await pause(lookMilliseconds);
    }
    return pool;
  };
  try {
    const from = databaseUrl === undefined ? await openEmbedded() : await openPool(databaseUrl, "to move from");
    const target = await openEngine({ databaseUrl: to, dataDirectory }, log);
    await target.close();
    return await moveDatabase(from, await openPool(to, "to move to"), onTable);
  } finally {
    for (const close of closers.toReversed()) await close();
  }

  async function openEmbedded(): Promise<Database> {
    const engine = await openEmbeddedEngine({ dataDirectory, patience: { patience: { ending: 0, silent: 0 } } }, log);
    closers.push(() => engine.close());
    return engine.pool;
  }
}

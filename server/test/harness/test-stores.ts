import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { MemoryFS, PGlite } from "@electric-sql/pglite";
import {
  createEmbeddedEngine,
  durableParameters,
  type EmbeddedEngine,
} from "../../src/adapters/database/engine/embedded/embedded-engine.ts";
import { preparedDirectory } from "../../src/adapters/database/prepared-database.ts";
import { readFromPrimary } from "../../src/adapters/database/engine/server/read-route.ts";
import { createStore, type OpenedStore, type OpenStoreOptions } from "../../src/adapters/database/open-store.ts";
import { createNewId } from "../../src/rules/new-id.ts";
import { temporaryPlace } from "./temporary-place.ts";

/** Open but unused databases of this worker: opening one costs more than most tests. */
const idle: PGlite[] = [];
/** Each takes a few hundred megabytes. */
const mostIdle = 2;

/** Tables that have pages of rows, living or dead. */
const filledTables = `select string_agg(quote_ident(tablename), ', ') as names from pg_tables
  where schemaname = 'public' and tablename <> 'migration' and pg_relation_size(quote_ident(tablename)::regclass) > 0`;

/** Restores the tables to their initial state, including initial rows. Most are still empty, and cost nothing. */
async function makeEmpty(database: PGlite): Promise<void> {
  const { rows } = await database.query<{ names: string | null }>(filledTables);
  const names = rows[0]?.names ?? "";
  await database.exec(`do $$
    declare
      name text;
    begin
      set local session_replication_role = replica;
      foreach name in array regexp_split_to_array('${names}', ', ') loop
        execute 'delete from ' || name;
      end loop;
      perform setval(quote_ident(sequencename)::regclass, 1, false)
        from pg_sequences where schemaname = 'public' and last_value is not null;
      insert into queue_length (part) select generate_series(0, 15);
      insert into storage_form (since) values (now());
    end
    $$`);
  await database.exec(`vacuum ${names}`);
  await database.exec("checkpoint");
}

/** Changes when a test adds or drops a column, constraint, trigger or function. */
async function shapeOf(database: PGlite): Promise<string> {
  const { rows } = await database.query(
    `select (select count(*)::integer from pg_attribute where attnum > 0 and not attisdropped) as columns,
      (select count(*)::integer from pg_constraint) as constraints, (select count(*)::integer from pg_trigger) as triggers,
      (select count(*)::integer from pg_proc) as functions`,
  );
  return JSON.stringify(rows);
}

const neverDue = new Date("9999-12-31T00:00:00.000Z");

/** An empty database with all tables in memory; tests that are about files open one in a directory. */
export async function openTestEngine(): Promise<EmbeddedEngine> {
  const database = idle.pop() ?? (await openCopy(await preparedDirectory()));
  await makeEmpty(database);
  const shape = await shapeOf(database);
  const close = async (): Promise<void> => {
    // If a test has altered the tables, no other test gets them.
    const isUnchanged = (await shapeOf(database)) === shape;
    if (isUnchanged && idle.length < mostIdle) idle.push(database);
    else await database.close();
  };
  const engine = createEmbeddedEngine(database, temporaryPlace, path.join(temporaryPlace, "no-backups"), close);
  // There are no files, so a backup is never due.
  return { ...engine, newestBackupAt: () => Promise.resolve(neverDue) };
}

type TestStoreOptions = Partial<Pick<OpenStoreOptions, "newId" | "objects">>;

export const createTestStore = (
  engine: EmbeddedEngine,
  { newId = createNewId(), objects }: TestStoreOptions = {},
): OpenedStore => createStore(engine, readFromPrimary(engine.pool), { newId, objects });

/** An empty store for this test. */
export const openTestStore = async (options?: TestStoreOptions): Promise<OpenedStore> =>
  createTestStore(await openTestEngine(), options);

/** A database in memory doesn't survive a power cut anyway, so nothing waits for a disk. */
const openCopy = (directory: string): Promise<PGlite> =>
  PGlite.create({ fs: new CopiedFiles(directory), startParams: [...durableParameters(), "-F"] });

type Options = Parameters<MemoryFS["init"]>[1];

interface MemoryModule {
  readonly FS: { mkdirTree(name: string): void; writeFile(name: string, bytes: Uint8Array): void };
}

/** Files that begin as those of a directory. */
class CopiedFiles extends MemoryFS {
  readonly #directory: string;

  constructor(directory: string) {
    super();
    this.#directory = directory;
  }

  override async init(database: PGlite, options: Options): ReturnType<MemoryFS["init"]> {
    const prepared = await super.init(database, options);
    const copy = ({ FS }: MemoryModule): void => {
      for (const entry of readdirSync(this.#directory, { recursive: true, withFileTypes: true })) {
        const entryPath = path.join(entry.parentPath, entry.name);
        const name = `/pglite/data/${path.relative(this.#directory, entryPath)}`;
        if (entry.isDirectory()) FS.mkdirTree(name);
        else {
          FS.mkdirTree(path.dirname(name));
          FS.writeFile(name, readFileSync(entryPath));
        }
      }
    };
    prepared.emscriptenOpts.preRun = [
      ...(prepared.emscriptenOpts.preRun ?? []),
      (module) => copy(module as unknown as MemoryModule),
    ];
    return prepared;
  }
}

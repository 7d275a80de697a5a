import { isBoolean, isNumber, isText } from "../../adapters/database/engine/columns.ts";
import { openServerEngine } from "../../adapters/database/engine/server/server-engine.ts";
import { statement, type Database } from "../../adapters/database/engine/statement.ts";
import { isAway } from "../../adapters/database/engine/unavailable.ts";
import { pendingMigrations } from "../../adapters/database/migrations/migrate.ts";
import type { ServicePart } from "../../ports.ts";
import { causeOf, type Check } from "./check.ts";

const readServer = statement(`
  select current_setting('server_version') as version, current_setting('max_connections')::integer as connections,
    coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create,
    pg_is_in_recovery() as is_standby,
    extract(epoch from clock_timestamp())::double precision * 1000 as milliseconds`).reading({
  version: isText,
  connections: isNumber,
  mayCreate: isBoolean,
  isStandby: isBoolean,
  milliseconds: isNumber,
});

const countStoredMedia = statement(
  "select count(distinct media_id)::integer as reels from sent_media_part where object is not null",
).reading({ reels: isNumber });

const silent = { info: () => undefined, warn: () => undefined };
const toleratedSeconds = 2;
/** Connections for leases, health, notifications and changes of the tables. */
const connectionsBeside = 4;

/**
 * Checks version, encoding, pooling, rights, tables and clock of the server; an embedded database checks itself at its start.
 */
export const checkDatabase: Check = async ({ config, clock }) => {
  const { databaseUrl, serverLimits, dataDirectory, objectStorage } = config;
  const subject = "database";
  if (databaseUrl === undefined) return [{ subject, state: "ok", text: `Embedded, in ${dataDirectory}.` }];
  try {
    const engine = await openServerEngine(databaseUrl, silent, serverLimits);
    try {
      const before = clock.now().getTime();
      const server = await readServer.onlyRow(engine.pool);
      const now = (before + clock.now().getTime()) / 2;
      return [
        ...describeServer(server, serverLimits.connections),
        ...(await tablesOf(engine.pool, objectStorage.kind === "database")),
        clockOf((server.milliseconds - now) / 1_000),
      ];
    } finally {
      await engine.close();
    }
  } catch (error) {
    return [
      {
        subject,
        state: isAway(error) ? "away" : "wrong",
        text: `${causeOf(error)} Check DATABASE_URL, and whether the server accepts this machine.`,
      },
    ];
  }
};

interface Server {
  readonly version: string;
  /** All that it takes. */
  readonly connections: number;
  readonly mayCreate: boolean;
  readonly isStandby: boolean;
}

/** Checks whether a server has enough connections for processes with this many. */
export function describeServer(
  { version, connections, mayCreate, isStandby }: Server,
  forCalls: number,
): readonly [ServicePart] {
  const wrong = (text: string): readonly [ServicePart] => [{ subject: "database", state: "wrong", text }];
  if (isStandby) return wrong("The server is a standby. Name the primary in DATABASE_URL.");
  if (!mayCreate) return wrong("The user can't create tables. Grant it create on the schema, or make it the owner.");
  const needed = forCalls + connectionsBeside;
  if (needed > connections)
    return wrong(
      `The server takes ${connections} connections, and this process alone may open ${needed}. Raise max_connections or lower DATABASE_CONNECTIONS.`,
    );
  return [{ subject: "database", state: "ok", text: `PostgreSQL ${version}, up to ${connections} connections.` }];
}

/** `lacksStorage`: no object storage is configured. */
async function tablesOf(database: Database, lacksStorage: boolean): Promise<readonly ServicePart[]> {
  const subject = "tables";
  try {
    const { length } = await pendingMigrations(database);
    if (length > 0)
      return [
        { subject, state: "note", text: `${length} changes are made at the next start, or by reelscript migrate.` },
      ];
    const { reels } = await countStoredMedia.onlyRow(database);
    const whose = reels === 1 ? "1 sent reel has its media" : `${reels} sent reels have their media`;
    const waiting = `${whose} in an object storage, and OBJECT_STORAGE names none. Name it again until they are transcribed.`;
    return [
      { subject, state: "ok", text: "They are up to date." },
      ...(lacksStorage && reels > 0 ? [{ subject: "storage", state: "note" as const, text: waiting }] : []),
    ];
  } catch (error) {
    return [{ subject, state: "wrong", text: causeOf(error) }];
  }
}

const clockOf = (ahead: number): ServicePart =>
  Math.abs(ahead) <= toleratedSeconds
    ? { subject: "clock", state: "ok", text: "It agrees with the database's." }
    : {
        subject: "clock",
        state: "wrong",
        text: `The database's clock is ${ahead.toFixed(1)} s ahead of this machine's. Keep both right, for example with NTP.`,
      };

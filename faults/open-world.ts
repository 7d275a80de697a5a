import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pg, { type QueryResultRow } from "pg";
import { type AddedReel, type PlatformStandin, startPlatformStandin } from "@reelscript/platform-standin";
import { openEmbeddedEngine } from "#server/adapters/database/engine/embedded/embedded-engine.ts";
import type { OpenedStore } from "#server/adapters/database/open-store.ts";
import { createCaller, findOnPath, raisedLimits, withStore } from "../scripts/processes/start-program.ts";
import { startThrowawayPostgres, type ThrowawayPostgres } from "../scripts/processes/throwaway-postgres.ts";
import { root } from "../scripts/root.ts";
import { createCallers } from "./callers.ts";
import { type Account, createLedger, type KnownReel, type Ledger } from "./ledger.ts";
import { startDoor } from "./start-door.ts";
import { type Member, startMember } from "./start-member.ts";
import { type PublicPlatform, startPublicPlatform } from "./start-public-platform.ts";
import { startStorage } from "./start-storage.ts";
import { startWay, type Way } from "./start-way.ts";
import { Impossible } from "./waiting.ts";

/** Rows of a statement; `values` are its parameters. */
type Query = <Row extends QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<Row[]>;
interface Servers {
  primary: ThrowawayPostgres | undefined;
  replica: ThrowawayPostgres | undefined;
}

/** A service of several processes, or of one, with everything around it. */
export interface World extends Parts {
  /** Throws if there is no server. */
  readonly postgres: ThrowawayPostgres;
  /** How many times longer than on a quiet machine everything may take. */
  patience: number;
  /** Seconds that a fresh reel of a quiet account may take. */
  probeSeconds: number;
  /** True if there are several processes on a server. */
  readonly isFleet: boolean;
  readonly ledger: Ledger;
  readonly apis: () => Member[];
  workers(): Member[];
  /** A reel that nobody has requested yet. */
  addReel(length?: keyof typeof media, added?: AddedReel): Promise<KnownReel>;
  /** The same of the public platform. */
  addPublicReel(length: keyof typeof media): Promise<KnownReel>;
  /** Accounts without transcriptions. */
  addAccounts(count: number): Promise<Account[]>;
  readonly query: Query;
  /** Lets `look` read through its `query`, while the embedded database's process makes room for it. */
  readonly inspect: <Seen>(look: (ask: Query) => Promise<Seen>) => Promise<Seen>;
}

/** For a fresh reel of a quiet account, while a worker is healthy. */
const probeSeconds = 10;
const busyFactor = 5;
const environment = {
  ...raisedLimits,
  NODE_ENV: "development",
  LOG_LEVEL: "warn",
  TRUST_PROXY: "127.0.0.1",
  DRAIN_SECONDS: "2",
  WHISPER_THREADS: "1",
  WHISPER_IDLE_SECONDS: "1000000",
  // Small, so that a small disk counts as one with room.
  MAX_MEDIA_BYTES: "3000000",
  MAX_FILE_BYTES: "3000000",
  DATABASE_CONNECT_SECONDS: "2",
  DATABASE_STATEMENT_SECONDS: "6",
  QUEUE_LIMIT: "1000",
  QUEUE_LIMIT_PER_ACCOUNT: "200",
};
const media = { short: ["en-amiable", 10.24], shortest: ["en-one-second", 0.941] } as const;
const reelsFolder = path.join(root, "platform-standin/reels");
const accountNames = ["ada", "ben", "cleo", "quiet", "greedy"] as const;

const wayTo = ({ port }: { readonly port: number }): Promise<Way> => startWay({ host: "127.0.0.1", port });

async function createAccounts(store: OpenedStore, names: readonly string[]): Promise<Record<string, Account>> {
  const accounts: Record<string, Account> = {};
  for (const name of names) {
    const email = `${name.replace(" ", ".")}@example.com`;
    const { accountId: id, key } = await createCaller(store, { email });
    accounts[name] = { name, id, key };
  }
  return accounts;
}

interface OpenWorldOptions {
  readonly onNote: (text: string) => void;
  readonly embedded?: boolean;
  /** The built folder of an earlier release. */
  readonly releaseBefore?: string | undefined;
}

/**
 * The service with everything around it: two processes that answer and two that work on one PostgreSQL server, or one process
 * with the embedded database if no server is installed; each with its own routes to the database and to the platform.
 */
export async function openWorld({ onNote, embedded = false, releaseBefore }: OpenWorldOptions): Promise<World> {
  const folder = await mkdtemp(path.join(tmpdir(), "reelscript-faults-"));
  const closers: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true, maxRetries: 5 })];
  const close = async (): Promise<void> => {
    for (const one of closers.splice(0).toReversed())
      await one().catch((error: unknown) => onNote(`closing: ${String(error)}`));
  };
  try {
    // The server has another user, who passes through here.
    await chmod(folder, 0o711);
    const settings = ["max_connections=300", "shared_buffers=64MB"];
    const postgres = embedded ? undefined : await startThrowawayPostgres(folder, { settings });
    const servers: Servers = { primary: postgres, replica: await postgres?.startReplica("replica") };
    closers.push(() => Promise.all([servers.replica?.stop(), servers.primary?.stop()]));
    const storage = await startStorage(path.join(folder, "objects"));
    closers.push(() => storage.close());
    const standin = await startPlatformStandin();
    closers.push(() => standin.close());
    const publicPlatform = await startPublicPlatform(folder);
    closers.push(() => publicPlatform.close());
    const ffmpeg = await findOnPath("ffmpeg");
    // The embedded database has to be where its process expects it.
    const database = postgres ? { databaseUrl: postgres.databaseUrl } : { dataDirectory: path.join(folder, "all") };
    const accounts = await withStore(database, (store) => createAccounts(store, accountNames));

    const members: Member[] = [];
    closers.push(async () => {
      for (const member of members) {
        await member.end();
        await member.way?.close();
        await member.readWay?.close();
        member.door.close();
      }
    });
    const add = async (name: string, role: Member["role"]): Promise<void> => {
      const way = servers.primary && (await wayTo(servers.primary));
      const readWay = servers.replica && (await wayTo(servers.replica));
      const along = (to: Way): string =>
        Object.assign(new URL(servers.primary!.databaseUrl), { port: String(to.port) }).href;
      const door = await startDoor(standin);
      // Clients use the same address whichever process they reach.
      if (role === "api") Object.assign(door.origins, { page: standin.origin, media: standin.mediaOrigin });
      const settings = {
        ...environment,
        ...storage.settings,
        ...publicPlatform.settings,
        ...(way && readWay && { DATABASE_URL: along(way), DATABASE_READ_URL: along(readWay) }),
      };
      members.push(await startMember({ name, role, folder, environment: settings, door, way, readWay, ffmpeg }));
    };
    if (postgres) {
      await add("api-1", "api");
      await Promise.all([add("api-2", "api"), add("worker-1", "worker"), add("worker-2", "worker")]);
    } else await add("all", "all");
    members.sort((one, other) => one.name.localeCompare(other.name));
    const given = {
      folder,
      servers,
      storage,
      standin,
      publicPlatform,
      ffmpeg,
      releaseBefore,
      members,
      close,
      note: onNote,
    };
    const opened = worldOf({ ...given, accounts: accounts as Parts["accounts"] });
    await calibrate(opened);
    return opened;
  } catch (error) {
    await close();
    throw error;
  }
}

/** A fresh reel takes longer where other programs use the machine, fault or no fault. */
async function calibrate(world: World): Promise<void> {
  const callers = createCallers(world);
  const times: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    const from = performance.now();
    const reel = await world.addReel("shortest");
    const what = "a fresh reel without any fault";
    await callers.insist(world.apis(), world.accounts.quiet, reel, { seconds: 120, what });
    times.push((performance.now() - from) / 1_000);
  }
  const slowest = Math.max(...times.slice(1));
  world.patience = Math.max(1, (busyFactor * slowest) / probeSeconds);
  world.probeSeconds = probeSeconds * world.patience;
  world.note(
    `a fresh reel takes ${slowest.toFixed(1)} s without a fault and may take ${world.probeSeconds.toFixed(0)} s with one`,
  );
}

interface Parts {
  readonly folder: string;
  /** Its `primary` and its `replica`, which may change roles. */
  readonly servers: Servers;
  readonly storage: { readonly way: Way };
  readonly standin: PlatformStandin;
  readonly publicPlatform: PublicPlatform;
  readonly ffmpeg: string | undefined;
  readonly releaseBefore: string | undefined;
  readonly accounts: Readonly<Record<(typeof accountNames)[number], Account>>;
  readonly members: readonly Member[];
  readonly close: () => Promise<void>;
  readonly note: (text: string) => void;
}

async function videoOf(length: keyof typeof media): Promise<AddedReel> {
  const [name, seconds] = media[length];
  const bytes = await readFile(path.join(reelsFolder, `${name}.mp4`));
  return { bytes, seconds, language: "en" };
}

function worldOf(parts: Parts): World {
  const { servers, members, standin, publicPlatform } = parts;
  const isFleet = servers.primary !== undefined;

  function primary(): ThrowawayPostgres {
    if (!servers.primary) throw new Impossible("no PostgreSQL server is installed");
    return servers.primary;
  }
  async function query<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({ connectionString: primary().databaseUrl, query_timeout: 10_000 });
    client.on("error", () => undefined);
    await client.connect();
    return await client
      .query<Row>(text, [...values])
      .then(({ rows }) => rows)
      .finally(() => client.end());
  }

  return {
    ...parts,
    get postgres() {
      return primary();
    },
    patience: 1,
    probeSeconds,
    isFleet,
    ledger: createLedger(),
    apis: () => members.filter(({ role }) => role !== "worker"),
    workers: () => members.filter(({ role }) => role !== "api"),
    async addReel(length = "short", added = {}) {
      const reel = standin.addReel({ ...(await videoOf(length)), ...added });
      const origin = isFleet ? standin.origin : members[0]!.door.origins.page;
      return { code: reel.code, mediaId: reel.mediaId, url: `${origin}/reel/${reel.code}/` };
    },
    addPublicReel: async (length) => publicPlatform.addReel(await videoOf(length)),
    async addAccounts(count) {
      const names = Array.from({ length: count }, (_, index) => `another ${index}`);
      return Object.values(await withStore(primary(), (store) => createAccounts(store, names)));
    },
    query,
    async inspect<Seen>(look: (ask: Query) => Promise<Seen>): Promise<Seen> {
      if (isFleet) return await look(query);
      const member = members[0]!;
      await member.stop();
      const engine = await openEmbeddedEngine({ dataDirectory: member.dataDirectory });
      try {
        // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as the server's
        return await look(
          async <Row extends QueryResultRow>(text: string) => (await engine.pool.query(text)).rows as Row[],
        );
      } finally {
        await engine.close();
        await member.start();
      }
    },
  };
}

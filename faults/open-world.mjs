import { access, chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { startThrowawayPostgres } from "../bench/processes/throwaway-postgres.mjs";
import { startPlatformStandin } from "../platform-standin/dist/index.js";
import { openEmbeddedEngine } from "../server/dist/adapters/database/engine/embedded/embedded-engine.js";
import { openStore } from "../server/dist/adapters/database/open-store.js";
import { createApiKey, createNewId } from "../server/dist/callers/api-key.js";
import { createCallers } from "./callers.mjs";
import { createLedger } from "./ledger.mjs";
import { startDoor } from "./start-door.mjs";
import { startMember } from "./start-member.mjs";
import { startWay } from "./start-way.mjs";
import { Impossible } from "./waiting.mjs";

/** For a fresh reel of an account that is quiet, while a worker is healthy. */
const probeSeconds = 10;
const busyFactor = 5;
const raised = "1000000";
const environment = {
  LOG_LEVEL: "warn",
  WHISPER_THREADS: "1",
  WHISPER_IDLE_SECONDS: "1000000",
  // Small, so that a small disk counts as one with room.
  MAX_MEDIA_BYTES: "3000000",
  DATABASE_CONNECT_SECONDS: "2",
  DATABASE_STATEMENT_SECONDS: "6",
  QUEUE_LIMIT: "1000",
  QUEUE_LIMIT_PER_ACCOUNT: "200",
  RATE_LIMIT_DEFAULT: raised,
  RATE_LIMIT_TRANSCRIBE: raised,
  RATE_LIMIT_ADDRESS: raised,
};
const media = { short: ["en-amiable", 10.24], shortest: ["en-one-second", 0.941] };
const reelsFolder = fileURLToPath(new URL("../platform-standin/reels/", import.meta.url));

async function findProgram(name) {
  for (const folder of (process.env.PATH ?? "").split(path.delimiter)) {
    const file = path.join(folder, name);
    if (
      await access(file).then(
        () => true,
        () => false,
      )
    )
      return file;
  }
  return undefined;
}

async function createAccounts(store, names) {
  const now = new Date();
  const accounts = {};
  for (const name of names) {
    const { id } = await store.accounts.create({ email: `${name}@example.com`, plan: "creator", now });
    const { key, hash, lastFour } = createApiKey();
    await store.keys.create({ accountId: id, name, hash, lastFour, now });
    accounts[name] = { name, id, key };
  }
  return accounts;
}

/**
 * The service with all around it: two processes that answer and two that work on one PostgreSQL server, or one process with
 * the embedded database where no server is installed; each with its own ways to the database and to the platform.
 */
export async function openWorld({ onNote, embedded = false }) {
  const folder = await mkdtemp(path.join(tmpdir(), "reelscript-faults-"));
  const closers = [() => rm(folder, { recursive: true, force: true, maxRetries: 5 })];
  const close = async () => {
    for (const one of closers.splice(0).toReversed()) await one().catch((error) => onNote(`closing: ${error}`));
  };
  try {
    // The server has another user, who passes through here.
    await chmod(folder, 0o711);
    const settings = ["max_connections=300", "shared_buffers=64MB"];
    const postgres = embedded ? undefined : await startThrowawayPostgres(folder, { settings });
    if (postgres) closers.push(() => postgres.stop());
    const standin = await startPlatformStandin();
    closers.push(() => standin.close());
    const ffmpeg = await findProgram("ffmpeg");
    // The embedded database has to be where its process looks for it.
    const first = path.join(folder, postgres ? "first" : "all");
    const store = await openStore({ databaseUrl: postgres?.databaseUrl, dataDirectory: first, newId: createNewId() });
    const accounts = await createAccounts(store, ["ada", "ben", "cleo", "quiet", "greedy"]).finally(() =>
      store.close(),
    );

    const members = [];
    closers.push(async () => {
      for (const member of members) {
        await member.end();
        await member.way?.close();
        member.door.close();
      }
    });
    const add = async (name, role) => {
      const way = postgres && (await startWay({ host: "127.0.0.1", port: Number(new URL(postgres.databaseUrl).port) }));
      const own = way && Object.assign(new URL(postgres.databaseUrl), { port: String(way.port) }).href;
      const door = await startDoor(standin);
      // Clients give the same address whichever process they reach.
      if (role === "api") Object.assign(door.origins, { page: standin.origin, media: standin.mediaOrigin });
      const settings = { ...environment, ...(own && { DATABASE_URL: own }) };
      members.push(await startMember({ name, role, folder, environment: settings, door, way, ffmpeg }));
    };
    if (postgres) {
      await add("api-1", "api");
      await Promise.all([add("api-2", "api"), add("worker-1", "worker"), add("worker-2", "worker")]);
    } else await add("all", "all");
    members.sort((one, other) => one.name.localeCompare(other.name));
    const opened = world({ folder, postgres, standin, ffmpeg, accounts, members, close, onNote });
    await calibrate(opened);
    return opened;
  } catch (error) {
    await close();
    throw error;
  }
}

/** A fresh reel takes longer where other programs use the machine, fault or no fault. */
async function calibrate(world) {
  const callers = createCallers(world);
  const times = [];
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

function world({ folder, postgres, standin, ffmpeg, accounts, members, close, onNote }) {
  const bytes = new Map();
  const isFleet = postgres !== undefined;

  /** Rows of a statement on the server itself; `values` are its parameters. */
  async function query(text, values = []) {
    if (!postgres) throw new Impossible("the embedded database belongs to the process that runs");
    const client = new pg.Client({ connectionString: postgres.databaseUrl, query_timeout: 10_000 });
    client.on("error", () => undefined);
    await client.connect();
    return await client
      .query(text, values)
      .then(({ rows }) => rows)
      .finally(() => client.end());
  }

  return {
    folder,
    postgres,
    standin,
    ffmpeg,
    accounts,
    members,
    /** How many times as long as on a calm machine everything may take. */
    patience: 1,
    probeSeconds,
    isFleet,
    ledger: createLedger(),
    apis: () => members.filter(({ role }) => role !== "worker"),
    workers: () => members.filter(({ role }) => role !== "api"),
    /** A reel that nobody asked for yet: `length` is shortest or short. */
    async addReel(length = "short", added = {}) {
      const [name, seconds] = media[length];
      if (!bytes.has(name)) bytes.set(name, await readFile(path.join(reelsFolder, `${name}.mp4`)));
      const reel = standin.addReel({ bytes: bytes.get(name), seconds, language: "en", ...added });
      const origin = isFleet ? standin.origin : members[0].door.origins.page;
      return { code: reel.code, mediaId: reel.mediaId, url: `${origin}/reel/${reel.code}/` };
    },
    query,
    /** What `look` reads by its `query`, while the embedded database's process makes room for it. */
    async inspect(look) {
      if (isFleet) return await look(query);
      const [member] = members;
      await member.stop();
      const engine = await openEmbeddedEngine(member.dataDirectory);
      try {
        return await look(async (text) => (await engine.pool.query(text)).rows);
      } finally {
        await engine.close();
        await member.start();
      }
    },
    close,
    note: onNote,
  };
}

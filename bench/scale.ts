import path from "node:path";
import pg from "pg";
import type { OpenedStore } from "#server/adapters/database/open-store.ts";
import { type AccountsBySize, accountsBySize, fillLibraries, reelUrl, wordOf } from "./fill-libraries.ts";
import { measureGrowth } from "./growth.ts";
import { type Request, sendRequests } from "./load.ts";
import { megabytesOf, processorTimeOf, treeOf } from "../scripts/processes/process-table.ts";
import { createCaller, withStore } from "../scripts/processes/start-program.ts";
import { startThrowawayPostgres } from "../scripts/processes/throwaway-postgres.ts";
import { type Figure, type Needs, formatFigure } from "./report.ts";
import { databaseClock, measureSearches } from "./search.ts";
import { type Service, startService } from "./processes/start-service.ts";
import { median } from "./statistics.ts";

const connections = 8;
const callers = 40;
const sizes = {
  whole: {
    waiting: 50_000,
    waitingAccounts: 2_500,
    searches: 30,
    owners: 10,
    rounds: 15,
    seconds: 0.5,
    claims: 40,
    growth: 1_000,
  },
  quick: {
    waiting: 50_000,
    waitingAccounts: 2_500,
    searches: 5,
    owners: 3,
    rounds: 3,
    seconds: 0.5,
    claims: 40,
    growth: 200,
  },
  smallest: {
    waiting: 100,
    waitingAccounts: 10,
    searches: 1,
    owners: 1,
    rounds: 1,
    seconds: 0.05,
    claims: 2,
    growth: 5,
  },
};
const longestClaim = 20;

/**
 * Measures libraries of all sizes and a long queue on one PostgreSQL server: sizes, searches, requests per second and claims.
 */
export async function benchScale(needs: Needs): Promise<void> {
  const { report, folder, extent, transcripts, largest, started } = needs;
  const { waiting, waitingAccounts, searches, owners, claims, growth } = sizes[extent];
  report.section("Scale", `${transcripts} transcripts and ${waiting} waiting reels on one PostgreSQL server.`);
  const { DATABASE_URL: given } = process.env;
  const server = given ? undefined : await startThrowawayPostgres(folder);
  if (server) await started(server);
  const databaseUrl = given ?? server?.databaseUrl;
  if (databaseUrl === undefined)
    return report.note("left out: no PostgreSQL is installed here, and DATABASE_URL names none");
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await started({ stop: () => client.end() });
  const accounts = await libraries(client, databaseUrl, { transcripts, largest });
  await refillQueue(client, { waiting, waitingAccounts });
  report.figures(await sizesOf(client));
  await withStore({ databaseUrl }, async (store) => {
    const searched = { store, accounts, sizes: [9, 1_000, largest], rounds: searches, most: owners };
    await measureSearches(report, client, searched);
    await measureRequests(needs, { client, databaseUrl, store, library: accounts.get(9)![0]! });
    report.figures(await claimTimes(store, claims));
    report.figures(await measureGrowth({ client, store, reels: growth, visits: 5 * growth }));
  });
}

/** Fills an empty database; throws if it contains anything else. */
async function libraries(
  client: pg.Client,
  databaseUrl: string,
  size: { readonly transcripts: number; readonly largest: number },
): Promise<AccountsBySize> {
  await withStore({ databaseUrl }, async () => undefined);
  const { rows } = await client.query<{ strange: boolean; any: boolean }>(
    "select count(*) > 0 as any, bool_or(email <> 'bench@example.com') as strange from account",
  );
  if (!rows[0]!.any) return await fillLibraries(client, size);
  const accounts = await accountsBySize(client, size.largest);
  if (rows[0]!.strange || accounts.get(size.largest)!.length === 0)
    throw new Error("DATABASE_URL names a database that this bench has not filled, or not with as many transcripts");
  return accounts;
}

/** Creates a queue of `waiting` reels and nothing else, whatever an earlier run has left. */
async function refillQueue(
  client: pg.Client,
  { waiting, waitingAccounts }: { readonly waiting: number; readonly waitingAccounts: number },
): Promise<void> {
  await client.query("delete from hold; delete from transcription; update allowance set held = 0");
  await client.query(`
    insert into account (id, email, plan, created_at)
    select 'acc_waiting_' || n, 'bench@example.com', 'free', now() from generate_series(1, ${waitingAccounts}) as n
    on conflict do nothing`);
  await client.query(`
    insert into transcription (id, account_id, platform, media_id, shortcode, url, queued_at)
    select 'trn_waiting_' || n, 'acc_waiting_' || 1 + n % ${waitingAccounts}, 'waiting', n, n, 'https://reels.test/reel/' || n, now()
    from generate_series(1, ${waiting}) as n`);
  await client.query("vacuum analyze transcription, hold, queue_account, queue_length, allowance");
}

/** Size of the database in all, and per transcript and script. */
async function sizesOf(client: pg.Client): Promise<Figure[]> {
  const { rows } = await client.query<Record<string, string>>(`
    select (select count(*) from transcript) as transcripts, pg_database_size(current_database()) as whole,
      pg_total_relation_size('transcript') as transcript, pg_total_relation_size('script') as script,
      pg_total_relation_size('searchable_script') as searchable, (select count(*) from script) as scripts`);
  const size = (name: string): number => Number(rows[0]![name]);
  const each = (what: string, name: string, of: string): Figure => ({
    what,
    value: size(name) / size(of) / 1_000,
    unit: "KB",
  });
  return [
    { what: "database", value: size("whole") / 1e9, unit: "GB" },
    each("a transcript in the cache, with indexes", "transcript", "transcripts"),
    each("a script in a library, with indexes", "script", "scripts"),
    each("what a search reads of it", "searchable", "scripts"),
  ];
}

/** Requests a second, and milliseconds of processor time of each. */
type Rate = Readonly<Record<"rate" | "service" | "database", number>>;

interface Filled {
  readonly client: pg.Client;
  readonly databaseUrl: string;
  readonly store: OpenedStore;
  /** The account of one of 9 scripts. */
  readonly library: string;
}

async function measureRequests({ report, folder, extent, started }: Needs, filled: Filled): Promise<void> {
  const { rounds, seconds } = sizes[extent];
  const { client, databaseUrl, store, library } = filled;
  const nodes: Service[] = [];
  for (const name of ["one", "two"]) {
    const limits = { QUEUE_LIMIT: "100000", QUEUE_LIMIT_PER_ACCOUNT: "100000" };
    const storage = { DATA_DIR: path.join(folder, name), DATABASE_URL: databaseUrl };
    const environment = { ...limits, ...storage, NODE_ENV: "development", ROLE: "api" };
    nodes.push(await started(startService({ environment })));
  }
  const keys: string[] = [];
  while (keys.length < callers) keys.push((await createCaller(store)).key);
  const owner = (await createCaller(store, { accountId: library })).key;
  const get = (key: string, route: string): Request => ({
    path: `/api/v1/${route}`,
    headers: { authorization: `Bearer ${key}` },
  });
  const post = (index: number, url: string): Request => ({
    method: "POST",
    path: "/api/v1/transcribe",
    headers: { authorization: `Bearer ${keys[index % callers]}`, prefer: "respond-async" },
    body: { url },
  });
  // Skips the cached reels; reels that an earlier run started are no longer in the queue.
  let fresh = 1e9;
  const ways: Readonly<Record<string, () => Request[]>> = {
    usage: () => keys.map((key) => get(key, "usage")),
    "page of a library of 9": () => [get(owner, "scripts?limit=20")],
    "search in a library of 9": () => [get(owner, `scripts?limit=20&query=${wordOf(8)}`)],
    "cached transcript": () => Array.from({ length: 50 }, (_, index) => post(index, reelUrl(index))),
    start: () => Array.from({ length: 2_000 }, (_, index) => post(index, reelUrl((fresh += 1)))),
  };
  const clock = databaseClock(client);
  const rows: (Rate & { readonly name: string; readonly processes: number })[] = [];
  for (const used of [nodes.slice(0, 1), nodes])
    for (const [name, make] of Object.entries(ways)) {
      const measured: Rate[] = [];
      for (let round = -1; round < rounds; round += 1) {
        const one = await rateOf(used, make(), { seconds, clock });
        if (round >= 0) measured.push(one);
      }
      const of = (figure: keyof Rate): number => median(measured.map((one) => one[figure]));
      rows.push({ name, processes: used.length, rate: of("rate"), service: of("service"), database: of("database") });
    }
  report.table(
    ["request", "processes", "a second", "ms of the service", "ms of the database"],
    rows.map((row) => [
      row.name,
      row.processes,
      formatFigure(row.rate),
      row.service.toFixed(2),
      row.database.toFixed(2),
    ]),
  );
  const best = Math.max(...rows.filter(({ name }) => name === "start").map(({ rate }) => rate));
  report.figures([
    { what: "starts a second", value: best, atLeast: 1_000 },
    { what: "memory of an api process after it", value: megabytesOf(treeOf(nodes[0]!.processId)), unit: "MB" },
  ]);
}

/** Over all nodes at once. */
async function rateOf(
  nodes: readonly Service[],
  requests: Request[],
  { seconds, clock }: { readonly seconds: number; readonly clock: () => Promise<number> },
): Promise<Rate> {
  const clocks = async (): Promise<[number, number]> => [
    nodes.reduce((sum, { processId }) => sum + processorTimeOf(processId), 0),
    await clock(),
  ];
  const before = await clocks();
  const runs = await Promise.all(
    nodes.map(({ url }, nodeIndex) =>
      sendRequests({
        origin: url,
        requests:
          requests.length < nodes.length ? requests : requests.filter((_, index) => index % nodes.length === nodeIndex),
        connections: connections / nodes.length,
        seconds,
      }),
    ),
  );
  const after = await clocks();
  const answers = runs.reduce((sum, run) => sum + run.answers, 0);
  return {
    rate: runs.reduce((sum, run) => sum + run.answers / run.seconds, 0),
    service: (after[0] - before[0]) / answers,
    database: (after[1] - before[1]) / answers,
  };
}

async function claimTimes({ transcriptions }: OpenedStore, claims: number): Promise<Figure[]> {
  const times: number[] = [];
  for (let index = 0; index < claims; index += 1) {
    const from = performance.now();
    if (!(await transcriptions.claim(`bench-${index}`, 30, new Date()))) throw new Error("nothing was claimed");
    times.push(performance.now() - from);
  }
  return [
    { what: "claim, median", value: median(times), unit: "ms", digits: 1 },
    { what: "claim, slowest", value: Math.max(...times), unit: "ms", digits: 1, atMost: longestClaim },
  ];
}

import os from "node:os";
import path from "node:path";
import { type OpenedStore, openStore } from "#server/adapters/database/open-store.ts";
import { createNewId } from "#server/callers/api-key.ts";
import { seededPlatform, wordOf } from "./libraries/seed-library.ts";
import { startLibraryServer } from "./libraries/library-server.ts";
import {
  addVisits,
  cachedReels,
  hasVisits,
  refillQueue,
  visitedHandle,
  visits,
  waiting,
} from "./libraries/seed-scale.ts";
import { type Child, startChild } from "./processes/child.ts";
import { memoryOfTree } from "./processes/process-memory.ts";
import { processorClock } from "./processes/process-times.ts";
import { requestBytes, sendRequests } from "./processes/raw-http.ts";
import type { ServiceMethods } from "./processes/service-process.ts";
import { explain, watchStatements } from "./processes/slow-statements.ts";
import { onServer } from "./processes/throwaway-postgres.ts";
import { type Figure, type Needs, type Report, shown } from "./report.ts";
import { measureSearches } from "./search.ts";
import { median, timesOf } from "./statistics.ts";
import { measureDeadRows, measureSizes } from "./tables.ts";

type Node = Child<ServiceMethods>;
/** Requests a second, and milliseconds of processor time of each. */
interface Rate {
  readonly rate: number;
  readonly service: number;
  readonly database: number;
}
const connections = 8;
const callers = 40;
const seconds = 0.5;
const claims = 40;
const days = 60;
/** One more would be folded. */
const unfolded = 4_999;
const slowMilliseconds = 20;
const sizes = [9, 1_000];

/** One database with everything that grows in it: what is read, what is written, what is left behind, and what is slow. */
export async function benchScale({ report, folder, quick, transcripts, started }: Needs): Promise<void> {
  const slowest = watchStatements(slowMilliseconds);
  const server = await startLibraryServer({ folder, transcripts });
  report.section(
    "Scale",
    `${transcripts} transcripts, ${waiting} waiting reels, a page with ${visits} counted visits, on one PostgreSQL server.`,
  );
  if (!server) return report.note("left out: no PostgreSQL is installed here, and DATABASE_URL names none");
  await started(server);
  const { databaseUrl, accounts, largest } = server;
  const store = await openStore({ databaseUrl, dataDirectory: "unused", newId: createNewId() });
  await started({ stop: () => store.close() });
  await refillQueue(databaseUrl);
  await measureSizes(report, databaseUrl);
  const nodes: Node[] = [];
  for (const name of ["one", "two"]) {
    const settings = { databaseUrl, standin: seededPlatform, queueLimit: 1_000_000, queueLimitPerAccount: 1_000_000 };
    const dataDirectory = path.join(folder, name);
    nodes.push(await started(startChild<ServiceMethods>("./service-process.js", { ...settings, dataDirectory })));
  }
  const [node] = nodes as [Node, Node];
  const processorTime = await processorClock(databaseUrl);
  await measureVisits({ report, store, node, databaseUrl, quick });
  const amount = quick ? { rounds: 5, most: 3 } : { rounds: 30, most: 10 };
  await measureSearches({ report, store, accounts, sizes: [...sizes, largest], ...amount, processorTime });
  const library = accounts.get(9)![0]!;
  await measureRequests({ report, nodes, databaseUrl, library, processorTime, rounds: quick ? 5 : 15 });
  if (os.platform() === "linux") {
    const { megabytes } = await memoryOfTree(node.processId);
    report.figures([{ what: "memory of an api process after it", value: megabytes, unit: "MB" }]);
  }
  await measureClaims({ report, node });
  await measureDeadRows({ report, databaseUrl });
  await showPlans(report, databaseUrl, slowest);
}

/** Folds what is there, as the service does, and reads figures of as much as may wait for that. */
async function measureVisits({
  report,
  store,
  node,
  databaseUrl,
  quick,
}: {
  readonly report: Report;
  readonly store: OpenedStore;
  readonly node: Node;
  readonly databaseUrl: string;
  readonly quick: boolean;
}): Promise<void> {
  const found = await onServer(databaseUrl, (client) =>
    client.query<{ id: string; account_id: string }>("select id, account_id from bio_page where handle = $1", [
      visitedHandle,
    ]),
  );
  let [page] = found.rows;
  if (page === undefined) {
    const { accountId } = await node.call("createKey");
    page = { account_id: accountId, id: await node.call("makeBioPage", { accountId, handle: visitedHandle }) };
  }
  if (!(await hasVisits(databaseUrl, page.id)))
    await addVisits(databaseUrl, page.id, { count: visits, hours: days * 24 });
  const folds = await timesOf(() => store.bioEvents.fold(new Date()));
  await addVisits(databaseUrl, page.id, { count: unfolded, hours: 1 });
  const today = new Date();
  const dayBefore = (count: number): string =>
    new Date(today.getTime() - count * 86_400_000).toISOString().slice(0, 10);
  const period = { earliest: dayBefore(days), from: dayBefore(29), to: dayBefore(0) };
  const times: number[] = [];
  for (let round = 0; round < (quick ? 3 : 10); round += 1)
    times.push(...(await timesOf(() => store.bioEvents.read(page.account_id, period).then(() => false))));
  report.figures([
    inMilliseconds(`figures of a page with ${visits} visits, ${unfolded} of them not folded, median`, median(times)),
    inMilliseconds(`folding, median of ${folds.length}`, median(folds)),
  ]);
}

let started = 0;
/** Only one in 64 characters may end an eleven-character code; ten characters are any. */
const nextReel = (): string => `${seededPlatform.origin}/reel/Q${(started += 1).toString(36).padStart(8, "0")}A/`;

async function measureRequests({
  report,
  nodes,
  databaseUrl,
  library,
  processorTime,
  rounds,
}: {
  readonly report: Report;
  readonly nodes: readonly Node[];
  readonly databaseUrl: string;
  /** The account of one of 9 scripts. */
  readonly library: string;
  readonly processorTime: () => Promise<number>;
  readonly rounds: number;
}): Promise<void> {
  const node = nodes[0]!;
  const cached = await cachedReels(databaseUrl);
  const keys: string[] = [];
  while (keys.length < callers) keys.push((await node.call("createKey")).key);
  const owner = (await node.call("createKey", library)).key;
  const headersOf = (key: string) => ({ authorization: `Bearer ${key}` });
  const get = (key: string, place: string): Uint8Array =>
    requestBytes({ method: "GET", path: `/api/v1/${place}`, headers: headersOf(key) });
  const post = (key: string, url: string): Uint8Array =>
    requestBytes({
      method: "POST",
      path: "/api/v1/transcribe",
      headers: { ...headersOf(key), prefer: "respond-async" },
      body: { url },
    });
  const ways: Readonly<Record<string, () => Uint8Array[]>> = {
    usage: () => keys.map((key) => get(key, "usage")),
    "page of a library of 9": () => [get(owner, "scripts?limit=20")],
    "search in a library of 9": () => [get(owner, `scripts?limit=20&query=${wordOf(8)}`)],
    "cached transcript": () => cached.map((url, place) => post(keys[place % callers]!, url)),
    start: () => Array.from({ length: 2_000 }, (_, place) => post(keys[place % callers]!, nextReel())),
  };
  const rows: ({ readonly name: string; readonly processes: number } & Rate)[] = [];
  for (const used of [nodes.slice(0, 1), nodes])
    for (const [name, make] of Object.entries(ways)) {
      const measured: Rate[] = [];
      for (let round = -1; round < rounds; round += 1) {
        const one = await rateOf(used, make(), processorTime);
        if (round >= 0) measured.push(one);
      }
      const of = (figure: keyof Rate): number => median(measured.map((one) => one[figure]));
      rows.push({ name, processes: used.length, rate: of("rate"), service: of("service"), database: of("database") });
    }
  report.table(
    ["request", "processes", "a second", "ms of the service", "ms of the database"],
    rows.map((row) => [row.name, row.processes, row.rate.toFixed(0), row.service.toFixed(2), row.database.toFixed(2)]),
  );
  const best = Math.max(...rows.filter(({ name }) => name === "start").map(({ rate }) => rate));
  report.figures([{ what: "starts a second", value: best, atLeast: 1_000 }]);
}

/** Requests a second over all nodes at once, and the processor time of each, of the nodes and of the database. */
async function rateOf(
  nodes: readonly Node[],
  requests: readonly Uint8Array[],
  processorTime: () => Promise<number>,
): Promise<Rate> {
  const clocks = async (): Promise<[number, number]> => {
    const own = await Promise.all(nodes.map((node) => node.call("cpuMilliseconds")));
    return [own.reduce((sum, one) => sum + one, 0), await processorTime()];
  };
  const before = await clocks();
  const runs = await Promise.all(
    nodes.map(({ opened }, place) =>
      sendRequests({
        port: Number(new URL(opened.url!).port),
        requests:
          requests.length < nodes.length ? requests : requests.filter((_, index) => index % nodes.length === place),
        connections: connections / nodes.length,
        seconds,
      }),
    ),
  );
  const after = await clocks();
  const answers = runs.reduce((sum, run) => sum + run.answers, 0);
  const [service, database] = [(after[0] - before[0]) / answers, (after[1] - before[1]) / answers];
  return { rate: runs.reduce((sum, run) => sum + run.answers / run.seconds, 0), service, database };
}

async function measureClaims({ report, node }: { readonly report: Report; readonly node: Node }): Promise<void> {
  const times = await node.call("claim", claims);
  report.figures([
    inMilliseconds("claim, median", median(times)),
    { ...inMilliseconds("claim, slowest", Math.max(...times)), atMost: slowMilliseconds },
  ]);
}

const inMilliseconds = (what: string, value: number): Figure => ({ what, value, unit: "ms", digits: 1 });

/** Of those that are slow by themselves: what waited for the machine is left out. */
const showPlans = (report: Report, databaseUrl: string, slowest: ReturnType<typeof watchStatements>) =>
  onServer(databaseUrl, async (client) => {
    for (const [name, statement] of slowest) {
      const plan = await explain(client, statement);
      if (plan === undefined || !(plan.milliseconds > slowMilliseconds)) continue;
      report.note(
        `${name}, ${shown(statement.took, "ms", 1)} at most, ${shown(plan.milliseconds, "ms", 1)} when explained`,
      );
      for (const line of plan.lines) report.note(`  ${line.slice(0, 140)}`);
    }
  });

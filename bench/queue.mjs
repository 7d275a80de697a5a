/**
 * What starting a transcription costs beside a call of /usage, on one and two nodes of one PostgreSQL server, with an empty
 * queue and with a long one, and what claiming costs then. Needs DATABASE_URL, where databases may be created.
 *
 *   DATABASE_URL=postgres://... node bench/queue.mjs
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import process, { stdout } from "node:process";
import pg from "pg";
import { startChild } from "./processes/child.mjs";
import { requestBytes, sendRequests } from "./processes/raw-http.mjs";
import { seededPlatform } from "./libraries/seed-library.mjs";
import { median, medianRatio } from "./statistics.mjs";

const connections = 8;
const rounds = 15;
const seconds = 0.5;
const callers = 40;
const waiting = 50_000;
const waitingAccounts = 2_500;

/** Only one in 64 characters may end an eleven-character code; ten characters are any. */
let reels = 0;
const nextReel = () => `${seededPlatform.origin}/reel/Q${(reels += 1).toString(36).padStart(8, "0")}A/`;

const seedQueue = `
  insert into account (id, email, plan, created_at)
  select 'acc_waiting_' || n, 'waiting@example.com', 'free', now() from generate_series(1, ${waitingAccounts}) as n;
  insert into transcription (id, account_id, platform, media_id, shortcode, url, queued_at)
  select 'trn_waiting_' || n, 'acc_waiting_' || 1 + n % ${waitingAccounts}, 'waiting', n, n, 'https://reels.test/reel/' || n, now()
  from generate_series(1, ${waiting}) as n;
  analyze`;

async function withDatabase(url, work) {
  const name = `reelscript_bench_${process.pid}`;
  const run = async (statement, on = url) => {
    const client = new pg.Client({ connectionString: on });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await run(`create database ${name} encoding 'UTF8' template template0`);
  const own = Object.assign(new URL(url), { pathname: `/${name}` }).href;
  try {
    await work(own, (statement) => run(statement, own));
  } finally {
    await run(`drop database ${name} with (force)`);
  }
}

const requestsOf = (keys, request) => keys.map((key) => request({ authorization: `Bearer ${key}` }));
const usage = (headers) => requestBytes({ method: "GET", path: "/api/v1/usage", headers });
const start = (headers) =>
  requestBytes({
    method: "POST",
    path: "/api/v1/transcribe",
    headers: { ...headers, prefer: "respond-async" },
    body: { url: nextReel() },
  });

const cpuOf = async (nodes) =>
  (await Promise.all(nodes.map((node) => node.call("cpuMilliseconds")))).reduce((sum, one) => sum + one, 0);

/** Requests a second over all nodes at once, and the processor time of the nodes for each, without the database's. */
async function rateOf(nodes, requests) {
  const before = await cpuOf(nodes);
  const runs = await Promise.all(
    nodes.map(({ opened }, node) =>
      sendRequests({
        port: Number(new URL(opened.url).port),
        requests: requests.filter((_, index) => index % nodes.length === node),
        connections: connections / nodes.length,
        seconds,
      }),
    ),
  );
  const cpu = (await cpuOf(nodes)) - before;
  return {
    rate: runs.reduce((sum, run) => sum + run.answers / run.seconds, 0),
    cpu: cpu / runs.reduce((sum, run) => sum + run.answers, 0),
  };
}

async function measure(label, nodes, keys) {
  const measured = { usage: [], start: [] };
  for (let round = -1; round < rounds; round += 1) {
    const fresh = Array.from({ length: 40 }, () => requestsOf(keys, start)).flat();
    const [usages, starts] = [await rateOf(nodes, requestsOf(keys, usage)), await rateOf(nodes, fresh)];
    if (round < 0) continue;
    measured.usage.push(usages);
    measured.start.push(starts);
  }
  const of = (what, figure) => measured[what].map((one) => one[figure]);
  stdout.write(
    `${label.padEnd(34)} usage ${median(of("usage", "rate")).toFixed(0).padStart(5)}/s   ` +
      `start ${median(of("start", "rate")).toFixed(0).padStart(5)}/s   ` +
      `ratio ${medianRatio(of("usage", "rate"), of("start", "rate")).toFixed(2)}   ` +
      `processor time ${median(of("usage", "cpu")).toFixed(2)} and ${median(of("start", "cpu")).toFixed(2)} ms\n`,
  );
}

async function measureClaims(label, node) {
  const times = await node.call("claim", 40);
  stdout.write(
    `${label.padEnd(34)} claim median ${median(times).toFixed(2)} ms, worst ${Math.max(...times).toFixed(2)} ms\n`,
  );
}

const url = process.env.DATABASE_URL;
if (!url) throw new Error("DATABASE_URL is needed: a PostgreSQL server where databases may be created");
const folder = await mkdtemp(path.join(tmpdir(), "reelscript-bench-"));
const started = performance.now();
try {
  await withDatabase(url, async (databaseUrl, run) => {
    const nodes = [];
    try {
      for (const index of [1, 2])
        nodes.push(
          await startChild("./service-process.mjs", {
            dataDirectory: path.join(folder, String(index)),
            databaseUrl,
            standin: seededPlatform,
            queueLimit: 100_000,
            queueLimitPerAccount: 100_000,
          }),
        );
      const keys = [];
      for (let index = 0; index < callers; index += 1) keys.push((await nodes[0].call("createKey")).key);
      // No caller runs out of units, however fast the machine is.
      const freeUnits = () => run("update allowance set held = 0");
      await measure("empty queue, 1 node", nodes.slice(0, 1), keys);
      await freeUnits();
      await measure("empty queue, 2 nodes", nodes, keys);
      await freeUnits();
      await run(seedQueue);
      await measure(`${waiting} more waiting, 1 node`, nodes.slice(0, 1), keys);
      await freeUnits();
      await measure(`${waiting} more waiting, 2 nodes`, nodes, keys);
      await measureClaims(`${waiting} more waiting`, nodes[0]);
    } finally {
      for (const node of nodes.toReversed()) await node.stop();
    }
  });
} finally {
  await rm(folder, { recursive: true, force: true });
  stdout.write(`${((performance.now() - started) / 1_000).toFixed(0)} s\n`);
}

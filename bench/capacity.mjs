import os from "node:os";
import path from "node:path";
import pg from "pg";
import { startChild } from "./processes/child.mjs";
import { startLibraryServer } from "./libraries/library-server.mjs";
import { memoryOfTree } from "./processes/process-memory.mjs";
import { processorClock, processorTimeOfTree } from "./processes/process-times.mjs";
import { requestBytes } from "./processes/raw-http.mjs";
import { reelAddress } from "../server/dist/adapters/platforms/platform.js";
import { standinPlatform } from "../server/dist/adapters/platforms/platforms.js";
import { codeOf, seededPlatform, wordOf } from "./libraries/seed-library.mjs";
import { decodersHere, startService, startStandin, transcribe } from "./processes/services.mjs";
import { englishReelOf } from "./speech-clips.mjs";
import { median, pause } from "./statistics.mjs";

const connections = 8;
const startingAccounts = 40;
const lengths = [5, 15, 30, 60];
/** A decoder that warms up for the next file belongs to the reel before. */
const restMilliseconds = 1_500;

/** What one of each costs in processor time, of the service and of the database, and what a core does with it. */
export async function benchCapacity(needs) {
  const { report } = needs;
  if (os.platform() !== "linux") {
    report.section("Capacity");
    report.note("Not measured: only Linux tells the processor time of other processes.");
    return;
  }
  await measureRequests(needs);
  await measureTranscriptions(needs);
}

async function measureRequests({ report, folder, quick, transcripts }) {
  const rounds = quick ? 3 : 9;
  report.section(
    "Capacity: requests",
    `One api process and one PostgreSQL server with ${transcripts} transcripts; ${connections} keep-alive connections from another process; medians of ${rounds} rounds of a second, in turn.`,
    "Processor time of the service's process and of the database's processes for its connections, without those that write in the background.",
  );
  const server = await startLibraryServer({ folder, transcripts });
  if (!server) return report.note("left out: no PostgreSQL is installed here, and DATABASE_URL names none");
  const children = [];
  const started = async (promise) => {
    const child = await promise;
    children.push(child);
    return child;
  };
  try {
    const { databaseUrl, accounts } = server;
    const settings = { dataDirectory: path.join(folder, "api"), databaseUrl, standin: seededPlatform };
    const service = await started(
      startChild("./service-process.mjs", { ...settings, queueLimit: 1_000_000, queueLimitPerAccount: 1_000_000 }),
    );
    const load = await started(startChild("./load-process.mjs"));
    await measureSizes(report, databaseUrl);
    const ways = await waysOf(service, accounts, databaseUrl);
    const port = Number(new URL(service.opened.url).port);
    const run = (requests) => load.call("run", { port, requests, connections, seconds: 1 });
    for (const { requests } of ways) await run(requests());
    const databaseTime = await processorClock(databaseUrl);
    for (let round = 0; round < rounds; round += 1)
      for (const way of ways) {
        const requests = way.requests();
        await freeUnits(databaseUrl);
        const [serviceBefore, databaseBefore] = [await service.call("cpuMilliseconds"), await databaseTime()];
        const { answers } = await run(requests);
        way.service.push(((await service.call("cpuMilliseconds")) - serviceBefore) / answers);
        way.database.push(((await databaseTime()) - databaseBefore) / answers);
      }
    report.table(
      ["request", "service", "database", "a second per core of the service", "per core of the database"],
      ways.map(({ name, service: own, database }) => {
        const [one, other] = [median(own), median(database)];
        return [name, milli(one), milli(other), (1_000 / one).toFixed(0), (1_000 / other).toFixed(0)];
      }),
    );
    const { megabytes } = await memoryOfTree(service.processId);
    report.figures([{ what: "memory of the api process after it", figure: `${megabytes.toFixed(0)} MB` }]);
  } finally {
    for (const child of children.toReversed()) await child.stop();
    await server.stop();
  }
}

const connected = async (databaseUrl, work) => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return work(client).finally(() => client.end());
};

/** No caller runs out of units, however fast the machine is. */
const freeUnits = (databaseUrl) => connected(databaseUrl, (client) => client.query("update allowance set held = 0"));

const platform = standinPlatform(seededPlatform);

/** Gives some transcripts the ids of reels that can be named, and empties the queue that a run before may have left. */
async function prepare(databaseUrl) {
  const reels = Array.from({ length: 50 }, (_, index) => reelAddress(platform, codeOf(index)));
  await connected(databaseUrl, async (client) => {
    await client.query("delete from hold; delete from transcription");
    for (const [index, { mediaId }] of reels.entries())
      await client.query("update transcript set media_id = $1 where platform = 'standin' and media_id = $2", [
        mediaId,
        `seeded${index + 1}`,
      ]);
  });
  return reels.map(({ url }) => url);
}

async function waysOf(service, accounts, databaseUrl) {
  const cached = await prepare(databaseUrl);
  const headersOf = async (account) => ({
    authorization: `Bearer ${(await service.call("createKey", account)).key}`,
  });
  const caller = await headersOf();
  let started = 0;
  const starting = await Promise.all(Array.from({ length: startingAccounts }, () => headersOf()));
  const post = (headers, url, extra) =>
    requestBytes({ method: "POST", path: "/api/v1/transcribe", headers: { ...headers, ...extra }, body: { url } });
  const get = (headers, place) => requestBytes({ method: "GET", path: `/api/v1/${place}`, headers });
  const ways = [
    { name: "cached transcript (POST /transcribe)", requests: () => cached.map((url) => post(caller, url)) },
    { name: "key check (GET /usage)", requests: () => [get(caller, "usage")] },
    {
      name: "transcription started (POST /transcribe, 202)",
      requests: () =>
        Array.from({ length: 4_000 }, (_, index) => {
          const code = `Q${(started += 1).toString(36).padStart(8, "0")}A`;
          return post(starting[index % startingAccounts], `${seededPlatform.origin}/reel/${code}/`, {
            prefer: "respond-async",
          });
        }),
    },
  ];
  for (const [size, owners] of [...accounts].toSorted(([one], [other]) => one - other)) {
    if (owners.length === 0) continue;
    const headers = await headersOf(owners[0]);
    ways.push(
      { name: `page of a library of ${size}`, requests: () => [get(headers, "scripts?limit=20")] },
      {
        name: `search in a library of ${size}`,
        requests: () => [3, 17, 40, 90].map((word) => get(headers, `scripts?limit=20&query=${wordOf(word)}`)),
      },
    );
  }
  return ways.map((way) => ({ ...way, service: [], database: [] }));
}

async function measureSizes(report, databaseUrl) {
  const { rows } = await connected(databaseUrl, (client) =>
    client.query(`
      select (select count(*) from transcript) as transcripts, pg_database_size(current_database()) as whole,
        pg_total_relation_size('transcript') as transcript, pg_total_relation_size('script') as script,
        (select count(*) from script) as scripts, (select count(*) from shelved_script) as shelved,
        pg_total_relation_size('shelved_script') as shelf`),
  );
  const size = Object.fromEntries(Object.entries(rows[0]).map(([name, value]) => [name, Number(value)]));
  const each = (bytes, count) => `${(bytes / count / 1_000).toFixed(2)} KB`;
  report.figures([
    { what: `database of ${size.transcripts} transcripts`, figure: `${(size.whole / 1e9).toFixed(2)} GB` },
    { what: "a transcript in the cache, with indexes", figure: each(size.transcript, size.transcripts) },
    { what: "a script in a library, with indexes", figure: each(size.script, size.scripts) },
    { what: "its copy in a library above 1,000", figure: each(size.shelf, size.shelved) },
  ]);
}

async function measureTranscriptions({ report, folder, quick, threads }) {
  const rounds = quick ? 2 : 5;
  report.section(
    "Capacity: transcriptions",
    `Fresh reels one after the other, embedded database, ${threads} threads; processor time of the service with its recognizer and decoder; medians of ${rounds} after one to warm up.`,
  );
  const standin = await startStandin();
  try {
    const [{ name, ffmpegPath }] = await decodersHere();
    const data = path.join(folder, "worker");
    const service = await startService({ folder: data, standin, recognition: { ffmpegPath, threads } });
    try {
      const rows = [];
      for (const seconds of lengths) {
        const { path: file, language, text, ...reel } = await englishReelOf(seconds);
        const costs = [];
        for (let round = -1; round < rounds; round += 1) {
          const url = await standin.call("publish", { path: file, seconds: reel.seconds, language, text });
          const before = await processorTimeOfTree(service.processId);
          await transcribe(service, url);
          await pause(restMilliseconds);
          if (round >= 0) costs.push(((await processorTimeOfTree(service.processId)) - before) / 1_000);
        }
        const cost = median(costs);
        rows.push([`${reel.seconds.toFixed(0)} s`, `${cost.toFixed(2)} s`, (3_600 / cost).toFixed(0)]);
      }
      report.note(`Decoder: ${name}`);
      report.table(["reel", "processor time", "an hour per core"], rows);
      const { megabytes } = await memoryOfTree(service.processId);
      report.figures([{ what: "memory of the worker, model loaded", figure: `${megabytes.toFixed(0)} MB` }]);
    } finally {
      await service.stop();
    }
  } finally {
    await standin.stop();
  }
}

const milli = (value) => `${value.toFixed(2)} ms`;

import { createServer } from "node:http";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { startPlatformStandin } from "@reelscript/platform-standin";
import {
  lackingForRoad,
  mediaHost,
  type PlatformRoad,
  startPlatformRoad,
} from "../scripts/processes/start-platform-road.ts";
import { type Caller, createCaller, withStore } from "../scripts/processes/start-program.ts";
import { ask, type Request } from "./load.ts";
import { publish, type Service, type Standin, startService, startStandin } from "./processes/start-service.ts";
import { startRecognizer } from "./processes/start-recognizer.ts";
import type { Figure, Needs } from "./report.ts";
import { englishReelOf, type StoredReel } from "./speech.ts";

/** `outageSeconds` 0: the proxies stay, because an exit that failed rests for a minute. */
const sizes = {
  whole: { batches: 10, links: 100, canceled: 14, retries: 6, outageSeconds: 180, reels: 30, longestSeconds: 60 },
  quick: { batches: 10, links: 100, canceled: 14, retries: 6, outageSeconds: 20, reels: 30, longestSeconds: 60 },
  smallest: { batches: 2, links: 3, canceled: 2, retries: 1, outageSeconds: 0, reels: 2, longestSeconds: 15 },
};
type Size = (typeof sizes)["whole"];
const mostOpen = 10;
const recognizerMilliseconds = 50;
/** The limits of calls apply: the longest wait of others, or that many times their wait alone in the same minute. */
const mostMilliseconds = 300;
const mostTimes = 6;
/** For an exit's rest, and the reels after it. */
const afterwardSeconds = 240;
const everyMilliseconds = 100;

interface Setup {
  readonly size: Size;
  readonly databaseUrl: string;
  readonly service: Service;
  readonly standin: Standin;
  readonly reel: StoredReel;
  /** The public platform and its proxies, if they can run here. */
  readonly elsewhere: Elsewhere | undefined;
}

/** Each row has two accounts of its own. */
interface Work extends Setup {
  readonly greedy: Caller;
  readonly quiet: Caller;
}

interface Elsewhere {
  readonly road: PlatformRoad;
  readonly addReel: () => string;
  stop(): Promise<void>;
}

interface Row {
  readonly name: (size: Size) => string;
  readonly measure: (work: Work, name: string) => Promise<Figure[]>;
}

/** An account does something with batches, or all exits fail, and the work of others is measured. */
const rows: readonly Row[] = [
  { name: ({ batches, links }) => `${batches} batches of ${links} share links`, measure: besideShareLinks },
  { name: ({ canceled }) => `${canceled} batches canceled, then all retried`, measure: retryCanceled },
  { name: ({ retries }) => `a batch that has nothing to retry, retried ${retries} times`, measure: retryDone },
  {
    name: ({ outageSeconds, reels }) => `no proxy opens a tunnel for ${outageSeconds} s, ${reels} reels queued`,
    measure: cutProxies,
  },
];

/** Measures the work of others on a service with workers, and a database of its own on the server. */
export async function measureNeighborsAtWork(needs: Needs, server: string): Promise<Figure[]> {
  const size = sizes[needs.extent];
  const selection = rows.filter(({ name }) => name(size).includes(needs.attack));
  if (selection.length === 0) return [];
  const setup = await openSetup(needs, server, size);
  const figures: Figure[] = [];
  for (const { name, measure } of selection) {
    const [greedy, quiet] = await withStore({ databaseUrl: setup.databaseUrl }, async (store) => [
      await createCaller(store),
      await createCaller(store),
    ]);
    figures.push(...(await measure({ ...setup, greedy: greedy!, quiet: quiet! }, name(size))));
  }
  if (setup.elsewhere === undefined)
    needs.report.note(`left out: proxies that open no tunnel, because ${lackingForRoad}`);
  return figures;
}

async function openSetup({ folder, started }: Needs, server: string, size: Size): Promise<Setup> {
  const client = new pg.Client(server);
  await client.connect();
  await client.query("create database work").finally(() => client.end());
  const databaseUrl = Object.assign(new URL(server), { pathname: "/work" }).href;
  const standin = await started(startStandin());
  const recognizer = await started(startRecognizer(recognizerMilliseconds));
  const elsewhere = lackingForRoad === undefined ? await started(startElsewhere(folder)) : undefined;
  const service = await started(
    startService({
      environment: {
        NODE_ENV: "development",
        DATA_DIR: path.join(folder, "work"),
        DATABASE_URL: databaseUrl,
        ...recognizer.settings,
        ...(elsewhere && {
          PLATFORM_PROXY: elsewhere.road.proxy,
          PLATFORM_INTERVAL_SECONDS: "0",
          NODE_EXTRA_CA_CERTS: elsewhere.road.authority,
          SOURCES: "platform",
        }),
      },
      standin: standin.origins,
    }),
  );
  const reel = await englishReelOf(10);
  return { size, databaseUrl, service, standin, reel, elsewhere };
}

async function startElsewhere(folder: string): Promise<Elsewhere> {
  const standin = await startPlatformStandin({ mediaName: `https://${mediaHost}` });
  const road = await startPlatformRoad(standin, folder, { exits: 2 });
  const { path: file, seconds } = await englishReelOf(10);
  const bytes = readFileSync(file);
  return {
    road,
    addReel: () => `https://www.instagram.com/reel/${standin.addReel({ bytes, seconds }).code}/`,
    async stop() {
      await road.close();
      await standin.close();
    },
  };
}

interface Batch {
  readonly id: string;
  readonly status: "open" | "finished";
  readonly counts: { readonly done: number; readonly failed: number };
}

/** Throws unless it is served, or refused with a status in `but`. */
async function send<Answer>(
  { service }: Work,
  { key }: Caller,
  request: Omit<Request, "headers"> & { readonly but?: number },
): Promise<Answer> {
  const { but, ...call } = request;
  const answer = await ask(service.url, {
    ...call,
    path: `/api/v1${call.path}`,
    headers: { authorization: `Bearer ${key}`, prefer: "respond-async" },
  });
  const text = answer.body.toString();
  if (answer.status < 300 || answer.status === but) return JSON.parse(text) as Answer;
  throw new Error(`${call.path} was answered with ${answer.status}: ${text.slice(0, 300)}`);
}

const sendBatch = (work: Work, caller: Caller, urls: readonly string[]): Promise<Batch> =>
  send<Batch>(work, caller, { method: "POST", path: "/transcriptions", body: { urls } });
const readBatch = (work: Work, caller: Caller, id: string): Promise<Batch> =>
  send<Batch>(work, caller, { path: `/batches/${id}` });
const cancelBatch = (work: Work, caller: Caller, id: string): Promise<Batch> =>
  send<Batch>(work, caller, { method: "DELETE", path: `/batches/${id}` });

/** Milliseconds until it is so, or the longest time. */
async function until(longestSeconds: number, isSo: () => Promise<boolean>): Promise<number> {
  const from = performance.now();
  while (performance.now() - from < longestSeconds * 1_000 && !(await isSo())) await pause(everyMilliseconds);
  return performance.now() - from;
}

/** Milliseconds of the quiet account's batch of three reels. */
async function timeOfThree(work: Work): Promise<number> {
  const from = performance.now();
  const urls = Array.from({ length: 3 }, () => publish(work.standin, work.reel));
  const { id } = await sendBatch(work, work.quiet, urls);
  const isFinished = async (): Promise<boolean> => (await readBatch(work, work.quiet, id)).status === "finished";
  await until(work.size.longestSeconds, isFinished);
  return performance.now() - from;
}

let shareLinks = 0;
const deadLinks = ({ standin }: Work, count: number): string[] =>
  Array.from(
    { length: count },
    () => `${standin.origins.page}/share/reel/BA${String((shareLinks += 1)).padStart(8, "0")}/`,
  );

/** The platform answers no share link meanwhile. */
async function besideShareLinks(work: Work, name: string): Promise<Figure[]> {
  const { size, standin, greedy } = work;
  await timeOfThree(work);
  const alone = await timeOfThree(work);
  const shares = standin.holdShares();
  const ids: string[] = [];
  for (let batch = 0; batch < size.batches; batch += 1)
    ids.push((await sendBatch(work, greedy, deadLinks(work, size.links))).id);
  await until(size.longestSeconds, async () => shares.waiting > 0);
  const beside = await timeOfThree(work);
  shares.release();
  for (const id of ids) await cancelBatch(work, greedy, id);
  const what = `${name}, another account's batch of three reels`;
  return [
    { what: `${what}, alone`, value: alone, unit: "ms" },
    {
      what: `${what}, beside`,
      value: beside,
      unit: "ms",
      atMost: Math.max(mostMilliseconds, mostTimes * Math.round(alone)),
    },
  ];
}

async function retryCanceled(work: Work, name: string): Promise<Figure[]> {
  const { size, standin, greedy } = work;
  const shares = standin.holdShares();
  const ids: string[] = [];
  for (let batch = 0; batch < size.canceled; batch += 1) {
    const { id } = await sendBatch(work, greedy, deadLinks(work, 3));
    await cancelBatch(work, greedy, id);
    ids.push(id);
  }
  await Promise.all(ids.map((id) => send(work, greedy, { method: "POST", path: `/batches/${id}/retry`, but: 429 })));
  const { batches } = await send<{ readonly batches: readonly Batch[] }>(work, greedy, {
    path: "/batches?status=open&limit=50",
  });
  shares.release();
  for (const id of ids) await cancelBatch(work, greedy, id);
  return [{ what: `${name}, open`, value: batches.length, atMost: mostOpen }];
}

/** Counts `batch.finished` after the first. */
async function retryDone(work: Work, name: string): Promise<Figure[]> {
  const { size, standin, reel, greedy } = work;
  let events = 0;
  const receiver = createServer(async (request, response) => {
    if ((await text(request)).includes('"batch.finished"')) events += 1;
    response.writeHead(204).end();
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const { webhook } = await send<{ readonly webhook: { readonly id: string } }>(work, greedy, {
    method: "POST",
    path: "/webhooks",
    body: { url },
  });
  const { id } = await sendBatch(work, greedy, [publish(standin, reel)]);
  await until(size.longestSeconds, async () => (await readBatch(work, greedy, id)).status === "finished");
  await until(size.longestSeconds, async () => events > 0);
  for (let count = 0; count < size.retries; count += 1)
    await send(work, greedy, { method: "POST", path: `/batches/${id}/retry` });
  // Two rounds of the work that sends events.
  await pause(4_500);
  await send(work, greedy, { method: "DELETE", path: `/webhooks/${webhook.id}` });
  receiver.close();
  receiver.closeAllConnections();
  return [{ what: `${name}, events of it`, value: events - 1, exactly: 0 }];
}

async function cutProxies(work: Work, name: string): Promise<Figure[]> {
  const { size, elsewhere, quiet } = work;
  if (elsewhere === undefined) return [];
  if (size.outageSeconds > 0) elsewhere.road.cut();
  const { id } = await sendBatch(
    work,
    quiet,
    Array.from({ length: size.reels }, () => elsewhere.addReel()),
  );
  await pause(size.outageSeconds * 1_000);
  elsewhere.road.open();
  await until(afterwardSeconds, async () => (await readBatch(work, quiet, id)).status === "finished");
  const { counts } = await readBatch(work, quiet, id);
  return [
    { what: `${name}, failed`, value: counts.failed, exactly: 0 },
    { what: `${name}, transcribed afterward`, value: counts.done, exactly: size.reels },
  ];
}

import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { BareAnswer, BarePageMethods } from "./processes/bare-page-process.ts";
import { type Child, startChild } from "./processes/child.ts";
import type { LoadMethods } from "./processes/load-process.ts";
import { memoryOfTree } from "./processes/process-memory.ts";
import { requestBytes } from "./processes/raw-http.ts";
import { type Needs, type Report, shown } from "./report.ts";
import { type Service, startService } from "./processes/services.ts";
import { seededPlatform } from "./libraries/seed-library.ts";
import { median, medianRatio, p99 } from "./statistics.ts";

const connections = 8;
const handle = "bench.page";
const browser =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1";

/** Bio pages beside a bare route with the same bytes, whether every view is counted, and what visits leave in memory. */
export async function benchBioPages({ report, folder, quick, started }: Needs): Promise<void> {
  const rounds = quick ? 5 : 15;
  report.section(
    "Bio pages",
    `${connections} keep-alive connections from another process, ${rounds} rounds of 1 s each after one to warm up, all in turn.`,
    "A page of twelve links, compressed by Brotli. Bare: a Fastify route with its defaults that returns the same bytes.",
  );
  const service = await started(startService({ folder, standin: { opened: seededPlatform }, trustProxy: "127.0.0.1" }));
  const id = await service.call("makeBioPage", { accountId: service.accountId, handle });
  const port = Number(new URL(service.url).port);
  const answers = [await fetchOnce(port, `/@${handle}`), await fetchOnce(port, `/v/${id}`)];
  const bare = await started(startChild<BarePageMethods>("./bare-page-process.js", { answers }));
  const load = await started(startChild<LoadMethods>("./load-process.js"));
  const visited = { report, service, load, port, id };
  await compare({ ...visited, rounds, barePort: bare.opened.port });
  await countExactly(visited);
  await watchMemory({ ...visited, visits: quick ? 20_000 : 100_000 });
}

interface Visited {
  readonly report: Report;
  readonly service: Service;
  readonly load: Child<LoadMethods>;
  readonly port: number;
  /** Of the page. */
  readonly id: string;
}

const ownHeaders = new Set(["date", "connection", "keep-alive", "content-length", "x-request-id"]);

/** As a browser gets it, with what a route has to say to give the same. */
async function fetchOnce(port: number, path: string): Promise<BareAnswer> {
  const headers = { "user-agent": browser, "accept-encoding": "br" };
  const [answer] = (await once(request({ port, host: "127.0.0.1", path, headers }).end(), "response")) as [
    IncomingMessage,
  ];
  const body = Buffer.concat((await answer.toArray()) as Buffer[]);
  const given = Object.entries(answer.headers).filter(([name]) => !ownHeaders.has(name));
  return { path, headers: Object.fromEntries(given), body };
}

const get = (path: string, visitor = 0): Uint8Array =>
  requestBytes({
    method: "GET",
    path,
    headers: {
      "user-agent": browser,
      "accept-encoding": "br",
      "x-forwarded-for": `${20 + (visitor >> 16)}.${(visitor >> 8) & 255}.${visitor & 255}.7`,
    },
  });

async function compare({
  report,
  load,
  port,
  id,
  rounds,
  barePort,
}: Visited & { readonly rounds: number; readonly barePort: number }): Promise<void> {
  const pages = [get(`/@${handle}`)];
  const perRound = 8_000;
  const ways = [
    { name: "page", to: port, requests: () => pages },
    { name: "page, bare", to: barePort, requests: () => pages },
    {
      name: "page, then its view",
      to: port,
      requests: (round: number) => withViews(id, (round + 1) * perRound, perRound),
    },
    { name: "page, then its view, bare", to: barePort, requests: () => withViews(id, 0, 16) },
  ].map((way) => ({ ...way, rates: [] as number[], slowest: [] as number[] }));
  for (let round = -1; round < rounds; round += 1)
    for (const { to, requests, rates, slowest } of ways) {
      const run = await load.call("run", { port: to, requests: requests(round), connections, seconds: 1 });
      if (round < 0) continue;
      rates.push(run.answers / run.seconds);
      slowest.push(p99(run.times));
    }
  report.table(
    ["what", "answers/s, median", "p99, median"],
    ways.map(({ name, rates, slowest }) => [name, shown(median(rates)), shown(median(slowest), "ms", 2)]),
  );
  const ratioOf = (figure: "rates" | "slowest", one: number): number =>
    medianRatio(ways[one]![figure], ways[one + 1]![figure]);
  report.figures([
    { what: "pages to the bare route", value: ratioOf("rates", 0), unit: "x", atLeast: 0.5 },
    { what: "pages with counted views to bare routes", value: ratioOf("rates", 2), unit: "x", atLeast: 0.5 },
    { what: "p99 of pages to the bare route", value: ratioOf("slowest", 0), unit: "x" },
    { what: "p99 with counted views to bare routes", value: ratioOf("slowest", 2), unit: "x" },
  ]);
}

/** Each connection takes every eighth request, so that a page and its view alternate on it. */
const withViews = (id: string, first: number, count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, index) =>
    Math.floor(index / connections) % 2 === 0 ? get(`/@${handle}`) : get(`/v/${id}`, first + index),
  );

async function countExactly({ report, service, load, port, id }: Visited): Promise<void> {
  const views = 10_000;
  const requests = Array.from({ length: views }, (_, index) => get(`/v/${id}`, 1_000_000 + index));
  const before = (await settledViews(service)).views;
  const { seconds } = await load.call("run", { port, requests, connections: 64, seconds: 0, once: true });
  const { views: after, excluded } = await settledViews(service);
  const left = Object.entries(excluded).filter(([, count]) => count > 0);
  const what = `views counted of ${views} over 64 connections, in ${seconds.toFixed(1)} s`;
  report.figures([{ what, value: after - before, exactly: views }]);
  if (left.length > 0) report.note(`left out: ${left.map(([reason, count]) => `${reason} ${count}`).join(", ")}`);
}

const viewsOf = (service: Service) => service.call("bioViews", service.accountId);

/** Views are written within a second or so. */
async function settledViews(service: Service): ReturnType<typeof viewsOf> {
  let last = await viewsOf(service);
  for (;;) {
    await pause(2_500);
    const now = await viewsOf(service);
    if (now.views === last.views) return now;
    last = now;
  }
}

async function watchMemory({
  report,
  service,
  load,
  port,
  id,
  visits,
}: Visited & { readonly visits: number }): Promise<void> {
  const steps = 5;
  const each = visits / steps;
  const sizes = [];
  for (let step = 0; step < steps; step += 1) {
    const requests = Array.from({ length: each }, (_, index) => get(`/v/${id}`, 2_000_000 + step * each + index));
    await load.call("run", { port, requests, connections, seconds: 0, once: true });
    await settledViews(service);
    sizes.push((await memoryOfTree(service.processId)).megabytes);
  }
  const growth = sizes.at(-1)! / sizes[0]!;
  report.table(
    ["visits", "memory of the service"],
    sizes.map((size, step) => [(step + 1) * each, shown(size, "MB")]),
  );
  const what = "memory after the last visits to after the first fifth";
  report.figures([{ what, value: growth, unit: "x", atMost: 1.15 }]);
}

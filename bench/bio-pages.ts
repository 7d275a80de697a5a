import { request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { BareAnswer, BarePageMethods } from "./processes/bare-page-process.ts";
import { type Child, startChild, withStarted } from "./processes/child.ts";
import type { LoadMethods } from "./processes/load-process.ts";
import { memoryOfTree } from "./processes/process-memory.ts";
import { requestBytes } from "./processes/raw-http.ts";
import { atLeast, atMost, type Needs, ratio, type Report } from "./report.ts";
import { type Service, startService } from "./processes/services.ts";
import { seededPlatform } from "./libraries/seed-library.ts";
import { median, medianRatio, p99 } from "./statistics.ts";

const connections = 8;
const handle = "bench.page";
const browser =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1";

/** Bio pages beside a bare route with the same bytes, whether every view is counted, and what visits leave in memory. */
export async function benchBioPages({ report, folder, quick }: Needs): Promise<void> {
  const rounds = quick ? 5 : 15;
  report.section(
    "Bio pages",
    `${connections} keep-alive connections from another process, ${rounds} rounds of 1 s each after one to warm up, all in turn.`,
    "A page of twelve links, compressed by Brotli. Bare: a Fastify route with its defaults that returns the same bytes.",
  );
  await withStarted(async (started) => {
    const service = await started(
      startService({ folder, standin: { opened: seededPlatform }, trustProxy: "127.0.0.1" }),
    );
    const { accountId } = service;
    const id = await service.call("makeBioPage", { accountId, handle });
    const port = Number(new URL(service.url).port);
    const page = await fetchOnce(port, `/@${handle}`);
    const pixel = await fetchOnce(port, `/v/${id}`);
    const bare = await started(startChild<BarePageMethods>("./bare-page-process.js", { answers: [page, pixel] }));
    const load = await started(startChild<LoadMethods>("./load-process.js"));
    const settings = { service: { port }, bare: { port: bare.opened.port } };
    await compare({ report, load, rounds, settings, id });
    const before = (await service.call("bioViews", accountId)).views;
    await countExactly({ report, service, load, port, id, before });
    await watchMemory({ report, service, load, port, id, visits: quick ? 20_000 : 100_000 });
  });
}

interface Visited {
  readonly report: Report;
  readonly service: Service;
  readonly load: Child<LoadMethods>;
  readonly port: number;
  /** Of the page. */
  readonly id: string;
}

/** As a browser gets it, with what a route has to say to give the same. */
function fetchOnce(port: number, path: string): Promise<BareAnswer> {
  return new Promise((resolve, reject) => {
    request(
      { port, host: "127.0.0.1", path, headers: { "user-agent": browser, "accept-encoding": "br" } },
      (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("error", reject);
        answer.on("end", () => {
          const own = new Set(["date", "connection", "keep-alive", "content-length", "x-request-id"]);
          const headers = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !own.has(name)));
          resolve({ path, headers, body: Buffer.concat(parts) });
        });
      },
    )
      .on("error", reject)
      .end();
  });
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

interface Measured {
  readonly rates: readonly number[];
  readonly slowest: readonly number[];
}

async function compare({
  report,
  load,
  rounds,
  settings,
  id,
}: Pick<Visited, "report" | "load" | "id"> & {
  readonly rounds: number;
  readonly settings: Readonly<Record<"service" | "bare", { readonly port: number }>>;
}): Promise<void> {
  const pages = [get(`/@${handle}`)];
  const perRound = 8_000;
  const asked: readonly {
    readonly name: string;
    readonly of: keyof typeof settings;
    readonly requests: (round: number) => readonly Uint8Array[];
  }[] = [
    { name: "page", of: "service", requests: () => pages },
    { name: "page, bare", of: "bare", requests: () => pages },
    {
      name: "page, then its view",
      of: "service",
      requests: (round) => withViews(id, (round + 1) * perRound, perRound),
    },
    { name: "page, then its view, bare", of: "bare", requests: () => withViews(id, 0, 16) },
  ];
  const ways = asked.map((way) => ({ ...way, rates: [] as number[], slowest: [] as number[] }));
  for (let round = -1; round < rounds; round += 1)
    for (const way of ways) {
      const { port } = settings[way.of];
      const run = await load.call("run", { port, requests: way.requests(round), connections, seconds: 1 });
      if (round < 0) continue;
      way.rates.push(run.answers / run.seconds);
      way.slowest.push(p99(run.times));
    }
  report.table(
    ["what", "answers/s, median", "p99, median"],
    ways.map(({ name, rates, slowest }) => [name, median(rates).toFixed(0), `${median(slowest).toFixed(2)} ms`]),
  );
  const [own, bare, ownCounted, bareCounted] = ways as readonly Measured[] as readonly [
    Measured,
    Measured,
    Measured,
    Measured,
  ];
  const alone = medianRatio(own.rates, bare.rates);
  const counted = medianRatio(ownCounted.rates, bareCounted.rates);
  report.figures([
    { what: "pages to the bare route", figure: ratio(alone), aim: atLeast(alone, 0.5) },
    { what: "pages with counted views to bare routes", figure: ratio(counted), aim: atLeast(counted, 0.5) },
    { what: "p99 of pages to the bare route", figure: ratio(medianRatio(own.slowest, bare.slowest)) },
    {
      what: "p99 with counted views to bare routes",
      figure: ratio(medianRatio(ownCounted.slowest, bareCounted.slowest)),
    },
  ]);
}

/** Each connection takes every eighth request, so that a page and its view alternate on it. */
const withViews = (id: string, first: number, count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, index) =>
    Math.floor(index / connections) % 2 === 0 ? get(`/@${handle}`) : get(`/v/${id}`, first + index),
  );

async function countExactly({
  report,
  service,
  load,
  port,
  id,
  before,
}: Visited & { readonly before: number }): Promise<void> {
  const views = 10_000;
  const requests = Array.from({ length: views }, (_, index) => get(`/v/${id}`, 1_000_000 + index));
  await settledViews(service);
  const from = Math.max(before, (await viewsOf(service)).views);
  const { answers, seconds } = await load.call("run", { port, requests, connections: 64, seconds: 0, once: true });
  const { views: after, excluded } = await settledViews(service);
  const left = Object.entries(excluded).filter(([, count]) => count > 0);
  const counted = after - from;
  report.figures([
    {
      what: `views counted of ${views} over 64 connections, in ${seconds.toFixed(1)} s`,
      figure: String(counted),
      aim: { text: `aim: ${answers}`, isMet: counted === answers && answers === views },
    },
  ]);
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
    sizes.map((size, step) => [String((step + 1) * each), `${size.toFixed(0)} MB`]),
  );
  report.figures([
    { what: "memory after the last visits to after the first fifth", figure: ratio(growth), aim: atMost(growth, 1.15) },
  ]);
}

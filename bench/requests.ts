import { cp } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { BioContent } from "@reelscript/contract";
import { openEmbeddedEngine } from "#server/adapters/database/engine/embedded/embedded-engine.ts";
import type { OpenedStore } from "#server/adapters/database/open-store.ts";
import { fillLibraries, reelsOf, wordOf } from "./fill-libraries.ts";
import { askWell, type Request, sendRequests } from "./load.ts";
import type { BareRoutes, NotedRequest } from "./processes/bare-routes.ts";
import type { Statement } from "./processes/probe.ts";
import { processorTimeOf } from "../scripts/processes/process-table.ts";
import { createCaller, withStore } from "../scripts/processes/start-program.ts";
import { type Needs, formatFigure } from "./report.ts";
import { type Service, startBareRoutes, startService } from "./processes/start-service.ts";
import { median, medianRatio } from "./statistics.ts";

const connections = 8;
const sizes = {
  whole: { rounds: 20, seconds: 1, transcripts: 5_000, owned: 1_000, different: 50 },
  quick: { rounds: 3, seconds: 1, transcripts: 5_000, owned: 1_000, different: 50 },
  smallest: { rounds: 1, seconds: 0.1, transcripts: 200, owned: 100, different: 5 },
};
const handle = "bench.page";

/**
 * Measures requests per second of a cached transcribe, a search and a bio page, compared with bare Fastify routes that do the
 * same work.
 */
export async function benchRequests({ report, folder, extent, started }: Needs): Promise<void> {
  const { rounds, seconds, transcripts, owned, different } = sizes[extent];
  report.section(
    "Requests a second",
    `${connections} keep-alive connections from another process, ${rounds} rounds of ${seconds} s each after one to warm up, all in turn.`,
    `Embedded database: ${transcripts} cached transcripts, ${owned} of them in the caller's library; the bare routes have a copy of it.`,
    "Rate limits are raised. Bare: a Fastify route with its defaults that runs the statements noted from the service, or returns the same bytes.",
  );
  const dataFolder = path.join(folder, "own");
  const copy = path.join(folder, "copy");
  const { key, reels } = await fill(dataFolder, sizes[extent]);
  await cp(dataFolder, copy, { recursive: true });
  // One key represents as many callers as there are connections.
  const environment = { DATA_DIR: dataFolder, CALLS_AT_A_TIME: String(connections) };
  const service = await started(startService({ environment, isProbed: true }));

  const headers = { authorization: `Bearer ${key}` };
  const queries = Array.from({ length: different }, (_, index) => `${wordOf(index * 7 + 3)} ${wordOf(index + 1)} `);
  const transcribeAt = (route: string) => (url: string) =>
    ({ method: "POST", path: route, headers, body: { url } }) satisfies Request;
  const searchAt = (route: string) => (query: string) =>
    ({ path: `${route}?query=${encodeURIComponent(query)}&limit=20`, headers }) satisfies Request;
  const page = { path: `/@${handle}`, headers: { "accept-encoding": "br" } };
  const cached = await noteStatements(service, reels, transcribeAt("/api/v1/transcribe"));
  const searches = await noteStatements(service, queries, searchAt("/api/v1/scripts"));
  const bytes = await bytesOf(service, page);
  const bare = await started(startBareRoutes({ dataDirectory: copy, cached, searches, page: bytes }));

  const ways = [
    { name: "cached transcribe, REST", to: service, requests: reels.map(transcribeAt("/api/v1/transcribe")) },
    { name: "cached transcribe, bare", to: bare, requests: reels.map(transcribeAt("/transcribe")) },
    { name: "search, REST", to: service, requests: queries.map(searchAt("/api/v1/scripts")) },
    { name: "search, bare", to: bare, requests: queries.map(searchAt("/scripts")) },
    { name: "bio page", to: service, requests: [page] },
    { name: "bio page, bare", to: bare, requests: [page] },
    { name: "cached transcribe_reel, MCP", to: service, requests: reels.map((url) => mcpTranscribe(url, headers)) },
  ].map((way) => ({ ...way, rates: [] as number[], costs: [] as number[] }));
  for (let round = -1; round < rounds; round += 1)
    for (const { to, requests, rates, costs } of ways) {
      const before = processorTimeOf(to.processId);
      const run = await sendRequests({ origin: to.url, requests, connections, seconds });
      if (round < 0) continue;
      rates.push(run.answers / run.seconds);
      costs.push((processorTimeOf(to.processId) - before) / run.answers);
    }
  report.table(
    ["what", "requests/s, median", "processor time each"],
    ways.map(({ name, rates, costs }) => [name, formatFigure(median(rates)), formatFigure(median(costs), "ms", 2)]),
  );
  report.note(`Statements of a cached transcribe: ${namesOf(cached)}; of a search: ${namesOf(searches)}.`);
  const ratioOf = (one: number, other: number): number => medianRatio(ways[one]!.rates, ways[other]!.rates);
  report.figures([
    { what: "cached transcribe to the bare route", value: ratioOf(0, 1), unit: "x", atLeast: 0.5 },
    { what: "search to the bare route", value: ratioOf(2, 3), unit: "x", atLeast: 0.5 },
    { what: "bio pages to the bare route", value: ratioOf(4, 5), unit: "x", atLeast: 0.5 },
    { what: "cached transcribe_reel by MCP to REST", value: ratioOf(6, 0), unit: "x" },
  ]);
}

/** Creates a new database; returns the key of the library's owner, and some of its reels. */
async function fill(
  dataDirectory: string,
  { transcripts, owned, different }: (typeof sizes)["whole"],
): Promise<{ readonly key: string; readonly reels: readonly string[] }> {
  await withStore({ dataDirectory }, async () => undefined);
  const engine = await openEmbeddedEngine({ dataDirectory });
  const accounts = await fillLibraries(engine.pool, { transcripts, largest: owned });
  const accountId = accounts.get(owned)![0]!;
  const reels = await reelsOf(engine.pool, accountId, different);
  await engine.close();
  return await withStore({ dataDirectory }, async (store) => {
    await makeBioPage(store, accountId);
    return { reels, key: (await createCaller(store, { accountId })).key };
  });
}

async function makeBioPage({ bioPages }: OpenedStore, accountId: string): Promise<void> {
  const links = Array.from({ length: 12 }, (_, index) => ({
    id: `lnk_bench${index}`,
    title: `Link number ${index + 1}`,
    url: `https://example.com/${index}`,
  }));
  const now = new Date();
  await bioPages.change(accountId, () => BioContent.parse({ displayName: "Bench", bio: "Twelve links.", links }), now);
  const claimed = await bioPages.claimHandle(accountId, handle, now);
  if (typeof claimed === "string") throw new Error(`the handle is ${claimed}`);
}

/** Sends each request once and records the service's statements. */
async function noteStatements(
  service: Service,
  things: readonly string[],
  requestOf: (thing: string) => Request,
): Promise<NotedRequest[]> {
  // The first request with a key also marks the key as used, which happens once a minute.
  await askWell(service.url, requestOf(things[0]!));
  const noted: NotedRequest[] = [];
  for (const thing of things) {
    const lists: Statement[][] = [];
    for (let time = 0; time < 3; time += 1) {
      await service.ask("noteStatements");
      await askWell(service.url, requestOf(thing));
      await pause(5);
      lists.push(await service.ask("takeStatements"));
    }
    // A longer list includes statements of the service's background work.
    const shortest = lists.reduce((one, other) => (other.length < one.length ? other : one));
    if (shortest.length === 0) throw new Error("a call ran no statement");
    noted.push([thing, shortest]);
  }
  return noted;
}

const namesOf = (noted: readonly NotedRequest[]): string =>
  noted[0]![1].map(({ name, text }) => name ?? text.trim().slice(0, 30)).join(", ");

const ownHeaders = new Set(["date", "connection", "keep-alive", "content-length", "x-request-id"]);

/** The page, and what a bare route needs to return the same. */
async function bytesOf({ url }: Service, page: Request): Promise<BareRoutes["page"]> {
  const { headers, body } = await askWell(url, page);
  const given = Object.entries(headers).filter(([name]) => !ownHeaders.has(name));
  return { path: page.path, headers: Object.fromEntries(given), body };
}

const protocol = "2026-07-28";
const mcpTranscribe = (url: string, headers: Request["headers"]): Request => ({
  method: "POST",
  path: "/mcp",
  headers: {
    ...headers,
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": protocol,
    "mcp-method": "tools/call",
    "mcp-name": "transcribe_reel",
  },
  body: {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name: "transcribe_reel",
      arguments: { url },
      _meta: {
        "io.modelcontextprotocol/protocolVersion": protocol,
        "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  },
});

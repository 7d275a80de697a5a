import { cp } from "node:fs/promises";
import path from "node:path";
import type { BareRouteMethods, NotedRequest } from "./processes/bare-route-process.ts";
import { type Child, startChild } from "./processes/child.ts";
import type { LoadMethods } from "./processes/load-process.ts";
import type { ServiceMethods } from "./processes/service-process.ts";
import { type Headers, requestBytes, sendRequests } from "./processes/raw-http.ts";
import type { Statement } from "./processes/slow-statements.ts";
import { type Needs, shown } from "./report.ts";
import { seededPlatform, seedLibrary, wordOf } from "./libraries/seed-library.ts";
import { median, medianRatio } from "./statistics.ts";

const transcripts = 5_000;
const owned = 1_000;
const connections = 8;
const different = 50;

/** Requests a second of a cached transcribe and of a search, beside a bare Fastify route with the same statements. */
export async function benchRequests({ report, folder, quick, started }: Needs): Promise<void> {
  const rounds = quick ? 6 : 20;
  const seconds = 1;
  report.section(
    "Requests a second",
    `${connections} keep-alive connections from another process, ${rounds} rounds of ${seconds} s each after one to warm up, all in turn.`,
    `Embedded database: ${transcripts} cached transcripts, ${owned} of them in the caller's library; the bare route has a copy of it.`,
    "Rate limits are raised to 1,000,000 an hour. Bare: a Fastify route with its defaults that runs the statements noted from the service.",
  );
  const own = path.join(folder, "own");
  const copy = path.join(folder, "copy");
  const { key, urls } = await seedLibrary({ dataDirectory: own, transcripts, owned });
  await cp(own, copy, { recursive: true });

  const service = await started(
    startChild<ServiceMethods>("./service-process.js", {
      dataDirectory: own,
      standin: seededPlatform,
      notesStatements: true,
    }),
  );
  const load = await started(startChild<LoadMethods>("./load-process.js"));
  const headers = { authorization: `Bearer ${key}` };
  const reels = urls.slice(0, different);
  const queries = Array.from({ length: different }, (_, index) => `${wordOf(index * 7 + 3)} ${wordOf(index + 1)} `);
  const cached = await noteStatements(service, reels, (url) => restTranscribe(url, headers));
  const searches = await noteStatements(service, queries, (query) => restSearch("/api/v1/scripts", query, headers));
  const bare = await started(
    startChild<BareRouteMethods>("./bare-route-process.js", { dataDirectory: copy, cached, searches }),
  );

  const servicePort = Number(new URL(service.opened.url!).port);
  const barePort = bare.opened.port;
  const ways = [
    { name: "cached transcribe, REST", port: servicePort, requests: reels.map((url) => restTranscribe(url, headers)) },
    { name: "cached transcribe, bare", port: barePort, requests: reels.map((url) => bareTranscribe(url, headers)) },
    {
      name: "search, REST",
      port: servicePort,
      requests: queries.map((query) => restSearch("/api/v1/scripts", query, headers)),
    },
    { name: "search, bare", port: barePort, requests: queries.map((query) => restSearch("/scripts", query, headers)) },
    {
      name: "cached transcribe_reel, MCP",
      port: servicePort,
      requests: reels.map((url) => mcpTranscribe(url, headers)),
    },
  ].map((way) => ({ ...way, rates: [] as number[], costs: [] as number[] }));
  for (let round = -1; round < rounds; round += 1)
    for (const way of ways) {
      const { port, requests } = way;
      const cpuNow = () => (port === servicePort ? service.call("cpuMilliseconds") : bare.call("cpuMilliseconds"));
      const cpuBefore = await cpuNow();
      const run = await load.call("run", { port, requests, connections, seconds });
      const cpu = (await cpuNow()) - cpuBefore;
      if (round < 0) continue;
      way.rates.push(run.answers / run.seconds);
      way.costs.push(cpu / run.answers);
    }
  report.table(
    ["what", "requests/s, median", "most", "processor time each"],
    ways.map(({ name, rates, costs }) => [
      name,
      shown(median(rates)),
      shown(Math.max(...rates)),
      shown(median(costs), "ms", 2),
    ]),
  );
  report.note(`Statements of a cached transcribe: ${namesOf(cached)}; of a search: ${namesOf(searches)}.`);
  const ratioOf = (one: number, other: number): number => medianRatio(ways[one]!.rates, ways[other]!.rates);
  report.figures([
    { what: "cached transcribe to the bare route", value: ratioOf(0, 1), unit: "x", atLeast: 0.5 },
    { what: "search to the bare route", value: ratioOf(2, 3), unit: "x", atLeast: 0.5 },
    { what: "cached transcribe_reel by MCP to REST", value: ratioOf(4, 0), unit: "x" },
  ]);
}

/** Asks the service each thing once and notes what it asks the database. */
async function noteStatements(
  service: Child<ServiceMethods>,
  things: readonly string[],
  requestOf: (thing: string) => Uint8Array,
): Promise<NotedRequest[]> {
  const port = Number(new URL(service.opened.url!).port);
  const ask = (thing: string) => sendRequests({ port, requests: [requestOf(thing)], connections: 1, seconds: 0 });
  // The first request with a key also marks the key as used, which happens once a minute.
  await ask(things[0]!);
  const noted: NotedRequest[] = [];
  for (const thing of things) {
    const lists: Statement[][] = [];
    for (let time = 0; time < 3; time += 1) {
      await service.call("startNoting");
      await ask(thing);
      lists.push((await service.call("takeStatements")) ?? []);
    }
    // A longer one has caught something that the service does in the background.
    noted.push([thing, lists.reduce((shortest, list) => (list.length < shortest.length ? list : shortest))]);
  }
  return noted;
}

const namesOf = (noted: readonly NotedRequest[]): string =>
  noted[0]![1].map(({ name, text }) => name ?? text.trim().slice(0, 30)).join(", ");

const restTranscribe = (url: string, headers: Headers): Uint8Array =>
  requestBytes({ method: "POST", path: "/api/v1/transcribe", headers, body: { url } });
const bareTranscribe = (url: string, headers: Headers): Uint8Array =>
  requestBytes({ method: "POST", path: "/transcribe", headers, body: { url } });
const restSearch = (route: string, query: string, headers: Headers): Uint8Array =>
  requestBytes({ method: "GET", path: `${route}?query=${encodeURIComponent(query)}&limit=20`, headers });

const protocol = "2026-07-28";
const mcpTranscribe = (url: string, headers: Headers): Uint8Array =>
  requestBytes({
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

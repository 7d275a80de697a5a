import path from "node:path";
import { startChild } from "./child.mjs";
import { requestBytes } from "./raw-http.mjs";
import { ratio } from "./report.mjs";
import { seededPlatform, seedLibrary, wordOf } from "./seed-library.mjs";
import { median, medianRatio } from "./statistics.mjs";

const transcripts = 1_000;
const connections = 4;
const revision = "2026-07-28";
const prefix = "io.modelcontextprotocol/";
const accept = "application/json, text/event-stream";

/** Processor time of tools by the fast path, beside the same requests in a form that is left to the protocol library. */
export async function benchMcpFastPath({ report, folder, quick }) {
  const rounds = quick ? 5 : 15;
  const seconds = 1;
  report.section(
    "MCP without the protocol library",
    `${connections} keep-alive connections from another process, ${rounds} rounds of ${seconds} s each after two to warm up, all in turn.`,
    "Each request is sent twice: plain, and so that it means the same but goes to the library: the tool's name in the header as",
    "base64 (modern), or a progress token (legacy). The processor time is that of the whole request, key and database included.",
  );
  const dataDirectory = path.join(folder, "own");
  const { key } = await seedLibrary({ dataDirectory, transcripts, owned: transcripts });
  const children = [];
  try {
    const started = async (promise) => {
      const child = await promise;
      children.push(child);
      return child;
    };
    const service = await started(startChild("./service-process.mjs", { dataDirectory, standin: seededPlatform }));
    const load = await started(startChild("./load-process.mjs"));
    const port = Number(new URL(service.opened.url).port);

    const tools = [
      { name: "get_plans, no key", tool: "get_plans", input: {}, headers: {} },
      { name: "get_my_usage", tool: "get_my_usage", input: {}, headers: { authorization: `Bearer ${key}` } },
      {
        name: "search_my_scripts",
        tool: "search_my_scripts",
        input: { query: `${wordOf(10)} `, limit: 5 },
        headers: { authorization: `Bearer ${key}` },
      },
    ];
    const pairs = [
      ...tools.flatMap((one) => [
        { name: `${one.name}, modern`, plain: modernCall(one), library: modernCall(one, encoded(one.tool)) },
        { name: `${one.name}, legacy`, plain: legacyCall(one), library: legacyCall(one, { progressToken: 1 }) },
      ]),
      { name: "tools/list, modern", plain: modernList(), library: modernList({ cursor: "none" }) },
    ].map((pair) => ({ ...pair, costs: { plain: [], library: [] } }));

    for (let round = -2; round < rounds; round += 1)
      for (const pair of pairs)
        for (const way of ["plain", "library"]) {
          const before = await service.call("cpuMilliseconds");
          const { answers } = await load.call("run", { port, requests: [pair[way]], connections, seconds });
          const cost = ((await service.call("cpuMilliseconds")) - before) / answers;
          if (round >= 0) pair.costs[way].push(cost);
        }
    report.table(
      ["what", "fast path", "library"],
      pairs.map(({ name, costs }) => [name, inMilliseconds(costs.plain), inMilliseconds(costs.library)]),
    );
    report.figures(
      pairs.map(({ name, costs }) => {
        const figure = ratio(medianRatio(costs.library, costs.plain));
        return { what: `${name}: the library's time to the fast path's`, figure };
      }),
    );
  } finally {
    for (const child of children.toReversed()) await child.stop();
  }
}

const inMilliseconds = (values) => `${median(values).toFixed(2)} ms`;
const encoded = (name) => `=?base64?${Buffer.from(name).toString("base64")}?=`;
const envelope = { [`${prefix}protocolVersion`]: revision, [`${prefix}clientCapabilities`]: {} };

const post = (headers, method, params) =>
  requestBytes({
    method: "POST",
    path: "/mcp",
    headers: { accept, ...headers },
    body: { jsonrpc: "2.0", id: 1, method, params },
  });
const modern = (method) => ({ "mcp-protocol-version": revision, "mcp-method": method });

const modernCall = ({ tool, input, headers }, name = tool) =>
  post({ ...headers, ...modern("tools/call"), "mcp-name": name }, "tools/call", {
    name: tool,
    arguments: input,
    _meta: envelope,
  });
const legacyCall = ({ tool, input, headers }, meta = {}) =>
  post(headers, "tools/call", { name: tool, arguments: input, _meta: meta });
const modernList = (params = {}) => post(modern("tools/list"), "tools/list", { ...params, _meta: envelope });

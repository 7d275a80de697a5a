import { McpServer, type ListToolsResult } from "@modelcontextprotocol/server";
import type { Caller } from "../caller.ts";
import type { Run } from "../run/run.ts";
import { callTool } from "./call-tool.ts";
import { annotationsOf, listedTool, preparedTools } from "./tools.ts";
import { withEither } from "../run/with-either.ts";

/** How the service names itself to clients. */
const serverInfo = { name: "reelscript", title: "Reelscript", version: "1.0.0" };

const cacheHints = { ttlMs: 3_600_000, cacheScope: "public" } as const;
/** What clients tell their model of the service; without what a read-only key may not ask for. */
const instructionsFor = (isReadOnly: boolean): string =>
  `Reelscript transcribes the speech of public reels and keeps them in a searchable library. ${isReadOnly ? "" : "transcribe_reel turns one reel into text; "}search_my_scripts and list_my_scripts read the library; get_my_usage says what is left of the quota; get_product_overview, get_plans and find_guide need no key. In answers, null is what isn't known or not set.`;

/** What a read-only key is offered. Calls of the others are refused with the reason. */
const readingTools = preparedTools.filter(({ onlyReads }) => onlyReads).map(listedTool) as ListToolsResult["tools"]; // safe: the library lists the same for others

interface BuildServerNeeds {
  readonly run: Run;
  readonly caller: Caller;
  readonly closing: AbortSignal;
}

/** The protocol library's server for one request: every tool of the contract, called for `caller`. */
export function buildServer({ run, caller, closing }: BuildServerNeeds): McpServer {
  const isReadOnly = caller.kind === "key" && caller.key.readOnly;
  const hints = isReadOnly ? { ...cacheHints, cacheScope: "private" as const } : cacheHints;
  const server = new McpServer(serverInfo, {
    instructions: instructionsFor(isReadOnly),
    capabilities: { tools: { listChanged: false } },
    cacheHints: { "tools/list": hints, "server/discover": hints },
  });
  for (const prepared of preparedTools) {
    const { tool, inputSchema, outputSchema } = prepared;
    const { name, title, description } = tool;
    server.registerTool(
      name,
      { title, description, inputSchema, outputSchema, annotations: annotationsOf(prepared) },
      async (input, context) => {
        const { signal, _meta, notify } = context.mcpReq;
        const onProgress = progressNotifier(_meta?.progressToken, notify);
        return withEither(signal, closing, (ended) =>
          callTool(run, prepared, input ?? {}, caller, { signal: ended, onProgress }),
        );
      },
    );
  }
  if (isReadOnly) server.server.setRequestHandler("tools/list", () => ({ tools: readingTools }));
  return server;
}

type Notify = (notification: {
  method: "notifications/progress";
  params: { progressToken: string | number; progress: number; total: number; message: string };
}) => Promise<void>;

/** Progress must rise with every notification, also while nothing happens. */
function progressNotifier(progressToken: string | number | undefined, notify: Notify) {
  if (progressToken === undefined) return undefined;
  let last = -1;
  return ({ done, message }: { done: number; message: string }): void => {
    const progress = Math.max(Math.round(done * 1_000) / 10, last + 0.1);
    if (progress >= 100) return;
    last = progress;
    void notify({ method: "notifications/progress", params: { progressToken, progress, total: 100, message } }).catch(
      () => undefined,
    );
  };
}

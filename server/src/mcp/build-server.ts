import { McpServer, ProtocolError, ProtocolErrorCode, type ListToolsResult } from "@modelcontextprotocol/server";
import type { ToolName } from "@reelscript/contract";
import type { Caller } from "../rules/caller.ts";
import type { Place, WhileOpen } from "../run/admission.ts";
import type { Run } from "../run/run.ts";
import { callTool } from "./call-tool.ts";
import { annotationsOf, listedTool, preparedTools } from "./tools.ts";

const cacheHints = { ttlMs: 3_600_000, cacheScope: "public" } as const;
/** Instructions that clients give their model, limited to the offered tools. */
function instructionsFor(offers: (name: ToolName) => boolean, languageSentence: string, dashboard: string): string {
  const parts = (
    [
      ["transcribe_reel", "transcribe_reel turns reels into text"],
      ["search_my_scripts", "search_my_scripts and list_my_scripts read the library"],
      ["update_script", "update_script tags, deletes and restores scripts"],
      ["get_my_usage", "get_my_usage says what is left of the quota"],
      ["get_plans", "get_product_overview, get_plans and find_guide need no key"],
    ] as const satisfies readonly (readonly [ToolName, string])[]
  ).flatMap(([name, part]) => (offers(name) ? [part] : []));
  return `Reelscript transcribes the speech of public reels and keeps them in a searchable library. ${parts.join("; ")}${parts.length > 0 ? ". " : ""}In answers, null means not available or not set. Only a person in the dashboard (${dashboard}) can correct or share scripts, create reports, claim a bio handle, create keys and change the plan. ${languageSentence}`;
}

interface BuildServerNeeds {
  readonly baseUrl: string;
  readonly run: Run;
  readonly caller: Caller;
  /** Names of the tools that the address requests; without it, all. */
  readonly offered: ReadonlySet<string> | undefined;
  /** True if the client accepts a stream, in which progress comes before the result. */
  readonly takesStream: boolean;
  /** The caller's place, once. */
  readonly takePlace: () => Place | undefined;
  readonly whileOpen: WhileOpen;
  /** Includes the languages that the running model recognizes, so that agents know before they call. */
  readonly languageSentence: string;
}

/** The protocol library's server for one request: the tools of the contract, called for `caller`. */
export function buildServer({
  baseUrl,
  run,
  caller,
  offered,
  takesStream,
  takePlace,
  whileOpen,
  languageSentence,
}: BuildServerNeeds): McpServer {
  const isReadOnly = caller.kind === "key" && caller.key.readOnly;
  const mayAsk = preparedTools.filter(({ tool }) => offered?.has(tool.name) ?? true);
  // Calls of other tools are refused with the reason.
  const offeredTools = isReadOnly ? mayAsk.filter(({ onlyReads }) => onlyReads) : mayAsk;
  const hints = isReadOnly ? { ...cacheHints, cacheScope: "private" as const } : cacheHints;
  const server = new McpServer(serverInfo(baseUrl), {
    instructions: instructionsFor(
      (name) => offeredTools.some(({ tool }) => tool.name === name),
      languageSentence,
      `${baseUrl}/app`,
    ),
    capabilities: { tools: { listChanged: false } },
    cacheHints: { "tools/list": hints, "server/discover": hints },
  });
  for (const prepared of mayAsk) {
    const { tool, inputSchema, outputSchema } = prepared;
    const { name, title, description } = tool;
    server.registerTool(
      name,
      { title, description, inputSchema, outputSchema, annotations: annotationsOf(prepared) },
      async (input, context) => {
        const { signal, _meta, notify } = context.mcpReq;
        const onProgress = takesStream ? progressNotifier(_meta?.progressToken, notify) : undefined;
        const gone = new AbortController();
        signal.addEventListener("abort", () => gone.abort(signal.reason));
        if (signal.aborted) gone.abort(signal.reason);
        return whileOpen(gone, () =>
          callTool(run, prepared, input ?? {}, caller, { signal: gone.signal, onProgress, place: takePlace() }),
        );
      },
    );
  }
  // safe: the library lists the same for others
  const tools = offeredTools.map(listedTool) as ListToolsResult["tools"];
  server.server.setRequestHandler("tools/list", ({ params }) => {
    if (params?.cursor !== undefined) throw unknownCursor();
    return { tools };
  });
  return server;
}

/** The list of tools has one page, so no cursor of it exists. */
const unknownCursor = (): ProtocolError =>
  new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    "The cursor is unknown: the list of tools has one page. Omit `cursor`.",
  );

type Notify = (notification: {
  method: "notifications/progress";
  params: { progressToken: string | number; progress: number; total: number; message: string };
}) => Promise<void>;

/** Progress must rise with every notification, even while nothing happens. */
function progressNotifier(progressToken: string | number | undefined, notify: Notify) {
  if (progressToken === undefined) return undefined;
  let last = -1;
  return ({ done, message }: { done: number; message: string }): void => {
    const progress = Math.max(Math.round(done * 1_000), Math.round(last * 10) + 1) / 10;
    if (progress >= 100) return;
    last = progress;
    void notify({ method: "notifications/progress", params: { progressToken, progress, total: 100, message } }).catch(
      () => undefined,
    );
  };
}

/** The version of this program. */
export const version = "1.0.0";

const iconsOf = (baseUrl: string) => [{ src: `${baseUrl}/app/mark.svg`, mimeType: "image/svg+xml", sizes: ["any"] }];

/** How the service names itself to clients. */
const serverInfo = (baseUrl: string) => ({
  name: "reelscript",
  title: "Reelscript",
  version,
  websiteUrl: baseUrl,
  icons: iconsOf(baseUrl),
});

/**
 * The service's entry in the MCP registry, as its operator publishes it. The registry grants a namespace to the owner of a
 * domain, so the name is the domain reversed.
 */
export const registryEntry = (baseUrl: string) => ({
  $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  name: `${new URL(baseUrl).hostname.split(".").toReversed().join(".")}/reelscript`,
  title: "Reelscript",
  description: "Turns the speech of public short videos into text and keeps it in a searchable library.",
  version,
  websiteUrl: baseUrl,
  icons: iconsOf(baseUrl),
  remotes: [
    {
      type: "streamable-http",
      url: `${baseUrl}/mcp`,
      headers: [
        {
          name: "Authorization",
          description: "Without a key only the overview, plans and guides can be read.",
          value: "Bearer {api_key}",
          variables: {
            api_key: {
              description: `An API key; create one at ${baseUrl}/app, under API keys.`,
              placeholder: "svc_sk_...",
              isRequired: true,
              isSecret: true,
            },
          },
        },
      ],
    },
  ],
});

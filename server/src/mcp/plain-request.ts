import type { IncomingHttpHeaders } from "node:http";
import {
  classifyInboundRequest,
  isJsonContentType,
  specTypeSchemas,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { toolsByName, type PreparedTool } from "./tools.ts";

export const modernRevision = "2026-07-28";

export type Era = "modern" | "legacy";

/** A request without anything unusual, so that its answer needs none of the protocol library. */
export type PlainRequest = { readonly era: Era; readonly id: string | number } & (
  | { readonly kind: "list" }
  | { readonly kind: "call"; readonly prepared: PreparedTool; readonly input: Record<string, unknown> | undefined }
);

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads a POST as a list or a call of the tools. Nothing at the slightest doubt, so that whatever is wrong, rare or streamed
 * is judged and worded by the protocol library alone.
 */
export function plainRequestOf(headers: IncomingHttpHeaders, bytes: Buffer): PlainRequest | undefined {
  if (!isJsonContentType(headers["content-type"])) return undefined;
  const body = parsed(bytes);
  if (!isObject(body)) return undefined;
  const era = eraOf(headers, body);
  if (era === undefined) return undefined;
  const { id, method, params = {} } = body as { id: string | number; method: string; params?: Json }; // the library's own check, in `eraOf`
  if (method === "tools/list")
    return hasOnly(params, ["_meta"]) && isList(body) ? { era, id, kind: "list" } : undefined;
  if (method !== "tools/call" || !hasOnly(params, ["_meta", "name", "arguments"])) return undefined;
  const call = specTypeSchemas.CallToolRequest["~standard"].validate(body);
  if (call.issues) return undefined;
  const { name, arguments: input, _meta: meta } = call.value.params;
  const prepared = toolsByName.get(name);
  if (prepared === undefined || prepared.mayTakeLong || meta?.progressToken !== undefined) return undefined;
  if (era === "modern" && headers["mcp-name"] !== name) return undefined;
  return { era, id, kind: "call", prepared, input };
}

function eraOf(headers: IncomingHttpHeaders, body: Json): Era | undefined {
  const version = oneOf(headers["mcp-protocol-version"]);
  const method = oneOf(headers["mcp-method"]);
  const route = classifyInboundRequest({
    httpMethod: "POST",
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(method !== undefined && { mcpMethodHeader: method }),
    body,
  });
  if (route.kind === "modern") {
    const { classification, messageKind, message } = route;
    const isPlain = messageKind === "request" && classification.era === "modern" && method === message.method;
    return isPlain && classification.revision === modernRevision && version === modernRevision ? "modern" : undefined;
  }
  if (route.kind !== "legacy" || route.reason !== "no-claim") return undefined;
  if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return undefined;
  const accept = headers.accept ?? "";
  return accept.includes("application/json") && accept.includes("text/event-stream") ? "legacy" : undefined;
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

const isList = (body: Json): boolean =>
  specTypeSchemas.ListToolsRequest["~standard"].validate(body).issues === undefined;
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const hasOnly = (params: Json, names: readonly string[]): boolean =>
  isObject(params) && Object.keys(params).every((name) => names.includes(name));
const oneOf = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(", ") : value;

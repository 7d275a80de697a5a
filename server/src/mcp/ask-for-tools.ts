import {
  CLIENT_CAPABILITIES_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type AuthInfo,
  type McpHttpHandler,
} from "@modelcontextprotocol/server";
import { modernRevision, type Era } from "./plain-request.ts";

const modern = {
  headers: { "mcp-protocol-version": modernRevision, "mcp-method": "tools/list" },
  params: { _meta: { [PROTOCOL_VERSION_META_KEY]: modernRevision, [CLIENT_CAPABILITIES_META_KEY]: {} } },
};

/** Asks the protocol library for the tools as a client of that era does; the JSON of the result, which is the same for everybody. */
export async function askForTools(
  handler: Pick<McpHttpHandler, "fetch">,
  era: Era,
  authInfo: AuthInfo,
): Promise<string> {
  const { headers, params } = era === "modern" ? modern : { headers: {}, params: {} };
  const request = new Request("http://localhost/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params }),
  });
  const response = await handler.fetch(request, { authInfo });
  const text = await response.text();
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  const message = isStream
    ? text
        .split("\n")
        .find((line) => line.startsWith("data: {"))
        ?.slice(6)
    : text;
  const { result } = JSON.parse(message ?? "") as { result?: { tools?: unknown } };
  if (!Array.isArray(result?.tools)) throw new Error("the protocol library did not list the tools");
  return JSON.stringify(result);
}

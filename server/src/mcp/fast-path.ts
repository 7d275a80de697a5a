import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { SERVER_INFO_META_KEY } from "@modelcontextprotocol/server";
import type { Caller } from "../caller.ts";
import type { Run } from "../run.ts";
import { serverInfo } from "./build-server.ts";
import { callTool } from "./call-tool.ts";
import { plainRequestOf, type Era, type PlainRequest } from "./plain-request.ts";
import { withEither } from "./with-either.ts";

interface Needs {
  readonly run: Run;
  readonly closing: AbortSignal;
  /** The `result` of `tools/list` in JSON, as the protocol library answers it. */
  readonly askForTools: (era: Era) => Promise<string>;
}

/** Answers a plain request and says true, or leaves `response` untouched and says false. */
type FastPath = (
  request: { readonly headers: IncomingHttpHeaders; readonly bytes: Buffer; readonly caller: Caller },
  response: ServerResponse,
) => Promise<boolean>;

/** What the protocol library adds to every result of the modern era. */
const modernPart = { resultType: "complete", _meta: { [SERVER_INFO_META_KEY]: serverInfo } };

/**
 * The short way of plain requests: the same answers as those of the protocol library, which builds a server, streams and a
 * second pair of request and response for each of them. To a legacy client they are JSON instead of a stream of one event.
 */
export function createFastPath({ run, closing, askForTools }: Needs): FastPath {
  const lists = new Map<Era, Promise<string>>();

  function toolList(era: Era): Promise<string> {
    const list = lists.get(era) ?? askForTools(era);
    lists.set(era, list);
    list.catch(() => lists.delete(era));
    return list;
  }

  async function resultOf(plain: PlainRequest, caller: Caller, response: ServerResponse): Promise<string> {
    if (plain.kind === "list") return toolList(plain.era);
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const result = await withEither(gone.signal, closing, (signal) =>
      callTool(run, plain.prepared, plain.input, caller, { signal }),
    );
    return JSON.stringify(plain.era === "modern" ? { ...result, ...modernPart } : result);
  }

  return async ({ headers, bytes, caller }, response) => {
    if (closing.aborted || response.destroyed) return false;
    const plain = plainRequestOf(headers, bytes);
    if (plain === undefined) return false;
    const result = await resultOf(plain, caller, response);
    const answer = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(plain.id)},"result":${result}}`);
    response.writeHead(200, { "content-type": "application/json", "content-length": answer.length });
    response.end(answer);
    return true;
  };
}

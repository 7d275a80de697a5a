import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import {
  askNameServers,
  guardedLookup,
  isHiddenLiteral,
  isLiteral,
  type MayReach,
  type ResolveHost,
} from "./guarded-lookup.ts";
import { FetchFailure } from "./fetch-failure.ts";
import { isAtAllowedOrigin } from "./origin-list.ts";
import { createProxyAgent, type Proxy } from "./proxy-agent.ts";
import { isPublicAddress } from "./public-address.ts";

/** What may be reached. */
export interface Reach {
  /** `https://host`, `http://host:port`, `https://*.host`. */
  readonly origins: readonly string[];
  /** Whether the origins may be at private addresses. */
  readonly mayBePrivate: boolean;
  /** Otherwise the addresses that they may be at; public ones unless given. */
  readonly mayReach?: MayReach | undefined;
  /** Seconds until an answer begins, and between two pieces of its body. */
  readonly silenceSeconds: number;
  /** Only for tests: instead of the name servers of the machine. */
  readonly nameServers?: readonly string[] | undefined;
  /** Only for tests: instead of asking name servers. */
  readonly resolveHost?: ResolveHost | undefined;
  /** Resolves the names of hosts itself. */
  readonly proxy?: Proxy | undefined;
}

export interface Question {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Called whenever something has come back: the beginning of the answer, and each piece of it as it is read. */
  readonly onSign?: (() => void) | undefined;
}

/** An answer whose body has not been read. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly url: URL;
  readonly message: IncomingMessage;
  readonly onSign: (() => void) | undefined;
  /** What was no HTTP after the answer began, such as bytes after the stated length. */
  readonly lateError: () => Error | undefined;
}

/**
 * One request, no redirects. Throws `FetchFailure` `refused` or `unreachable`, or the reason of the signal. The signal also
 * breaks off the body.
 */
export async function guardedRequest(url: URL, question: Question, reach: Reach, signal: AbortSignal): Promise<Answer> {
  signal.throwIfAborted();
  if (!isAtAllowedOrigin(url, reach.origins)) throw new FetchFailure("refused", `${url.origin} may not be reached`);
  const { mayReach } = reach;
  if (!reach.mayBePrivate && (reach.proxy ? isLiteral(url.hostname) : isHiddenLiteral(url.hostname, mayReach)))
    throw new FetchFailure("refused", `${url.hostname} is not public`);
  try {
    let lateError: Error | undefined;
    const message = await send(url, question, reach, signal, (error) => {
      // A connection that is reset after a complete answer harms nobody.
      if ("code" in error && String(error.code).startsWith("HPE_")) lateError ??= error;
    });
    const { statusCode: status = 0, headers } = message;
    question.onSign?.();
    return { status, headers, url, message, onSign: question.onSign, lateError: () => lateError };
  } catch (error) {
    throw failureOf(error, url, signal);
  }
}

const faultsOfTheDisk: ReadonlySet<unknown> = new Set([
  "ENOSPC",
  "EDQUOT",
  "EROFS",
  "EACCES",
  "EISDIR",
  "ENOENT",
  "EMFILE",
]);

/** What an error of a connection means; the reason of the signal if that is what ended it. Our own disk is not the host's fault. */
export function failureOf(error: unknown, url: URL, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof FetchFailure) return error;
  if (error instanceof Error && "code" in error && faultsOfTheDisk.has(error.code)) return error;
  return new FetchFailure(
    "unreachable",
    `${url.host}: ${error instanceof Error ? error.message : String(error)}`,
    error,
  );
}

function send(
  url: URL,
  question: Question,
  reach: Reach,
  signal: AbortSignal,
  onLateError: (error: Error) => void,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request: ClientRequest = (url.protocol === "https:" ? requestHttps : requestHttp)(url, {
      method: question.method,
      headers: {
        ...question.headers,
        ...(question.body === undefined ? {} : { "content-length": String(Buffer.byteLength(question.body)) }),
      },
      agent: reach.proxy ? createProxyAgent(reach.proxy, url.protocol === "https:", signal) : false,
      signal,
      timeout: reach.silenceSeconds * 1_000,
      ...(reach.mayBePrivate
        ? {}
        : {
            lookup: guardedLookup(
              reach.resolveHost ?? askNameServers(signal, reach.nameServers),
              reach.mayReach ?? isPublicAddress,
            ),
          }),
    });
    request.on("timeout", () => {
      request.destroy(new FetchFailure("unreachable", `${url.host} stayed silent for ${reach.silenceSeconds} s`));
    });
    request.on("error", reject);
    request.on("response", (message) => {
      request.on("error", onLateError);
      message.on("error", onLateError);
      resolve(message);
    });
    request.end(question.body);
  });
}

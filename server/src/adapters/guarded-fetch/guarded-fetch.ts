import { createWriteStream } from "node:fs";
import {
  request as requestHttp,
  type Agent,
  type AgentOptions,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from "node:http";
import { request as requestHttps } from "node:https";
import { Transform, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { HttpProxyAgent, HttpsProxyAgent } from "hpagent";
import { FetchFailure } from "./fetch-failure.ts";
import {
  askNameServers,
  guardedLookup,
  isHiddenLiteral,
  isLiteral,
  isPublicAddress,
  type MayReach,
  type ResolveHost,
} from "./guarded-lookup.ts";

export interface FetchLimits {
  readonly pageBytes: number;
  readonly pageSeconds: number;
  readonly mediaSeconds: number;
  readonly silenceSeconds: number;
  readonly redirects: number;
}

const defaultFetchLimits: FetchLimits = {
  pageBytes: 4 * 1024 * 1024,
  pageSeconds: 20,
  mediaSeconds: 120,
  silenceSeconds: 10,
  redirects: 4,
};

/** The headers go to the origin of the first URL only, never to another one. */
export interface PageQuestion extends Partial<Question> {
  /**
   * Says whether to follow a redirect to this URL; otherwise the redirect is the response. Redirects of a POST are never
   * followed.
   */
  readonly follow?: (target: URL) => boolean;
}

/** A response of any status, with its body as text. */
export interface Page {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The URL that answered, after redirects. */
  readonly url: URL;
  readonly text: string;
}

/** Each method throws `FetchFailure`, or the reason of the signal. */
export interface GuardedFetch {
  /** Returns the response whatever its status is. */
  page(url: URL, question: PageQuestion, signal: AbortSignal): Promise<Page>;
  /** The body of a 200, at most `maxBytes`, and its content type, which may be empty. */
  bytes(url: URL, maxBytes: number, signal: AbortSignal): Promise<{ readonly type: string; readonly bytes: Buffer }>;
  /**
   * Writes the body of a 200, which must not be empty, to `file`, replacing its content. `onSign` is called as in `Question`.
   */
  download(url: URL, file: string, maxBytes: number, signal: AbortSignal, onSign?: () => void): Promise<void>;
}

/** The hosts that a guarded fetch may reach, and the browser that it imitates. */
export interface GuardedFetchOptions extends Omit<Reach, "silenceSeconds"> {
  readonly userAgent: string;
  readonly limits?: Partial<FetchLimits> | undefined;
}

/**
 * HTTP to a few known origins, on behalf of strangers: every hop is checked, and every response is bounded in bytes and time
 * (docs/decisions/reels.md).
 */
export function createGuardedFetch(options: GuardedFetchOptions): GuardedFetch {
  const limits = { ...defaultFetchLimits, ...options.limits };
  const reach: Reach = { ...options, silenceSeconds: limits.silenceSeconds };
  const common = { "user-agent": options.userAgent, accept: "*/*", "accept-language": "en-US,en;q=0.8" };

  async function ask(start: URL, question: Question, follow: (target: URL) => boolean, signal: AbortSignal) {
    let answer = await guardedRequest(start, question, reach, signal);
    for (let hop = 0; ; hop += 1) {
      const target = redirectOf(answer);
      if (target === undefined || question.method === "POST" || !follow(target)) return answer;
      answer.message.destroy();
      if (hop === limits.redirects) throw new FetchFailure("refused", `${start.host} redirects without end`);
      const headers = target.origin === start.origin ? question.headers : common;
      answer = await guardedRequest(target, { ...question, headers }, reach, signal);
    }
  }

  async function askForMedia(url: URL, signal: AbortSignal, onSign?: () => void): Promise<Answer> {
    const answer = await ask(url, { method: "GET", headers: common, onSign }, () => true, signal);
    if (answer.status === 200) return answer;
    answer.message.destroy();
    throw new FetchFailure("badStatus", `${answer.url.host} answered ${answer.status} for the media`);
  }

  return {
    async page(url, question, signal) {
      const { method = "GET", headers = {}, body, onSign, follow = () => true } = question;
      return withinSeconds(limits.pageSeconds, url, signal, async (bounded) => {
        const all = { ...common, "accept-encoding": "gzip", ...headers };
        const answer = await ask(url, { method, headers: all, body, onSign }, follow, bounded);
        const bytes = await readBytes(answer, limits.pageBytes, bounded);
        return { status: answer.status, headers: answer.headers, url: answer.url, text: bytes.toString("utf8") };
      });
    },
    async bytes(url, maxBytes, signal) {
      return withinSeconds(limits.mediaSeconds, url, signal, async (bounded) => {
        const answer = await askForMedia(url, bounded);
        const type = answer.headers["content-type"] ?? "";
        return { type, bytes: await readBytes(answer, maxBytes, bounded) };
      });
    },
    async download(url, file, maxBytes, signal, onSign) {
      await withinSeconds(limits.mediaSeconds, url, signal, async (bounded) => {
        const answer = await askForMedia(url, bounded, onSign);
        await saveBody(answer, file, maxBytes, bounded);
      });
    },
  };
}

function redirectOf(answer: Answer): URL | undefined {
  const { location } = answer.headers;
  if (![301, 302, 303, 307, 308].includes(answer.status) || location === undefined) return undefined;
  if (!URL.canParse(location, answer.url.href))
    throw new FetchFailure("unreachable", `${answer.url.host} redirects to no URL`);
  return new URL(location, answer.url);
}

async function withinSeconds<Value>(
  seconds: number,
  url: URL,
  signal: AbortSignal,
  work: (bounded: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const deadline = AbortSignal.timeout(seconds * 1_000);
  try {
    return await work(AbortSignal.any([signal, deadline]));
  } catch (error) {
    if (!signal.aborted && deadline.aborted && !(error instanceof FetchFailure))
      throw new FetchFailure("unreachable", `${url.host} took longer than ${seconds} s`, error);
    throw error;
  }
}

/** The hosts that may be reached, and how to reach them. */
export interface Reach {
  /** `https://host`, `http://host:port`, `https://*.host`. */
  readonly origins: readonly string[];
  /** Allows the origins to be at private addresses. */
  readonly mayBePrivate: boolean;
  /** The permitted addresses otherwise; by default all public ones. */
  readonly mayReach?: MayReach | undefined;
  /** Seconds until a response begins, and between two pieces of its body. */
  readonly silenceSeconds: number;
  /** For tests only: replaces the machine's name servers. */
  readonly nameServers?: readonly string[] | undefined;
  /** For tests only: replaces queries to name servers. */
  readonly resolveHost?: ResolveHost | undefined;
  /** Resolves the names of hosts itself. */
  readonly proxy?: Proxy | undefined;
}

export interface Question {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Called at every sign of life: the beginning of the response, and each piece of it. */
  readonly onSign?: (() => void) | undefined;
}

/** A response whose body has not been read. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly url: URL;
  /** Destroy it if you don't read the body. */
  readonly message: IncomingMessage;
  readonly onSign: Question["onSign"];
  /** A violation of HTTP after the response began, such as bytes beyond the stated length. */
  lateError(): Error | undefined;
}

/**
 * Sends one request and follows no redirects. Throws `FetchFailure` `refused` or `unreachable`, or the reason of the signal.
 * The signal also ends the body.
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
      // After a complete response, a reset connection does no harm.
      if ("code" in error && String(error.code).startsWith("HPE_")) lateError ??= error;
    });
    const { statusCode: status = 0, headers } = message;
    question.onSign?.();
    return {
      status,
      headers,
      url,
      message,
      onSign: question.onSign,
      lateError: () => lateError,
    };
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

/**
 * Translates a connection's error; returns the signal's reason if that ended it. Faults of our own disk don't count as the
 * host's.
 */
function failureOf(error: unknown, url: URL, signal: AbortSignal): unknown {
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

/**
 * True when a URL is at one of the origins: scheme, host and port equal, or `https://*.host` for every host below it.
 * URLs that carry a user name or a password never are.
 */
export function isAtAllowedOrigin(url: URL, origins: readonly string[]): boolean {
  if (url.username !== "" || url.password !== "") return false;
  return origins.some((origin) => {
    const [scheme, parent] = origin.split("//*");
    if (parent === undefined) return url.origin === origin;
    return url.protocol === scheme && url.port === "" && url.hostname.endsWith(parent);
  });
}

/** A proxy that opens tunnels (CONNECT). */
export interface Proxy {
  /** It includes the credentials, so never show it. */
  readonly url: string;
  /** `host:port`, for people. */
  readonly name: string;
}

type Connected = (error: Error | null, socket?: unknown) => void;
type CreateConnection = (options: AgentOptions, connected: Connected) => unknown;

/** Tunnels one request. Until the tunnel is open, every failure is the proxy's. The signal also ends the tunnel. */
function createProxyAgent(proxy: Proxy, isSecure: boolean, signal: AbortSignal): Agent {
  const tunnel = { headers: {}, signal };
  const agent = new (isSecure ? HttpsProxyAgent : HttpProxyAgent)({ proxy: proxy.url, proxyRequestOptions: tunnel });
  const tunneled = agent as unknown as { createConnection: CreateConnection }; // safe: hpagent calls back
  const connect = tunneled.createConnection.bind(agent);
  tunneled.createConnection = (options, connected) =>
    connect(options, (error, socket) => connected(error && proxyFailureOf(proxy, error), socket));
  return agent;
}

/** Leaves out the cause: it may contain the proxy's response, which may repeat the credentials. */
function proxyFailureOf({ name }: Proxy, error: Error): FetchFailure {
  const { code } = error as NodeJS.ErrnoException;
  const status = /^Bad response: (\d{3})$/.exec(error.message)?.[1];
  const outcome = status === undefined ? (code ?? "no answer") : `it answered ${status}`;
  return new FetchFailure("proxyFailed", `the proxy ${name} opened no tunnel: ${outcome}`);
}

/** The body, unpacked; at most `maxBytes` of it. */
export async function readBytes(answer: Answer, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  await pour(answer, sink, maxBytes, signal);
  return Buffer.concat(chunks);
}

/** Writes the body over `file`; at most `maxBytes` of it. */
async function saveBody(answer: Answer, file: string, maxBytes: number, signal: AbortSignal): Promise<void> {
  const stated = Number(answer.headers["content-length"] ?? 0);
  if (stated > maxBytes) {
    answer.message.destroy();
    throw new FetchFailure("tooLarge", `${answer.url.host} states ${stated} bytes, more than ${maxBytes}`);
  }
  const sink = createWriteStream(file, { flags: "w" });
  await pour(answer, sink, maxBytes, signal);
  if (sink.bytesWritten === 0) throw new FetchFailure("unreachable", `${answer.url.host} sent nothing`);
}

async function pour(answer: Answer, sink: Writable, maxBytes: number, signal: AbortSignal): Promise<void> {
  const { message, url } = answer;
  try {
    await pipeline([message, ...unpack(answer), limit(maxBytes, answer), sink], { signal });
  } catch (error) {
    throw failureOf(error, url, signal);
  }
  const late = answer.lateError();
  if (late !== undefined || !message.complete)
    throw new FetchFailure("unreachable", `${url.host} sent another length than it stated`, late);
}

function unpack(answer: Answer): Transform[] {
  const encoding = answer.headers["content-encoding"] ?? "identity";
  if (encoding === "identity") return [];
  if (encoding === "gzip") return [createGunzip()];
  answer.message.destroy();
  throw new FetchFailure("unreachable", `${answer.url.host} answers in an encoding that was not asked for`);
}

function limit(maxBytes: number, { url, onSign }: Answer): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      onSign?.();
      if (bytes > maxBytes) done(new FetchFailure("tooLarge", `${url.host} sends more than ${maxBytes} bytes`));
      else done(null, chunk);
    },
  });
}

import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { BlockList, isIP } from "node:net";
import { Readable, type Duplex } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { connect } from "node:tls";
import { CallError } from "../call-error.ts";
import { reasonOf } from "../build-request.ts";
import { UsageError } from "./explain-error.ts";
import type { Surroundings } from "./surroundings.ts";

export interface Proxy {
  /** The variable that named it. */
  readonly variable: string;
  /** This address has no user name or password. */
  readonly url: URL;
  /** Sends the user name and password of the proxy's address, if it has them. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The proxy for an address, by `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` in either case; addresses of this machine have none.
 * Throws `UsageError` if the variable contains no address of an HTTP proxy, without its value, which may be a secret.
 */
export function findProxy(address: URL, environment: Surroundings["environment"]): Proxy | undefined {
  const names = address.protocol === "https:" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy", "HTTP_PROXY"];
  const variable = names.find((name) => environment[name]);
  if (variable === undefined || isExcepted(address, environment["no_proxy"] || environment["NO_PROXY"] || ""))
    return undefined;
  const text = environment[variable]!;
  try {
    const { protocol, host, username, password } = new URL(text.includes("://") ? text : `http://${text}`);
    if (!/^https?:$/.test(protocol)) throw new TypeError("another protocol");
    const account = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64");
    return {
      variable,
      url: new URL(`${protocol}//${host}`),
      headers: username + password === "" ? {} : { "proxy-authorization": `Basic ${account}` },
    };
  } catch {
    throw new UsageError(`${variable} must be the address of an HTTP proxy, such as http://proxy.example:3128`);
  }
}

function isExcepted({ hostname, port, protocol }: URL, exceptions: string): boolean {
  const host = bareName(hostname);
  if (/^(?:127\..*|::1|(?:.*\.)?localhost)$/.test(host)) return true;
  const usualPort = protocol === "https:" ? "443" : "80";
  return exceptions
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => isNamed(host, port || usualPort, entry));
}

/** Reads an entry of `NO_PROXY`: `*`, a range, or a name with all below it or an address, both with or without a port. */
function isNamed(host: string, port: string, entry: string): boolean {
  if (entry === "*") return true;
  const [, base = "", length = ""] = /^(.+)\/(\d{1,3})$/.exec(entry) ?? [];
  if (length !== "") return isInRange(host, base, Number(length));
  const [, name = "", onlyPort = port] = isIP(entry) > 0 ? ["", entry] : (/^(.+?)(?::(\d+))?$/.exec(entry) ?? []);
  const domain = bareName(name.replace(/^\*?\./, ""));
  return domain !== "" && onlyPort === port && (host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`)));
}

function isInRange(host: string, base: string, length: number): boolean {
  const kind = isIP(host);
  if (kind === 0 || kind !== isIP(base) || length > (kind === 4 ? 32 : 128)) return false;
  const range = new BlockList();
  const family = kind === 4 ? "ipv4" : "ipv6";
  range.addSubnet(base, length, family);
  return range.check(host, family);
}

/** Removes the brackets of an IPv6 address and the dot at the end of a whole name. */
const bareName = (host: string): string => host.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");

/** A `fetch` through a proxy: in absolute form to http addresses, in a tunnel to https addresses. Redirects are not followed. */
export function createProxiedFetch(proxy: Proxy): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { method } = request;
    const url = new URL(request.url);
    const body = Buffer.from(await request.arrayBuffer());
    // The signal of a `Request` no longer works once the `Request` is garbage-collected.
    const signal = init?.signal ?? undefined;
    const headers = { ...Object.fromEntries(request.headers), host: url.host };
    try {
      const outgoing =
        url.protocol === "https:"
          ? requestSecure(url, { method, headers, signal, createConnection: await secureTunnel(proxy, url, signal) })
          : requestTo(proxy.url)(proxy.url, {
              method,
              path: url.href,
              headers: { ...headers, ...proxy.headers },
              signal,
            });
      const response = await new Promise<Response>((resolve, reject) => {
        outgoing.once("error", reject).once("response", (incoming) => {
          const { statusCode: status = 0, headersDistinct } = incoming;
          const pairs = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
            values.map((value): [string, string] => [name, value]),
          );
          // Such responses have no body, and the constructor refuses one.
          const isEmpty = status === 204 || status === 205 || status === 304;
          const stream = isEmpty ? null : (Readable.toWeb(incoming) as NodeStream<Uint8Array> as ReadableStream);
          resolve(new Response(stream, { status, headers: pairs }));
        });
        outgoing.end(body);
      });
      if (response.status === 407) throw refusal(proxy, url, 407);
      return response;
    } catch (error) {
      if (signal?.aborted || error instanceof CallError) throw error;
      const message = `Can't reach ${url.origin} through the proxy ${proxy.url.host}${reasonOf(error)}. ${remedy(proxy)}`;
      throw new CallError("unreachable", message, { cause: error });
    }
  };
}

/** Opens a tunnel through a proxy to the host of an address, for a request in TLS. */
async function secureTunnel(proxy: Proxy, url: URL, signal: AbortSignal | undefined): Promise<() => Duplex> {
  const target = `${url.hostname}:${url.port || "443"}`;
  const host = bareName(url.hostname);
  const socket = await new Promise<Duplex>((resolve, reject) => {
    requestTo(proxy.url)(proxy.url, {
      method: "CONNECT",
      path: target,
      headers: { host: target, ...proxy.headers },
      agent: false,
      signal,
    })
      .once("error", reject)
      .once("connect", ({ statusCode: status = 0 }, opened: Duplex) => {
        if (status >= 200 && status < 300) return resolve(opened);
        opened.destroy();
        reject(refusal(proxy, url, status));
      })
      .end();
  });
  return () => connect({ socket, host, ...(isIP(host) === 0 && { servername: host }) });
}

const requestTo = ({ protocol }: URL): typeof requestPlain => (protocol === "https:" ? requestSecure : requestPlain);

function refusal(proxy: Proxy, { origin }: URL, status: number): CallError {
  const { protocol, host } = proxy.url;
  const next =
    status === 407
      ? `Write its user name and password into ${proxy.variable}: ${protocol}//user:password@${host}`
      : remedy(proxy);
  return new CallError("unreachable", `The proxy ${host} refuses the way to ${origin} (status ${status}). ${next}`);
}

const remedy = ({ variable }: Proxy): string =>
  `${variable} names the proxy; NO_PROXY lists the hosts that are reached without it.`;

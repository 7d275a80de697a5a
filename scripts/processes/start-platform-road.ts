import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer as createHttpServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, type Server } from "node:net";
import path from "node:path";
import type { Duplex } from "node:stream";
import type { PlatformStandin } from "@reelscript/platform-standin";

const pages = "www.instagram.com";
/** The media host's name in pages. */
export const mediaHost = "scontent.cdninstagram.com";
/** Names of TikTok's pages, short links and media. */
const tiktokNames = ["www.tiktok.com", "vm.tiktok.com", "vt.tiktok.com", "v16-webapp-prime.tiktok.com"];
const names = [pages, mediaHost, ...tiktokNames];

/** Why this proxy can't run here, or undefined. */
export const lackingForRoad = spawnSync("openssl", ["version"]).status === 0 ? undefined : "there is no openssl";
export interface PlatformRoad {
  /** Value of `PLATFORM_PROXY`, a proxy for each exit. */
  readonly proxy: string;
  /** The certificate that signs the platform's names here. */
  readonly authority: string;
  /** Every host and port for which a tunnel was requested. */
  readonly tunnels: string[];
  /** Breaks all tunnels; new ones are closed as soon as they are requested. */
  cut(): void;
  /** Opens tunnels again. */
  open(): void;
  close(): Promise<void>;
}

export interface RoadOptions {
  readonly exits?: number;
  /** Texts and redirects name the stand-in by its address, and get the platform's names instead. */
  readonly isRewriting?: boolean;
}

/** Proxies that serve the stand-in under the platform's names, over TLS. They reach no other hosts. */
export async function startPlatformRoad(
  standin: PlatformStandin,
  folder: string,
  { exits = 1, isRewriting = false }: RoadOptions = {},
): Promise<PlatformRoad> {
  const [authority, key] = ["platform.crt", "platform.key"].map((name) => path.join(folder, name)) as [string, string];
  const what = [
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:prime256v1",
    "-nodes",
    "-days",
    "2",
    "-subj",
    "/CN=test",
  ];
  const whom = ["-addext", `subjectAltName=${names.map((name) => `DNS:${name}`).join(",")}`];
  execFileSync("openssl", ["req", "-x509", ...what, ...whom, "-keyout", key, "-out", authority], { stdio: "ignore" });

  const secure = createTlsServer({ key: await readFile(key), cert: await readFile(authority) }, (question, answer) =>
    handOn(question, answer, originOf(standin, question.headers.host ?? ""), isRewriting ? standin : undefined),
  );
  const securePort = await portOf(secure);
  const tunnels: string[] = [];
  const open = new Set<Duplex>();
  let isCut = false;
  const breakAll = (): void => {
    for (const end of open) end.destroy();
    open.clear();
  };
  const passOn = (question: IncomingMessage, socket: Duplex, head: Buffer): void => {
    tunnels.push(question.url ?? "");
    // A caller may end at any moment, also one that is refused.
    socket.on("error", () => socket.destroy());
    if (isCut) return void socket.destroy();
    if (!names.some((name) => question.url === `${name}:443`)) {
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
      return;
    }
    const onward = connect(securePort, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    // Servers no longer know about tunnels.
    open.add(socket).add(onward);
    for (const end of [socket, onward]) end.on("error", () => (socket.destroy(), onward.destroy()));
  };
  const proxies = Array.from({ length: exits }, () =>
    createHttpServer((_, response) => response.writeHead(400).end()).on("connect", passOn),
  );
  const ports = await Promise.all(proxies.map(portOf));
  return {
    proxy: ports.map((port) => `http://somebody:secret@127.0.0.1:${port}`).join(","),
    authority,
    tunnels,
    cut() {
      isCut = true;
      breakAll();
    },
    open: () => void (isCut = false),
    async close() {
      breakAll();
      const servers = [...proxies, secure];
      for (const server of servers) server.closeAllConnections();
      await Promise.all(servers.map(async (server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

/** The free port of this machine on which it listens from now on. */
async function portOf(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

function originOf({ origin, mediaOrigin, tiktokOrigin }: PlatformStandin, host: string): string {
  if (tiktokNames.includes(host)) return tiktokOrigin;
  return host === pages ? origin : mediaOrigin;
}

function handOn(
  question: IncomingMessage,
  answer: ServerResponse,
  origin: string,
  standin: PlatformStandin | undefined,
): void {
  const { method, headers, url = "/" } = question;
  const onward = request(origin + url, { method, headers }, (response) => {
    if (standin !== undefined) return void rename(response, answer, standin).catch(() => answer.destroy());
    answer.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(answer);
  });
  onward.on("error", () => answer.destroy());
  question.pipe(onward);
}

async function rename(response: IncomingMessage, answer: ServerResponse, standin: PlatformStandin): Promise<void> {
  const withNames = (text: string): string =>
    text.replaceAll(standin.mediaOrigin, `https://${mediaHost}`).replaceAll(standin.origin, `https://${pages}`);
  const { "content-length": length, location, ...headers } = response.headers;
  const isText = /json|html/.test(headers["content-type"] ?? "");
  answer.writeHead(response.statusCode ?? 502, {
    ...headers,
    ...(location !== undefined && { location: withNames(location) }),
    ...(length !== undefined && !isText && { "content-length": length }),
  });
  if (!isText) return void response.pipe(answer);
  const parts: Buffer[] = [];
  for await (const part of response as AsyncIterable<Buffer>) parts.push(part);
  answer.end(withNames(Buffer.concat(parts).toString()));
}

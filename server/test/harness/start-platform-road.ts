import { execFileSync, spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createServer as createHttpServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect } from "node:net";
import path from "node:path";
import type { Duplex } from "node:stream";
import type { PlatformStandin } from "@reelscript/platform-standin";
import { listen } from "./listen.ts";

const pages = "www.instagram.com";
/** The media host's name in pages. */
export const mediaHost = "scontent.cdninstagram.com";
/** Names of TikTok's pages, short links and media. */
const tiktokNames = ["www.tiktok.com", "vm.tiktok.com", "vt.tiktok.com", "v16-webapp-prime.tiktok.com"];
const names = [pages, mediaHost, ...tiktokNames];

/** Why tests that need this proxy can't run here, or undefined. */
export const lackingForRoad = spawnSync("openssl", ["version"]).status === 0 ? undefined : "there is no openssl";
/** The reason to skip tests that run the real yt-dlp through it. */
export const lackingForYtDlp =
  lackingForRoad ?? (process.env.TEST_YTDLP ? undefined : "TEST_YTDLP names no yt-dlp from PyPI");
if (lackingForYtDlp) process.stderr.write(`Tests with the real yt-dlp are skipped: ${lackingForYtDlp}.\n`);

export interface PlatformRoad {
  /** Value of `PLATFORM_PROXY`. */
  readonly proxy: string;
  /** The certificate that signs the platform's names here. */
  readonly authority: string;
  /** Every host and port for which a tunnel was requested. */
  readonly tunnels: string[];
  close(): Promise<void>;
}

/** A proxy that serves the stand-in under the platform's names, over TLS. It reaches no other hosts. */
export async function startPlatformRoad(standin: PlatformStandin, folder: string): Promise<PlatformRoad> {
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
    handOn(question, answer, originOf(standin, question.headers.host ?? "")),
  );
  const { port: securePort } = await listen(secure);
  const tunnels: string[] = [];
  const open = new Set<Duplex>();
  const proxy = createHttpServer((_, response) => response.writeHead(400).end());
  proxy.on("connect", (question: IncomingMessage, socket, head: Buffer) => {
    tunnels.push(question.url ?? "");
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
  });
  const { port: proxyPort } = await listen(proxy);
  return {
    proxy: `http://somebody:secret@127.0.0.1:${proxyPort}`,
    authority,
    tunnels,
    async close() {
      for (const end of open) end.destroy();
      for (const server of [proxy, secure]) server.closeAllConnections();
      await Promise.all([proxy, secure].map(async (server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

function originOf({ origin, mediaOrigin, tiktokOrigin }: PlatformStandin, host: string): string {
  if (tiktokNames.includes(host)) return tiktokOrigin;
  return host === pages ? origin : mediaOrigin;
}

/** The program that `TEST_YTDLP` names, set up to trust this proxy. */
export async function ytDlpForRoad({ authority }: PlatformRoad, folder: string): Promise<string> {
  const file = path.join(folder, "yt-dlp");
  const program = `SSL_CERT_FILE='${authority}' exec '${process.env.TEST_YTDLP}' --compat-options no-certifi "$@"`;
  await writeFile(file, `#!/bin/sh\n${program}\n`, { mode: 0o755 });
  return file;
}

function handOn(question: IncomingMessage, answer: ServerResponse, origin: string): void {
  const { method, headers, url = "/" } = question;
  const onward = request(origin + url, { method, headers }, (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(answer);
  });
  onward.on("error", () => answer.destroy());
  question.pipe(onward);
}

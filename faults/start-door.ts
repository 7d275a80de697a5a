import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { PlatformStandin } from "@reelscript/platform-standin";
import type { KnownReel } from "./ledger.ts";

type Kind = "page" | "media";
type Mode = "open" | "cut" | "silent" | "slow";

const mostDrops = 500;

/**
 * The route of one process to the platform, for its pages and for its media. Each of the two can be `open`, `cut`, `silent` or
 * `slow`, and requests for one reel can be held.
 */
export interface Door {
  /** The addresses that the process uses instead of the stand-in's. */
  readonly origins: { page: string; media: string };
  set(changes: Partial<Record<Kind, Mode>>): void;
  /** Holds the answer about a reel: its page before the first byte, its media in the middle, except for a byte now and then. */
  hold(kind: Kind, reel: KnownReel): void;
  /** Ends running responses. */
  breakMedia(): void;
  isHolding(): boolean;
  release(): void;
  close(): void;
}

export async function startDoor(standin: PlatformStandin): Promise<Door> {
  const modes: Record<Kind, Mode> = { page: "open", media: "open" };
  const held: (() => void)[] = [];
  let hold: { readonly kind: Kind; readonly names: readonly string[] } | undefined;

  const isHeld = (kind: Kind, text: string): boolean =>
    hold?.kind === kind && hold.names.some((name) => text.includes(name));

  /** Resolves when the request may pass, or its caller is gone. */
  const wait = (response: ServerResponse): Promise<void> =>
    new Promise((resolve) => {
      held.push(resolve);
      response.once("close", resolve);
    });

  const handler = (kind: Kind, origin: string) => async (request: IncomingMessage, response: ServerResponse) => {
    if (modes[kind] === "cut") return void request.socket.destroy();
    if (modes[kind] === "silent") return;
    const body = Buffer.concat((await request.toArray()) as Buffer[]);
    if (kind === "page" && isHeld(kind, `${request.url} ${body.toString()}`)) await wait(response);
    const headers = { ...request.headers, host: new URL(origin).host };
    const passed = http.request(new URL(request.url ?? "/", origin), {
      method: request.method!,
      headers,
      agent: false,
    });
    passed.on("error", () => response.destroy());
    response.on("close", () => passed.destroy());
    passed.end(body);
    const [answer] = (await once(passed, "response")) as [IncomingMessage];
    if (kind === "page") await sendPage(answer, response);
    else await sendMedia(request, answer, response);
  };

  async function sendPage(answer: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts = (await answer.toArray()) as Buffer[];
    const text = Buffer.concat(parts).toString("utf8");
    const escaped = (url: string): string => url.replaceAll("/", String.raw`\/`);
    const changed = text
      .replaceAll(standin.mediaOrigin, origins.media)
      .replaceAll(escaped(standin.mediaOrigin), escaped(origins.media));
    const headers = { ...answer.headers };
    delete headers["transfer-encoding"];
    // If the stand-in cuts its response short, this one is as short.
    if (headers["content-length"]) headers["content-length"] = String(Buffer.byteLength(changed));
    response.writeHead(answer.statusCode!, headers).end(changed);
  }

  async function sendMedia(request: IncomingMessage, answer: IncomingMessage, response: ServerResponse): Promise<void> {
    response.writeHead(answer.statusCode!, answer.headers);
    if (modes.media === "slow") {
      await sendSlowly(answer, response);
      return;
    }
    if (isHeld("media", request.url ?? "")) {
      const { value } = (await answer.iterator({ destroyOnReturn: false }).next()) as { value: Buffer };
      const promptBytes = Math.max(0, value.length - mostDrops);
      response.write(value.subarray(0, promptBytes));
      await drip(value.subarray(promptBytes), response, wait(response));
    }
    pipeline(answer, response, () => undefined);
  }

  /** Held, but not silent: a byte a second. */
  async function drip(bytes: Buffer, response: ServerResponse, released: Promise<void>): Promise<void> {
    let at = 0;
    let isReleased = false;
    void released.then(() => (isReleased = true));
    for (; at < bytes.length && !isReleased; at += 1) {
      response.write(bytes.subarray(at, at + 1));
      await Promise.race([released, pause(1_000)]);
    }
    await released;
    if (!response.destroyed) response.write(bytes.subarray(at));
  }

  async function sendSlowly(answer: IncomingMessage, response: ServerResponse): Promise<void> {
    for await (const piece of answer as AsyncIterable<Buffer>)
      for (let at = 0; at < piece.length; at += 2_000) {
        if (response.destroyed) return;
        response.write(piece.subarray(at, at + 2_000));
        if (modes.media === "slow") await pause(50);
      }

    response.end();
  }

  async function listen(kind: Kind, origin: string): Promise<http.Server> {
    const answer = handler(kind, origin);
    const server = http.createServer((request, response) => {
      answer(request, response).catch(() => response.destroy());
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return server;
  }
  const servers = {
    page: await listen("page", standin.origin),
    media: await listen("media", standin.mediaOrigin),
  };
  const originOf = (server: http.Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const origins = { page: originOf(servers.page), media: originOf(servers.media) };
  return {
    origins,
    set: (changes) => void Object.assign(modes, changes),
    hold(kind, { code, mediaId }) {
      hold = { kind, names: [code, mediaId] };
    },
    breakMedia: () => servers.media.closeAllConnections(),
    isHolding: () => held.length > 0,
    release() {
      hold = undefined;
      for (const resume of held.splice(0)) resume();
    },
    close() {
      for (const server of Object.values(servers)) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}

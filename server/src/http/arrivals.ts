import type { Server } from "node:http";
import type { Socket } from "node:net";
import { ServiceError } from "@reelscript/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { networkOf } from "../callers/authenticate.ts";
import { refuseForOthers } from "./problems/broken-requests.ts";

/** Connections of one network on which no request has come yet. What exceeds it goes, the oldest first, once it has had its time. */
const usualOfNetwork = 256;
/** Connections of one network on which no request has come yet, before others of it wait. */
const mostOfNetwork = 4_096;
/** Connections of a process on which no request has come yet. */
const mostOfAll = 8_192;
/** Connections of one network that wait until fewer are new. */
const mostWaitingOfNetwork = 1_024;
/** Connections of a process that wait until fewer are new. */
const mostWaiting = 8_192;
const everyMilliseconds = 100;
/**
 * An honest request has come within so many looks, so then the connection may go for others. Looks are counted, not time: what has
 * arrived at a process that stands still is read before the next look.
 */
const graceLooks = 20;
/** Connections that go at a time, of one network and in all: whoever opened them opens others at once, which takes as long as a call. */
const mostEndedOfNetwork = 32;
const mostEnded = 128;

/** The new connections of one network, the oldest first: at which look each was taken, and those that wait. */
interface Share {
  readonly taken: Map<Socket, number>;
  readonly waiting: Set<Socket>;
}

/**
 * Takes a bounded number of connections on which nothing has been asked yet. More of a network wait unread in its own line. While a
 * network has more than usual, the oldest go, a few at a time, so that neither they nor those that replace them hold up others.
 */
export function boundNewConnections(app: FastifyInstance): void {
  const { server } = app;
  const shares = new Map<string, Share>();
  const shareOfSocket = new WeakMap<Socket, Share>();
  let taken = 0;
  let waiting = 0;
  let looks = 0;
  const listeners = server.listeners("connection") as ((this: Server, socket: Socket) => void)[];
  server.removeAllListeners("connection");

  function take(socket: Socket, share: Share): void {
    share.taken.set(socket, looks);
    taken += 1;
    for (const listener of listeners) listener.call(server, socket);
  }

  /** Takes those that wait while there is room. */
  function fill(share: Share): void {
    for (const socket of share.waiting) {
      if (share.taken.size >= mostOfNetwork || taken >= mostOfAll) return;
      share.waiting.delete(socket);
      waiting -= 1;
      take(socket, share);
    }
  }

  /** It has asked, or is gone. */
  function leave(socket: Socket): void {
    const share = shareOfSocket.get(socket);
    if (share === undefined) return;
    if (share.taken.delete(socket)) taken -= 1;
    else if (share.waiting.delete(socket)) waiting -= 1;
    else return;
    fill(share);
  }

  function endOldest(): void {
    looks += 1;
    // Any network gives room when the process has none.
    const usual = taken < mostOfAll ? usualOfNetwork : 0;
    let left = mostEnded;
    for (const share of shares.values()) {
      const end = Math.min(left, mostEndedOfNetwork, share.taken.size - usual);
      const oldest = [...share.taken].slice(0, Math.max(0, end)).filter(([, takenAt]) => takenAt <= looks - graceLooks);
      left -= oldest.length;
      for (const [socket] of oldest) {
        leave(socket);
        refuseForOthers(socket);
      }
    }
    for (const share of shares.values()) fill(share);
  }

  const timer = setInterval(endOldest, everyMilliseconds).unref();
  // The server knows nothing of those that wait, so it would never be closed.
  app.addHook("preClose", async () => {
    clearInterval(timer);
    for (const share of shares.values()) for (const socket of share.waiting) socket.destroy();
  });
  server.on("request", ({ socket }) => leave(socket));
  server.on("connection", (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? "");
    const share = shares.get(network) ?? { taken: new Map<Socket, number>(), waiting: new Set<Socket>() };
    shares.set(network, share);
    if (share.waiting.size >= mostWaitingOfNetwork || waiting >= mostWaiting) {
      socket.destroy();
      return;
    }
    shareOfSocket.set(socket, share);
    socket.on("error", () => undefined);
    socket.once("close", () => {
      leave(socket);
      if (share.taken.size + share.waiting.size === 0 && shares.get(network) === share) shares.delete(network);
    });
    share.waiting.add(socket);
    waiting += 1;
    fill(share);
  });
}

/** Requests that begin in one turn of the event loop. */
const mostBegun = 4;
/** Turns in a row that leave the process to new connections. */
const mostSkipped = 8;
/** Requests of one caller that may wait for their turn. */
const mostWaitingRequests = 1_024;
const retryAfter = 5;

interface WaitingRequest {
  readonly begin: () => void;
  readonly isGone: () => boolean;
}

/**
 * Begins requests one of each caller in turn, and new connections come first. A server accepts one connection in each turn of the
 * event loop, so somebody who sent a thousand requests at once would keep everybody else from connecting until all were answered.
 */
export function beginInTurns(app: FastifyInstance): void {
  /** By caller. Whoever's request has begun goes to the end. */
  const lines = new Map<string, WaitingRequest[]>();
  let isScheduled = false;
  let hasAccepted = false;
  let skipped = 0;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(takeTurn);
  }

  function takeTurn(): void {
    isScheduled = false;
    const mustSkip = hasAccepted && skipped < mostSkipped;
    hasAccepted = false;
    skipped = mustSkip ? skipped + 1 : 0;
    for (let begun = 0; !mustSkip && begun < mostBegun && lines.size > 0; begun += 1) beginNext();
    if (lines.size > 0) schedule();
  }

  function beginNext(): void {
    for (const [caller, line] of lines) {
      lines.delete(caller);
      const request = line.shift();
      if (line.length > 0) lines.set(caller, line);
      if (request === undefined || request.isGone()) continue;
      request.begin();
      return;
    }
  }

  app.server.on("connection", () => {
    hasAccepted = true;
  });
  app.addHook("onRequest", (request, reply, done) => {
    const caller = credentialOf(request);
    const line = lines.get(caller) ?? [];
    if (line.length >= mostWaitingRequests) return done(tooMany());
    lines.set(caller, line);
    line.push({ begin: done, isGone: () => reply.raw.closed });
    schedule();
  });
}

/** Tells callers apart before anything is looked up. */
const credentialOf = ({ ip, headers: { authorization, cookie } }: FastifyRequest): string =>
  `${networkOf(ip)} ${authorization ?? cookie ?? ""}`;

const tooMany = (): ServiceError =>
  new ServiceError(
    "rateLimited",
    `More than ${mostWaitingRequests.toLocaleString("en")} of your requests wait to be answered. Try again in ${retryAfter} seconds.`,
    { reason: "tooManyAtATime", retryAfter },
  );

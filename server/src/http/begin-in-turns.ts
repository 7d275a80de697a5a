import { ServiceError } from "@reelscript/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { networkOf } from "../callers/network-of.ts";

/** Requests that begin in one turn of the event loop. */
const mostBegun = 4;
/** Turns in a row that leave the process to new connections. */
const mostSkipped = 8;
/** Requests of one caller that may wait for their turn. */
const mostWaiting = 1_024;
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
    if (line.length >= mostWaiting) return done(tooMany());
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
    `More than ${mostWaiting.toLocaleString("en")} of your requests wait to be answered. Try again in ${retryAfter} seconds.`,
    { reason: "tooManyAtATime", retryAfter },
  );

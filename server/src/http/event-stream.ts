import type { OutgoingHttpHeaders } from "node:http";
import { ServiceError } from "@reelscript/contract";
import type { FastifyReply, FastifyRequest } from "fastify";

const silenceMilliseconds = 15_000;
/** Limit of open streams in one process; each holds a connection and gets every change. */
const mostOfAccount = 10;
/** Seconds: closing a stream makes room immediately; a client that doesn't know of the others retries now and then. */
const retryAfter = 30;
const finished = "finished";

export interface EventStream {
  /** True once the response is a stream; no other response can be sent then. */
  readonly begun: boolean;
  /**
   * Begins the stream if need be, and throws `rateLimited` when the account has too many. False, and left out, when the
   * reader is slow and has not taken what came before.
   */
  send(name: string, data: unknown): boolean;
  /** The last event is never left out. */
  sendLast(data: unknown): void;
  end(): void;
}

/** The streams of one process. */
export interface EventStreams {
  /** Server-sent events as the answer, with comments that keep proxies from giving up. Begins with the first event. */
  create(reply: FastifyReply, accountId: string): EventStream;
}

/** True if an EventSource reconnects after the last event; by the standard it reconnects until it gets 204. */
export const hasHeardAll = ({ headers }: FastifyRequest): boolean => headers["last-event-id"] === finished;

export function createEventStreams(): EventStreams {
  const openOf = new Map<string, number>();

  /** Gives what gives the place back. */
  function takePlace(accountId: string): () => void {
    const open = openOf.get(accountId) ?? 0;
    if (open >= mostOfAccount)
      throw new ServiceError(
        "rateLimited",
        `This account has ${mostOfAccount} event streams open, which is the most. Close one, or ask without \`Accept: text/event-stream\`.`,
        { reason: "tooManyStreams", retryAfter },
      );
    openOf.set(accountId, open + 1);
    return () => {
      const left = (openOf.get(accountId) ?? 1) - 1;
      if (left > 0) openOf.set(accountId, left);
      else openOf.delete(accountId);
    };
  }

  return {
    create(reply, accountId) {
      const { raw } = reply;
      let begun = false;
      let comments: NodeJS.Timeout | undefined;

      function begin(): void {
        begun = true;
        reply.hijack();
        raw.writeHead(200, {
          ...(reply.getHeaders() as OutgoingHttpHeaders),
          "content-type": "text/event-stream; charset=utf-8",
          // A proxy that compresses would gather the events.
          "cache-control": "no-store, no-transform",
          "x-accel-buffering": "no",
          connection: "close",
        });
        raw.write("retry: 3000\n\n");
      }

      function beginLasting(): void {
        const giveBack = takePlace(accountId);
        raw.once("close", giveBack);
        begin();
        comments = setInterval(() => raw.writableNeedDrain || raw.write(": still here\n\n"), silenceMilliseconds);
        raw.once("close", () => clearInterval(comments));
      }

      const write = (name: string, data: unknown, id = ""): void =>
        void raw.write(`${id}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);

      return {
        get begun() {
          return begun;
        },
        send(name, data) {
          if (!begun) beginLasting();
          if (raw.destroyed || raw.writableNeedDrain) return false;
          write(name, data);
          return true;
        },
        sendLast(data) {
          if (!begun) begin();
          if (!raw.destroyed) write(finished, data, `id: ${finished}\n`);
        },
        end() {
          clearInterval(comments);
          raw.end();
        },
      };
    },
  };
}

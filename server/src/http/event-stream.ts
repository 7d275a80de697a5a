import type { OutgoingHttpHeaders } from "node:http";
import type { FastifyReply } from "fastify";

const silenceMilliseconds = 15_000;

export interface EventStream {
  /** Whether the answer is a stream already, so that no other can be sent. */
  readonly begun: boolean;
  /** Begins the stream if need be. False, and left out, when the reader is slow and has not taken what came before. */
  send(name: string, data: unknown): boolean;
  /** The last event is never left out. */
  sendLast(name: string, data: unknown): void;
  end(): void;
}

/** Server-sent events as the answer, with comments that keep proxies from giving up. Begins with the first event. */
export function createEventStream(reply: FastifyReply): EventStream {
  const { raw } = reply;
  let begun = false;
  let comments: NodeJS.Timeout | undefined;

  function begin(): void {
    begun = true;
    reply.hijack();
    raw.writeHead(200, {
      ...(reply.getHeaders() as OutgoingHttpHeaders),
      "content-type": "text/event-stream; charset=utf-8",
      "x-accel-buffering": "no",
      connection: "close",
    });
    raw.write("retry: 3000\n\n");
    comments = setInterval(() => raw.writableNeedDrain || raw.write(": still here\n\n"), silenceMilliseconds);
    raw.once("close", () => clearInterval(comments));
  }

  const write = (name: string, data: unknown): void =>
    void raw.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);

  return {
    get begun() {
      return begun;
    },
    send(name, data) {
      if (!begun) begin();
      if (raw.destroyed || raw.writableNeedDrain) return false;
      write(name, data);
      return true;
    },
    sendLast(name, data) {
      if (!begun) begin();
      if (!raw.destroyed) write(name, data);
    },
    end() {
      clearInterval(comments);
      raw.end();
    },
  };
}

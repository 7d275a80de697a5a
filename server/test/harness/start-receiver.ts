import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { listen } from "./listen.ts";

export interface ReceivedEvent {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  /** All requests received, in order. */
  readonly events: ReceivedEvent[];
  /** How it responds from now on; 204 by default. */
  answer: (response: ServerResponse, event: ReceivedEvent) => void;
  close(): Promise<void>;
}

/** A receiver for the running test. */
export async function receiverOfTest(): Promise<Receiver> {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  return receiver;
}

/** Receives webhooks on this machine. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
    response.on("error", () => undefined);
    void text(request).then((body) => {
      const event = { path: request.url ?? "", headers: request.headers, body };
      receiver.events.push(event);
      receiver.answer(response, event);
    });
  });
  const { origin } = await listen(server);
  const receiver: Receiver = {
    url: origin,
    events: [],
    answer: (response) => response.writeHead(204).end(),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return receiver;
}

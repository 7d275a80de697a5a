import { STATUS_CODES as statusTexts, type Server } from "node:http";
import type { Socket } from "node:net";
import { ServiceError } from "@reelscript/contract";
import { envelopeOf } from "../../run/error-response.ts";
import { newRequestId } from "../../rules/new-id.ts";

const farewellMilliseconds = 1_000;

/** Handles requests that never reach a route: not HTTP, too slow, or with headers that are too large. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = error.code === "HPE_HEADER_OVERFLOW" ? 431 : error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
  end(socket, status, "The request is not valid HTTP, took too long, or its headers are too large.");
}

/** Adds a reason to refusals that Node would send without one. */
export function answerWhatServersRefuse(server: Server): void {
  server.on("checkExpectation", (request: { socket: Socket }) =>
    end(request.socket, 417, "Only `Expect: 100-continue` is supported."),
  );
  server.on("connect", (_request: unknown, socket: Socket) => end(socket, 405, "This is not a proxy."));
}

/** Newer requests need the room of one that has not arrived. */
export function refuseForOthers(socket: Socket | null): void {
  if (socket?.writable) end(socket, 503, "The service is receiving too many requests. Try again in a few seconds.");
}

function end(socket: Socket, status: number, message: string): void {
  const body = JSON.stringify(envelopeOf(new ServiceError(status === 503 ? "unavailable" : "invalidRequest", message)));
  const head = [
    `HTTP/1.1 ${status} ${statusTexts[status]}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${newRequestId()}`,
    ...(status === 503 ? ["retry-after: 5"] : []),
    ...(status === 405 ? ["allow: GET, HEAD, POST, PATCH, DELETE"] : []),
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  // A client that keeps sending is not waited for, but gets the time to read the answer.
  setTimeout(() => socket.destroy(), farewellMilliseconds).unref();
}

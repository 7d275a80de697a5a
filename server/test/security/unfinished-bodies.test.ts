import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "../harness/start-test-service.ts";

/** As many as one network may have, and some more. */
const mostOfNetwork = 64;
const flood = mostOfNetwork + 30;
const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });

const tool = "transcribe_reel";

let service: TestService;
const sockets: Socket[] = [];
beforeAll(async () => {
  service = await startTestService({ transcriber: null, trustProxy: true });
}, 120_000);
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await service.close();
});

interface Begun {
  readonly socket: Socket;
  /** The list of tools, or all that was answered when the connection ends. */
  readonly answered: Promise<string>;
}

/** A request of which the last byte is missing. */
async function begin(address: string, path: string): Promise<Begun> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  let text = "";
  const answered = new Promise<string>((resolve) => {
    socket
      .on("data", (chunk) => {
        text += String(chunk);
        if (text.includes(tool)) resolve(text);
      })
      .once("close", () => resolve(text));
  });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nx-forwarded-for: ${address}\r\ncontent-type: application/json\r\n` +
      `accept: application/json, text/event-stream\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, -1)}`,
  );
  return { socket, answered };
}

test.each(["/mcp", "/api/v1/transcribe", "/app/api/extension/token"])(
  "unfinished bodies at %s give their places to newer ones of their network, and to no other's",
  { timeout: 60_000 },
  async (path) => {
    const neighbor = await begin("198.51.100.7", "/mcp");
    const begun: Begun[] = [];
    for (let count = 0; count < flood; count += 1) begun.push(await begin("203.0.113.9", path));
    const refused = await Promise.all(begun.slice(0, flood - mostOfNetwork).map(({ answered }) => answered));
    for (const text of refused) expect(text).toMatch(/^HTTP\/1\.1 (503|401) /);
    if (path === "/mcp") {
      for (const text of refused) expect(text).toContain('"code":"unavailable"');
      begun.at(-1)!.socket.write(body.slice(-1));
      expect(await begun.at(-1)!.answered, "the newest is answered").toContain(tool);
    }
    neighbor.socket.write(body.slice(-1));
    expect(await neighbor.answered).toContain(tool);
    for (const { socket } of begun) socket.destroy();
  },
);

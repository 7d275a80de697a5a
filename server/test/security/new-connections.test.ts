import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { serviceOfTest } from "../harness/start-test-service.ts";

/** Connections of a network on which no request has come: as many as stay, as many as are taken, and those that wait. */
const usualOfNetwork = 256;
const mostOfNetwork = 4_096;
const mostWaiting = 1_024;

async function connect(url: string, count: number) {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: count }, () => net.connect(Number(port), hostname));
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  let refused = 0;
  let ended = 0;
  for (const socket of sockets) {
    socket.on("error", () => undefined);
    socket.on("data", (data) => (refused += data.toString("latin1").startsWith("HTTP/1.1 503 ") ? 1 : 0));
    socket.once("close", () => (ended += 1));
  }
  await Promise.all(sockets.map((socket) => once(socket, "connect").catch(() => undefined)));
  return { sockets, refused: () => refused, ended: () => ended };
}

test("a network has 4,096 unfinished requests and 1,024 connections that wait, and more are closed unread", async () => {
  const { url } = await serviceOfTest({ transcriber: null });
  const { sockets, ended } = await connect(url, mostOfNetwork + mostWaiting + 100);
  for (const socket of sockets) socket.write("GET /healthz HTTP/1.1\r\nhost: x\r\n");
  await expect.poll(ended, { timeout: 10_000 }).toBeGreaterThanOrEqual(100);
});

test("the oldest unfinished requests go until a network has 256, and others are answered meanwhile", async () => {
  const { url } = await serviceOfTest({ transcriber: null });
  const begun = await connect(url, usualOfNetwork + 40);
  for (const socket of begun.sockets) socket.write("GET /healthz HTTP/1.1\r\nhost: x\r\n");
  const answers = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const [answer] = (await once(http.get(`${url}/healthz`, { agent: false }), "response")) as [http.IncomingMessage];
      answer.resume();
      return answer.statusCode;
    }),
  );
  expect(answers).toEqual(answers.map(() => 200));
  await expect.poll(begun.refused, { timeout: 10_000 }).toBe(40);
});

test("finished requests make room, so that many connections of a network are served", async () => {
  const { url } = await serviceOfTest({ transcriber: null });
  const { sockets } = await connect(url, 2 * usualOfNetwork);
  let answered = 0;
  for (const socket of sockets) {
    socket.on("data", (data) => (answered += data.toString("latin1").split("HTTP/1.1 200 ").length - 1));
    socket.write("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n");
  }
  await expect.poll(() => answered, { timeout: 20_000 }).toBe(sockets.length);
});

import { once } from "node:events";
import net from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { serviceOfTest } from "../harness/start-test-service.ts";

const requests = 300;

async function connect(url: string) {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return {
    ask: (key: string) => socket.write(`GET /api/v1/usage HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`),
    answered: once(socket, "data").then(([data]) => String(data).split("\r\n", 1)[0]),
  };
}

test("a caller with one request is answered before those who sent hundreds have their answers", async () => {
  const service = await serviceOfTest({ transcriber: null });
  const greedy = await service.createCaller();
  const quiet = await service.createCaller();
  const connections = await Promise.all(Array.from({ length: requests }, () => connect(service.url)));
  const last = await connect(service.url);
  let answered = 0;
  for (const connection of connections) {
    void connection.answered.then(() => (answered += 1));
    connection.ask(greedy.key);
  }
  last.ask(quiet.key);
  expect(await last.answered).toBe("HTTP/1.1 200 OK");
  expect(answered).toBeLessThan(requests / 2);
  const lines = await Promise.all(connections.map((connection) => connection.answered));
  expect(new Set(lines)).toEqual(new Set(["HTTP/1.1 200 OK"]));
});

test("1,024 requests of a caller wait, and more are refused", async () => {
  const { url } = await serviceOfTest({ transcriber: null });
  const { hostname, port } = new URL(url);
  const perConnection = 20;
  const sockets = Array.from({ length: 64 }, () => net.connect(Number(port), hostname));
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  const statuses: string[] = [];
  for (const socket of sockets) {
    socket.on("data", (data) => {
      for (const [, status] of data.toString("latin1").matchAll(/HTTP\/1\.1 (\d{3}) /g)) statuses.push(status!);
    });
    socket.write("GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n".repeat(perConnection));
  }
  await expect.poll(() => statuses.length, { timeout: 20_000 }).toBe(sockets.length * perConnection);
  expect(new Set(statuses)).toEqual(new Set(["200", "429"]));
  expect(statuses.filter((status) => status === "429").length).toBeLessThanOrEqual(
    sockets.length * perConnection - 1_024,
  );
});

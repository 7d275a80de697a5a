import { once } from "node:events";
import { createServer, request } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../harness/free-port.ts";
import { hasHaproxy, type Haproxy, startHaproxy, unlessHaproxy } from "../harness/start-haproxy.ts";
import { root } from "../harness/start-program.ts";

const mostOfSource = 200;
const mostOfAll = 400;

/** Linux answers at every address of this network. */
describe.skipIf(!hasHaproxy || process.platform !== "linux")(
  `the proxy in front, with room for ${mostOfAll} connections${unlessHaproxy}`,
  () => {
    const service = createServer((_request, response) => response.end("here"));
    let proxy: Haproxy;
    let port: number;
    beforeAll(async () => {
      await once(service.listen(0, "127.0.0.1"), "listening");
      const address = `127.0.0.1:${(service.address() as AddressInfo).port}`;
      port = await freePort();
      proxy = await startHaproxy([path.join(root, "deploy/haproxy.cfg"), `global\n  maxconn ${mostOfAll}\n`], port, {
        BIND: `127.0.0.1:${port}`,
        API_1: address,
        API_2: address,
        OUTER_PROXIES: "127.0.0.3",
      });
    });
    afterAll(async () => {
      await proxy.end();
      service.close();
    });

    /** A connection with an unfinished request. */
    async function begin(localAddress: string): Promise<Socket> {
      const socket = connect({ port, host: "127.0.0.1", localAddress });
      socket.on("error", () => undefined);
      socket.resume();
      await new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
      socket.write("GET / HTTP/1.1\r\nhost: x\r\n");
      return socket;
    }

    const visit = (localAddress: string): Promise<number | string> =>
      new Promise((resolve) => {
        const options = { port, host: "127.0.0.1", localAddress, agent: false };
        const clientRequest = request(options, (answer) => resolve(answer.resume().statusCode ?? 0));
        clientRequest.once("error", ({ message }) => resolve(message)).end();
      });

    test("serves a visitor while one source holds all its allowed connections", async () => {
      const flood = await Promise.all(Array.from({ length: mostOfAll + 100 }, () => begin("127.0.0.9")));
      const open = () => flood.filter(({ closed }) => !closed).length;
      await expect.poll(open).toBe(mostOfSource);
      expect(await visit("127.0.0.2")).toBe(200);
      expect(await visit("127.0.0.9"), "the source itself has no more").toMatch(/hang up|ECONNRESET/);
      expect(open(), "none of them ended meanwhile").toBe(mostOfSource);
      await expect.poll(open).toBe(0);
      expect(await visit("127.0.0.9"), "later it has").toBe(200);
    });

    test("lets an outer proxy bring more", async () => {
      const brought = await Promise.all(Array.from({ length: mostOfSource + 50 }, () => begin("127.0.0.3")));
      expect(await visit("127.0.0.3")).toBe(200);
      expect(brought.filter(({ closed }) => closed)).toEqual([]);
      for (const socket of brought) socket.destroy();
    });
  },
);

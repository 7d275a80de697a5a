import { Agent, request } from "node:http";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDatabaseUrl } from "../database/test-database-url.ts";
import { temporaryDatabase } from "../database/opened-stores.ts";
import { freePort } from "../harness/free-port.ts";
import { hasHaproxy, type Haproxy, startHaproxy } from "../harness/start-haproxy.ts";
import { root, startProgram, type Program } from "../harness/start-program.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

const isPossible = hasHaproxy && testDatabaseUrl !== undefined;
if (!isPossible)
  console.warn("SKIPPED: restarting behind a proxy needs haproxy and TEST_DATABASE_URL, and one of them is missing");

describe.skipIf(!isPossible)(
  "restarting two processes in turn behind HAProxy (runs with haproxy and TEST_DATABASE_URL)",
  () => {
    const nodes: (Program | undefined)[] = [];
    const directory = directoryOfTests();
    let database: Awaited<ReturnType<typeof temporaryDatabase>>;
    let proxy: Haproxy;
    let ports: number[];
    let publicPort: number;
    let statisticsPort: number;

    /** Reads the proxy's statistics about a process, by the proxy's names for the columns. */
    const rowOf = async (index: number): Promise<Readonly<Record<string, string | undefined>>> => {
      const table = await (await fetch(`http://127.0.0.1:${statisticsPort}/;csv`)).text();
      const [names = [], ...rows] = table.split("\n").map((line) => line.replace(/^# /, "").split(","));
      const row = rows.find(([proxy, server]) => proxy === "api" && server === `api-${index + 1}`);
      return Object.fromEntries(names.map((name, column) => [name, row?.[column]]));
    };

    /** True once the proxy's checks have found the process; until then the proxy sends it no calls. */
    const isUp = async (index: number): Promise<boolean> => (await rowOf(index)).status === "UP";

    /** True once the proxy sends the process no calls. After a first failed check it is still sent some, as "UP 2/3". */
    const isDown = async (index: number): Promise<boolean> => (await rowOf(index)).status?.startsWith("DOWN") === true;

    const startNode = async (index: number): Promise<Program> => {
      const program = await startProgram({
        DATA_DIR: path.join(directory, `node-${index}`),
        DATABASE_URL: database.databaseUrl,
        NODE_ENV: "development",
        ROLE: "api",
        PORT: String(ports[index]),
        DRAIN_SECONDS: "600",
        TRUST_PROXY: "127.0.0.1",
        RATE_LIMIT_DEFAULT: "1000000",
        RATE_LIMIT_BIO_WRITE: "1000000",
      });
      nodes[index] = program;
      return program;
    };

    beforeAll(async () => {
      database = await temporaryDatabase(testDatabaseUrl!);
      publicPort = await freePort();
      statisticsPort = await freePort();
      ports = [await freePort(), await freePort()];
      const statistics = `frontend statistics\n  mode http\n  timeout client 10s\n  bind 127.0.0.1:${statisticsPort}\n  stats enable\n  stats uri /\n`;
      proxy = await startHaproxy([path.join(root, "deploy/haproxy.cfg"), statistics], statisticsPort, {
        BIND: `127.0.0.1:${publicPort}`,
        API_1: `127.0.0.1:${ports[0]}`,
        API_2: `127.0.0.1:${ports[1]}`,
      });
    });
    afterAll(async () => {
      for (const node of nodes) await node?.end("SIGKILL");
      await proxy.end();
      await database.drop();
    });

    test("loses no request, whether it reads or writes", async () => {
      const { key } = await startNode(0);
      await startNode(1);
      const agent = new Agent({ keepAlive: true, maxSockets: 8 });
      const call = (method: string, where: string, body?: object) =>
        new Promise<number | string>((resolve) => {
          const clientRequest = request(
            {
              port: publicPort,
              method,
              path: where,
              agent,
              headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
            },
            (response) => {
              let text = "";
              response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
              // The text tells a refusal by the proxy from one by the service.
              response.once("end", () =>
                resolve(response.statusCode === 200 ? 200 : `${response.statusCode}: ${text}`),
              );
              response.once("error", (error) => resolve(error.message));
            },
          );
          clientRequest.once("error", (error) => resolve(error.message));
          clientRequest.end(body && JSON.stringify(body));
        });
      for (const index of [0, 1]) await expect.poll(() => isUp(index)).toBe(true);

      const answers = new Map<number | string, number>();
      let isOver = false;
      const patch = { displayName: "A name" };
      const load = Array.from({ length: 8 }, async (_, index) => {
        for (let sentCount = 0; !isOver && sentCount < 20_000; sentCount += 1) {
          const answer = await ((sentCount + index) % 3 === 0
            ? call("PATCH", "/api/v1/bio?dryRun=true", patch)
            : call("GET", (sentCount + index) % 3 === 1 ? "/api/v1/usage" : "/api/v1/scripts"));
          answers.set(answer, (answers.get(answer) ?? 0) + 1);
          await pause(10);
        }
      });
      for (const index of [0, 1]) {
        const node = nodes[index]!;
        node.child.kill("SIGTERM");
        await expect.poll(() => isDown(index)).toBe(true);
        // Whoever knows that no more calls come need not wait.
        expect((await node.end("SIGTERM")).code).toBe(0);
        await startNode(index);
        await expect.poll(() => isUp(index)).toBe(true);
        const before = [...answers.values()].reduce((sum, count) => sum + count, 0);
        await expect
          .poll(() => [...answers.values()].reduce((sum, count) => sum + count, 0))
          .toBeGreaterThan(before + 20);
      }
      isOver = true;
      await Promise.all(load);
      agent.destroy();
      const failures = [...answers].filter(([answer]) => answer !== 200);
      expect(failures).toEqual([]);
      expect(answers.get(200)).toBeGreaterThan(100);
    });

    test("keeps a process that is unresponsive for seconds because it works", async () => {
      for (const index of [0, 1]) {
        if (nodes[index]?.child.exitCode !== null) await startNode(index);
        await expect.poll(() => isUp(index)).toBe(true);
      }
      const isLate = async () => (await rowOf(0)).check_status?.includes("L7TOUT");
      const { chkdown } = await rowOf(0);
      // A stopped process looks like a busy one: it answers nothing until it resumes.
      nodes[0]!.child.kill("SIGSTOP");
      try {
        await expect.poll(isLate, { interval: 50 }).toBe(true);
      } finally {
        nodes[0]!.child.kill("SIGCONT");
      }
      await expect.poll(async () => (await rowOf(0)).check_status).toBe("L7OK");
      expect(await rowOf(0)).toMatchObject({ status: "UP", chkdown });
    });
  },
);

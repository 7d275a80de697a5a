import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { temporaryDatabase } from "../database/opened-stores.ts";
import { testDatabaseUrl } from "../database/test-database-url.ts";
import { followStream } from "../harness/follow-stream.ts";
import { rest, transcribeLater } from "../harness/rest.ts";
import { startProgram, type Program } from "../harness/start-program.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

describe.skipIf(testDatabaseUrl === undefined)(
  "words of a long reel, recognized by one process and told by another (runs with TEST_DATABASE_URL)",
  { timeout: 400_000 },
  () => {
    const directory = directoryOfTests();
    const closers: (() => Promise<unknown>)[] = [];
    afterAll(async () => {
      for (const close of closers.toReversed()) await close();
    });

    test("come before the end, begin again when another worker takes over, and are nowhere once they are refused", async () => {
      const { databaseUrl, drop } = await temporaryDatabase(testDatabaseUrl ?? "");
      closers.push(drop);
      const start = async (role: "api" | "worker"): Promise<Program> => {
        const program = await startProgram({ DATA_DIR: directory, DATABASE_URL: databaseUrl, ROLE: role });
        closers.push(() => program.end("SIGKILL"));
        return program;
      };
      const api = await start("api");
      const found = (pattern: RegExp): string =>
        pattern.exec(api.printed())?.[1] ?? expect.fail(`${pattern} is not in:\n${api.printed()}`);
      const url = found(/REST\s+(\S+)\/api\/v1/);
      const key = found(/your key\s+(svc_sk_\w{49})/);
      const id = await transcribeLater(url, key, `${found(/stand-in\s+(\S+)/)}/reel/CfmFifteenM/`);
      const stream = await followStream(url, key, id);
      expect(stream.status).toBe(200);

      const first = await start("worker");
      await expect.poll(() => stream.words() ?? "").toMatch(/John Dashwood/);
      expect(stream.last()).toMatchObject({ status: "running" });
      expect(stream.last()?.progress).toBeLessThan(1);
      expect((await rest(url, "/scripts", { key })).body.total).toBe(0);

      await first.end("SIGKILL");
      const database = new pg.Client(databaseUrl);
      await database.connect();
      closers.push(() => database.end());
      // Nobody has to wait for the lease of a process that is known to be dead.
      await database.query("update transcription set lease_until = now() where state = 'running'");
      await start("worker");
      await expect.poll(() => stream.words()).toBe("");
      await expect.poll(() => stream.words() ?? "").toMatch(/John Dashwood/);

      const kept = async (): Promise<unknown> => (await database.query("select * from interim_text")).rows.length;
      expect(await kept()).toBeGreaterThan(0);
      await database.query(
        `update transcription set state = 'failed', lease_until = null, finished_at = now(),
           failure = '{"code":"internalError","status":500,"message":"Ended by the test."}'
         where state = 'running'`,
      );
      await stream.ended;
      expect(stream.last()).toMatchObject({ status: "failed", error: { message: "Ended by the test." } });
      expect(JSON.stringify(stream.last())).not.toContain("Dashwood");
      expect(await kept()).toBe(0);
    });
  },
);

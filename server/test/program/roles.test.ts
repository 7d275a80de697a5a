import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryDatabase } from "../database/opened-stores.ts";
import { testDatabaseUrl } from "../database/test-database-url.ts";
import { plainEnvironment, root, startProgram, type Program } from "../harness/start-program.ts";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { rest, transcribe, used } from "../harness/rest.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

const run = promisify(execFile);

describe.skipIf(testDatabaseUrl === undefined)(
  "API and workers in processes of their own (runs with TEST_DATABASE_URL)",
  () => {
    const programs: Program[] = [];
    const directory = directoryOfTests();
    let databaseUrl: string;
    let drop: () => Promise<void>;

    async function start(role: "api" | "worker"): Promise<Program> {
      const program = await startProgram({ DATA_DIR: directory, DATABASE_URL: databaseUrl, ROLE: role });
      programs.push(program);
      return program;
    }
    /** Nobody has to wait for the lease of a process that is known to be dead. */
    const endLeases = (database: pg.Client): Promise<unknown> =>
      database.query("update transcription set lease_until = now() where state = 'running'");
    const found = (text: string, pattern: RegExp): string =>
      pattern.exec(text)?.[1] ?? expect.fail(`${pattern} is not in:\n${text}`);

    beforeAll(async () => {
      ({ databaseUrl, drop } = await temporaryDatabase(testDatabaseUrl ?? ""));
    });
    afterAll(async () => {
      for (const program of programs) await program.end("SIGKILL");
      await drop();
    });

    test("a call outlives the worker that began it: another one takes over, and it is charged once", async () => {
      const api = await start("api");
      const url = found(api.printed(), /REST\s+(\S+)\/api\/v1/);
      const origin = found(api.printed(), /stand-in\s+(\S+)/);
      const key = found(api.printed(), /your key\s+(svc_sk_\w{49})/);
      const waiting = transcribe(url, key, `${origin}/reel/CenAmiable1/`);
      const database = new pg.Client(databaseUrl);
      await database.connect();
      const state = async () =>
        (await database.query<{ state: string }>("select state from transcription")).rows[0]?.state;
      await expect.poll(state).toBe("queued");

      const first = await start("worker");
      expect(first.printed()).toContain("takes transcriptions from the queue");
      await expect.poll(state).toBe("running");
      await first.end("SIGKILL");
      await endLeases(database);
      await start("worker");
      expect(await waiting).toMatchObject({ status: 200, body: { language: "en", cached: false, usage: { used: 1 } } });
      await database.end();

      const admin = await run(process.execPath, ["server/bin/reelscript-admin.js", "account", "list"], {
        cwd: root,
        env: { ...plainEnvironment(), DATA_DIR: directory, DATABASE_URL: databaseUrl },
      });
      expect(admin.stdout).toContain("developer@example.com");
      expect((await rest(url, "/scripts", { key })).body.total).toBe(1);
    });

    test("a reel that is in hand at two crashes fails, costs nothing and is not tried a third time", async () => {
      const api = programs[0] ?? expect.fail("the first test starts it");
      for (const worker of programs.splice(1)) await worker.end("SIGTERM");
      const url = found(api.printed(), /REST\s+(\S+)\/api\/v1/);
      const origin = found(api.printed(), /stand-in\s+(\S+)/);
      const key = found(api.printed(), /your key\s+(svc_sk_\w{49})/);
      const before = await used(url, key);
      const waiting = transcribe(url, key, `${origin}/reel/CfmFifteenM/`);
      const database = new pg.Client(databaseUrl);
      await database.connect();
      const read = async () =>
        (await database.query("select * from transcription order by number desc limit 1")).rows[0];
      for (const attempt of [1, 2]) {
        const worker = await start("worker");
        await expect.poll(read).toMatchObject({ state: "running", attempt });
        await worker.end("SIGKILL");
        await endLeases(database);
      }
      await start("worker");
      expect(await waiting).toMatchObject({ status: 500, body: { error: { code: "internalError" } } });
      expect(await read()).toMatchObject({ state: "failed", attempt: 2, crashes: 2 });
      expect(await used(url, key)).toBe(before);
      const held = await database.query("select sum(held)::integer as held from allowance");
      expect(held.rows).toEqual([{ held: 0 }]);
      await database.end();
    });
  },
);

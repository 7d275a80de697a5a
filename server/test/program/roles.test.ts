import { execFile } from "node:child_process";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { createApiKey } from "../../src/callers/authenticate.ts";
import { newId, patientLimits, temporaryDatabase } from "../database/opened-stores.ts";
import { testDatabaseUrl } from "../database/test-database-url.ts";
import { followStream } from "../harness/follow-stream.ts";
import { freePort } from "../harness/free-port.ts";
import { rest, transcribe, transcribeLater, used } from "../harness/rest.ts";
import { plainEnvironment, root, startProgram, type Program } from "../harness/start-program.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

/** An account may have no more streams than this at a time. */
const followersOfAccount = 10;

describe.skipIf(testDatabaseUrl === undefined)(
  "API and workers in processes of their own (runs with TEST_DATABASE_URL)",
  () => {
    const directory = directoryOfTests();
    /** Works for one test after the other, until a test ends it. */
    let worker: Program | undefined;
    let databaseUrl: string;
    let drop: () => Promise<void>;
    let database: pg.Client;
    let api: Program;
    let url: string;
    let key: string;
    let origin: string;
    let metricsPort: number;

    const start = (environment: Record<string, string>): Promise<Program> =>
      startProgram({ NODE_ENV: "development", DATA_DIR: directory, DATABASE_URL: databaseUrl, ...environment });
    async function startWorker(): Promise<Program> {
      worker = await start({ ROLE: "worker", DRAIN_SECONDS: "600" });
      return worker;
    }
    /** Nobody has to wait for the lease of a process that is known to be dead. */
    async function killWorker(): Promise<void> {
      await worker?.end("SIGKILL");
      worker = undefined;
      await database.query("update transcription set lease_until = now() where state = 'running'");
    }
    /** The key of a new account. */
    async function newKey(): Promise<string> {
      const store = await openStore({ databaseUrl, serverLimits: patientLimits, dataDirectory: "unused", newId });
      const { id: accountId } = await store.accounts.create({ email: "a@example.com", plan: "free", now: new Date() });
      const { key: secret, hash, lastFour } = createApiKey();
      await store.keys.create({ accountId, name: "test", hash, lastFour, now: new Date() });
      await store.close();
      return secret;
    }
    const last = async () => (await database.query("select * from transcription order by number desc limit 1")).rows[0];

    beforeAll(async () => {
      ({ databaseUrl, drop } = await temporaryDatabase(testDatabaseUrl ?? ""));
      metricsPort = await freePort();
      api = await start({
        ROLE: "api",
        DRAIN_SECONDS: "0",
        RATE_LIMIT_DEFAULT: "10000",
        METRICS_PORT: String(metricsPort),
        // Nobody listens there: what is put into the storage stays in the database.
        OBJECT_STORAGE: "s3",
        S3_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
        S3_BUCKET: "pictures",
        S3_ACCESS_KEY_ID: "key",
        S3_SECRET_ACCESS_KEY: "secret",
      });
      ({ url, key, standin: origin } = api);
      database = new pg.Client(databaseUrl);
      await database.connect();
    });
    afterAll(async () => {
      await worker?.end("SIGKILL");
      await api.end("SIGKILL");
      await database.end();
      await drop();
    });

    test("figures name failures of the storage and the difference of the clock", async () => {
      const figures = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      expect(await figures()).toMatch(/^reelscript_clock_difference_seconds -?\d/m);
      const reel = encodeURIComponent(`${origin}/reel/CenAusten01/`);
      expect((await rest(url, `/reels/resolve?url=${reel}`, { key })).status).toBe(200);
      await expect.poll(figures).toMatch(/^reelscript_storage_failures_total\{action="put"\} [1-9]/m);
    });

    test("a call outlives its worker: another takes over, charged once", async () => {
      const waiting = transcribe(url, key, `${origin}/reel/CenAmiable1/`);
      await expect.poll(last).toMatchObject({ state: "queued" });
      const first = await startWorker();
      expect(first.printed()).toContain("takes transcriptions from the queue");
      await expect.poll(last).toMatchObject({ state: "running" });
      await killWorker();
      await startWorker();
      expect(await waiting).toMatchObject({ status: 200, body: { language: "en", cached: false, usage: { used: 1 } } });

      const admin = await promisify(execFile)(process.execPath, ["server/bin/reelscript-admin.js", "account", "list"], {
        cwd: root,
        env: { ...plainEnvironment(), DATA_DIR: directory, DATABASE_URL: databaseUrl },
      });
      expect(admin.stdout).toContain("developer@example.com");
      expect((await rest(url, "/scripts", { key })).body.total).toBe(1);
    });

    test("a draining worker claims nothing, finishes its reels and ends", async () => {
      const { child } = worker ?? (await startWorker());
      const waiting = transcribe(url, key, `${origin}/reel/CenSquare01/`);
      await expect.poll(last).toMatchObject({ state: "running" });
      child.kill("SIGTERM");
      const isWell = async () => (await database.query("select is_well from worker order by seen_at desc")).rows[0];
      await expect.poll(isWell).toEqual({ is_well: false });
      const left = await transcribeLater(url, key, `${origin}/reel/CenOneSecon/`);
      expect(await waiting).toMatchObject({ status: 200 });
      // Time is left, and nothing to wait for.
      await expect.poll(() => child.exitCode).toBe(0);
      worker = undefined;
      expect(await last()).toMatchObject({ id: left, state: "queued", attempt: 0 });
      await startWorker();
      await expect.poll(last).toMatchObject({ id: left, state: "done" });
    });

    test("a reel that is running at two crashes fails without a charge", async () => {
      const before = await used(url, key);
      const waiting = transcribe(url, key, `${origin}/reel/CfmFifteenM/`);
      if (worker === undefined) await startWorker();
      for (const attempt of [1, 2]) {
        await expect.poll(last).toMatchObject({ state: "running", attempt });
        await killWorker();
        await startWorker();
      }
      expect(await waiting).toMatchObject({ status: 500, body: { error: { code: "internalError" } } });
      expect(await last()).toMatchObject({ state: "failed", attempt: 2, crashes: 2 });
      expect(await used(url, key)).toBe(before);
      const held = await database.query("select sum(held)::integer as held from allowance");
      expect(held.rows).toEqual([{ held: 0 }]);
    });

    test("interim words restart with another worker and vanish when refused", async () => {
      const { total } = (await rest(url, "/scripts", { key })).body;
      const id = await transcribeLater(url, key, `${origin}/reel/CfmFifteenM/`);
      const stream = await followStream(url, key, id);
      expect(stream.status).toBe(200);

      if (worker === undefined) await startWorker();
      await expect.poll(() => stream.words() ?? "").toMatch(/John Dashwood/);
      expect(stream.last()).toMatchObject({ status: "running" });
      expect(stream.last()?.progress).toBeLessThan(1);
      expect((await rest(url, "/scripts", { key })).body.total).toBe(total);

      await killWorker();
      await startWorker();
      await expect.poll(() => stream.words()).toBe("");
      await expect.poll(() => stream.words() ?? "").toMatch(/John Dashwood/);

      const keptCount = async (): Promise<unknown> => (await database.query("select * from interim_text")).rows.length;
      expect(await keptCount()).toBeGreaterThan(0);
      await database.query(
        `update transcription set state = 'failed', lease_until = null, finished_at = now(),
           failure = '{"code":"internalError","status":500,"message":"Ended by the test."}'
         where state = 'running'`,
      );
      await stream.ended;
      expect(stream.last()).toMatchObject({ status: "failed", error: { message: "Ended by the test." } });
      expect(JSON.stringify(stream.last())).not.toContain("Dashwood");
      expect(await keptCount()).toBe(0);
      await killWorker();
    });

    test("many followers cause no listener warning, at the process's end either", async () => {
      const owners = await Promise.all(
        ["CenTourA060", "CenAusten01", "CenWeasels1"].map(async (code) => {
          const ownKey = await newKey();
          return { ownKey, id: await transcribeLater(url, ownKey, `${origin}/reel/${code}/`) };
        }),
      );
      const followers = owners.flatMap((owner) => Array.from({ length: followersOfAccount }, () => owner));
      const streams = await Promise.all(
        followers.map(async ({ ownKey, id }) => {
          const { status, body: stream } = await fetch(`${url}/api/v1/transcriptions/${id}`, {
            headers: { authorization: `Bearer ${ownKey}`, accept: "text/event-stream" },
          });
          const reader = stream!.pipeThrough(new TextDecoderStream()).getReader();
          let text = "";
          while (!text.includes("event: progress")) text += (await reader.read()).value ?? expect.fail(text);
          return { status, reader };
        }),
      );
      expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
      expect((await api.end("SIGTERM")).code).toBe(0);
      for (const { reader } of streams) while (!(await reader.read()).done);
      expect(api.printed()).not.toContain("MaxListenersExceededWarning");
    });
  },
);

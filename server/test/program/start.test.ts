import { execFile } from "node:child_process";
import { once } from "node:events";
import { access } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { transaction } from "../../src/adapters/database/engine/statement.ts";
import { migrate } from "../../src/adapters/database/migrations/migrate.ts";
import { migrations } from "../../src/adapters/database/migrations/migrations.ts";
import { temporaryDatabase } from "../database/opened-stores.ts";
import { testDatabaseUrl } from "../database/test-database-url.ts";
import { rest, transcribe, used } from "../harness/rest.ts";
import { signIn } from "../harness/sign-in.ts";
import {
  noModel,
  plainEnvironment,
  type Program,
  programsOfTests,
  root,
  startCommand,
} from "../harness/start-program.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

const run = promisify(execFile);

const directory = directoryOfTests();
const start = programsOfTests(directory);

const firstGroup = (text: string, pattern: RegExp): string =>
  pattern.exec(text)?.[1] ?? expect.fail(`${pattern} is not in:\n${text}`);

/** Runs the line in a shell or, where there is no curl, sends what it would send. */
async function carryOut(line: string): Promise<unknown> {
  const answer = await run("sh", ["-c", line]).catch(async (error: { code?: number }) => {
    if (error.code !== 127) throw error;
    const headers = Array.from(
      line.matchAll(/-H "([^:]+): ([^"]+)"/g),
      ([, name = "", value = ""]) => [name, value] as const,
    );
    const body = firstGroup(line, /-d '([^']+)'/);
    const response = await fetch(firstGroup(line, /(http\S+)/), {
      method: "POST",
      headers: Object.fromEntries(headers),
      body,
    });
    return { stdout: await response.text() };
  });
  return JSON.parse(answer.stdout);
}

test.each([
  ["--help", 0, "takes no arguments"],
  ["-h", 0, "docs/settings.md"],
  ["--port=80", 1, "--port=80 isn't understood"],
  ["start", 1, "start isn't understood"],
])("the service starts nothing for %s", async (argument, code, says) => {
  const service = run(process.execPath, ["server/bin/reelscript-service.js", argument], {
    cwd: root,
    env: { ...plainEnvironment(), PORT: "0", DATA_DIR: path.join(directory, "never") },
  });
  const { stdout, stderr, ...ended } = await service.then(
    (output) => ({ ...output, code: 0 }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  expect([ended.code, stdout + stderr]).toEqual([code, expect.stringContaining(says)]);
  await expect(access(path.join(directory, "never"))).rejects.toThrow("ENOENT");
});

describe("npm start", () => {
  // The tests of this group go on from one another. The limits are raised, because looking again and again would meet them on
  // a slow machine.
  const raised = { RATE_LIMIT_DEFAULT: "10000", RATE_LIMIT_TRANSCRIBE: "10000" };
  let first: Program;
  let key: string;
  let developerId: string;
  let again: Program;

  test("prints a working transcription command, and serves the operator's commands", async () => {
    first = await start({ STANDIN: "" }, startCommand);
    ({ key } = first);
    const line = firstGroup(first.printed(), /^(curl .*)$/m);
    expect(await carryOut(line)).toMatchObject({
      transcript: expect.stringMatching(/\w+ \w+/),
      language: "en",
      cached: false,
      usage: { used: 1, limit: 10 },
    });

    const admin = (...args: string[]) =>
      run(process.execPath, ["server/bin/reelscript-admin.js", ...args], {
        cwd: root,
        env: { ...plainEnvironment(), DATA_DIR: directory },
      });
    const account =
      (await admin("account", "create", "--email", "a@example.com", "--plan", "hobby")).stdout
        .trimEnd()
        .split("\n")
        .at(-1) ?? "";
    expect(account).toMatch(/^acc_\w{16}$/);
    const other = (await admin("key", "create", "--account", account)).stdout.trimEnd().split("\n").at(-1) ?? "";
    expect((await rest(first.url, "/usage", { key: other })).body).toMatchObject({ plan: "hobby" });
  });

  test("signs the developer in to the printed key's account", async () => {
    developerId = (await rest(first.url, "/me", { key })).body.account.id;
    expect((await signIn(first)).accountId).toBe(developerId);
    expect((await signIn(first, { email: "other@example.com" })).accountId).not.toBe(developerId);
  });

  test("keeps everything at another port, and shows no key a second time", async () => {
    expect((await first.end("SIGINT")).code).toBe(0);
    const former = createServer().listen(Number(new URL(first.url).port), "127.0.0.1");
    onTestFinished(() => void former.close());
    // Somebody else may have taken it meanwhile: then it is taken all the same.
    await once(former, "listening").catch(() => undefined);

    again = await start(raised);
    expect(again.url).not.toBe(first.url);
    expect((await signIn(again)).accountId).toBe(developerId);
    expect(again.printed()).not.toMatch(/svc_sk_\w{49}/);
    const { url } = again;
    expect(await used(url, key)).toBe(1);
    expect((await rest(url, "/scripts", { key })).body.total).toBe(1);
  });

  test("beside a running service says so in one sentence", async () => {
    const second = await start({ ...noModel, METRICS_PORT: "0", LOG_LEVEL: "silent" });
    expect(second.child.exitCode).toBe(1);
    expect(second.printed().trim()).toMatch(
      /^Reelscript could not start: The data directory \S+ is in use by process \d+ on \S+ since \S+; stop that process, or choose another directory with DATA_DIR\.$/,
    );
    expect(again.child.exitCode).toBeNull();
  });

  test("killed during a transcription, returns the unit or finishes, never both", async () => {
    const { url, standin } = again;
    const reel = (origin: string): string => `${origin}/reel/CenAmiable1/`;
    const admitted = async () => (await rest(url, "/me", { key })).body.rateLimits.transcribe.remaining;
    const before = await admitted();
    const given = transcribe(url, key, reel(standin)).then(
      () => "answered",
      () => "cut off",
    );
    await expect.poll(admitted).toBeLessThan(before);
    await expect.poll(async () => (await transcribe(url, key, reel(standin))).status).toBe(409);
    await again.end("SIGKILL");
    expect(await given).toBe("cut off");

    const last = await start(raised);
    const total = async () => (await rest(last.url, "/scripts", { key })).body.total;
    await expect.poll(total, { interval: 100 }).toBe(2);
    expect(await used(last.url, key)).toBe(2);
    const repeated = await transcribe(last.url, key, reel(last.standin));
    expect(repeated.body).toMatchObject({ cached: true, usage: { used: 2 } });
    expect((await last.end("SIGTERM")).code).toBe(0);
  });
});

test("the programs are bundled, and run from modules without a bundle", async () => {
  const list = `import { builtProgram } from "./server/bin/built-program.js";
    const names = [["service", "main.js"], ["admin", "admin/main.js"], ["job-thread", "threads/job-thread.js"], ["no bundle", "main.js"], ["no bundle", "none.js"]];
    console.log(JSON.stringify(names.map(([bundle, modules]) => builtProgram({ bundle, modules }) ?? "not built")));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", list], { cwd: root });
  const modules = (JSON.parse(stdout) as string[]).map((module) => module.replace(/^.*\/server\/dist\//, ""));
  expect(modules).toEqual(["bundles/service.js", "bundles/admin.js", "bundles/job-thread.js", "main.js", "not built"]);
});

describe("a start that cannot be", () => {
  test.each([
    ["a setting of the wrong kind", { PORT: "many" }, "PORT"],
    ["a model that is not there", { WHISPER_MODEL: "/nowhere/model" }, "/nowhere/model"],
  ])("says what is wrong with %s, and ends with 1", async (_name, environment, says) => {
    const program = await start({ ...environment, DATA_DIR: path.join(directory, "never") });
    expect(program.printed()).toContain("could not start");
    expect(program.printed()).toContain(says);
    expect(program.printed(), "no stack trace").not.toMatch(/^ {4}at /m);
    expect(program.child.exitCode).toBe(1);
  });

  test("names a port that is in use", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => taken.once("listening", resolve));
    const { port } = taken.address() as AddressInfo;
    const program = await start({ ...noModel, PORT: String(port), DATA_DIR: path.join(directory, "taken") });
    expect(program.printed()).toContain(`port ${port}`);
    expect(program.child.exitCode).toBe(1);
    taken.close();
  });

  test.skipIf(testDatabaseUrl === undefined)(
    "without a port leaves the database unchanged (runs with TEST_DATABASE_URL)",
    async () => {
      const { databaseUrl, drop } = await temporaryDatabase(testDatabaseUrl!);
      onTestFinished(drop);
      const taken = createServer().listen(0, "127.0.0.1");
      onTestFinished(() => void taken.close());
      await once(taken, "listening");
      const port = String((taken.address() as AddressInfo).port);
      for (const name of ["PORT", "METRICS_PORT", "STANDIN_PORT"]) {
        const program = await start({ ...noModel, DATABASE_URL: databaseUrl, [name]: port });
        expect(program.printed()).toContain(`port ${port}`);
        expect(program.child.exitCode).toBe(1);
      }
      const database = new pg.Client(databaseUrl);
      await database.connect();
      const tables = await database.query("select tablename from pg_tables where schemaname = 'public'");
      await database.end();
      expect(tables.rows).toEqual([]);
    },
  );

  test.skipIf(testDatabaseUrl === undefined)(
    "isn't one on tables with a newer release's additions (runs with TEST_DATABASE_URL)",
    async () => {
      const { databaseUrl, drop } = await temporaryDatabase(testDatabaseUrl!);
      onTestFinished(drop);
      const pool = new pg.Pool({ connectionString: databaseUrl });
      const sql = "alter table script add column starred boolean not null default false";
      await transaction(pool, (inside) =>
        migrate(inside, [...migrations, { name: "9999-next", sql, isAdditive: true }]),
      );
      await pool.end();
      const program = await start({ ...noModel, DATABASE_URL: databaseUrl });
      expect((await rest(program.url, "/me", { key: program.key })).status).toBe(200);
      expect((await program.end("SIGTERM")).code).toBe(0);
    },
  );
});

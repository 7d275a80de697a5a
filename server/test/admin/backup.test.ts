import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, it } from "vitest";
import { type OpenedStore, openStore } from "../../src/adapters/database/open-store.ts";
import { adminSocketPath } from "../../src/admin/admin-socket-path.ts";
import { startAdminSocket } from "../../src/admin/admin-socket.ts";
import { createNewId } from "../../src/rules/new-id.ts";
import { operate } from "./run-program.ts";
import { recognizer } from "./recognizer.ts";
import { placeMigratedDatabase } from "../harness/migrated-database.ts";
import { directoryOfTest } from "../harness/temporary-directory.ts";

const now = new Date("2026-11-20T10:00:00.000Z");
const clock = { now: () => now };

let testDirectory: string;
let dataDirectory: string;
beforeEach(() => {
  testDirectory = directoryOfTest();
  dataDirectory = path.join(testDirectory, "data");
});

async function open(): Promise<OpenedStore> {
  await placeMigratedDatabase(dataDirectory);
  return openStore({ dataDirectory, newId: createNewId() });
}
const anAccount = (store: OpenedStore, name: string) =>
  store.accounts.create({ email: `${name}@example.org`, plan: "free", now });
const run = (args: readonly string[], environment: Record<string, string> = {}) =>
  operate(args, { directory: testDirectory, environment: { DATA_DIR: dataDirectory, ...environment } });

async function emailsStored(): Promise<string[]> {
  const store = await open();
  try {
    return (await store.accounts.list()).map(({ email }) => email);
  } finally {
    await store.close();
  }
}

describe("a backup", () => {
  it("is made by the running service, and restored when it is stopped", async () => {
    const store = await open();
    const socket = await startAdminSocket({ path: adminSocketPath(dataDirectory), store, clock, recognizer });
    let file: string;
    try {
      await anAccount(store, "before");
      const result = await run(["backup", "create"]);
      expect(result).toMatchObject({ code: 0, stderr: "" });
      file = result.lastLine;
      expect(path.dirname(file)).toBe(path.join(dataDirectory, "backups"));
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      await anAccount(store, "after");
      expect(await run(["backup", "restore", file])).toMatchObject({
        code: 1,
        stdout: "",
        stderr: "error: the service is running: stop it, then restore, then start it again\n",
      });
      expect(await store.accounts.list()).toHaveLength(2);
    } finally {
      await socket.close();
      await store.close();
    }

    const restored = await run(["backup", "restore", path.relative(testDirectory, file)]);
    expect(restored).toMatchObject({ code: 0, stderr: "" });
    expect(restored.stdout).toContain(`${file} is restored`);
    expect(path.dirname(restored.lastLine)).toBe(dataDirectory);
    expect(path.basename(restored.lastLine)).toMatch(/^database\.before-20/);
    expect(await readdir(restored.lastLine)).toContain("PG_VERSION");
    expect(await emailsStored()).toEqual(["before@example.org"]);
  });

  it("is made without a service, and restored where there was no database", async () => {
    const store = await open();
    await anAccount(store, "ada");
    await store.close();
    const result = await run(["backup", "create", "--json"]);
    expect([result.code, result.stderr]).toEqual([0, ""]);
    const { file } = JSON.parse(result.stdout) as { file: string };
    expect(await readdir(path.join(dataDirectory, "backups"))).toEqual([path.basename(file)]);

    dataDirectory = path.join(testDirectory, "elsewhere");
    const restored = await run(["backup", "restore", file, "--json"]);
    expect([restored.code, restored.stderr]).toEqual([0, ""]);
    expect(JSON.parse(restored.stdout)).toEqual({ file, before: null, refusal: null });
    expect(await emailsStored()).toEqual(["ada@example.org"]);
  });

  it("is not made of data that are not there", async () => {
    expect(await run(["backup", "create"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^error: no service runs on .*data, and there is no database in it \(DATA_DIR\)/),
    });
    await expect(stat(dataDirectory)).rejects.toThrow("ENOENT");
  });

  it.each(["create", "restore"])("of a PostgreSQL server is its own tools' work: %s", async (verb) => {
    const args = ["backup", verb, ...(verb === "restore" ? ["some.tar.gz"] : [])];
    const answer = await run(args, { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" });
    expect(answer).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(/DATABASE_URL.*pg_dump/) });
  });
});

describe("a file that is no backup", () => {
  const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);

  it.each<[string, () => Buffer, RegExp]>([
    ["some text", () => Buffer.from("some text"), /is not a backup that can be restored/],
    ["half of a compressed file", () => half(gzipSync("x".repeat(1_000))), /is not a backup that can be restored/],
    ["something else compressed", () => gzipSync("something else"), /is not a backup that can be restored/],
  ])("changes nothing: %s", async (_name, content, says) => {
    const file = path.join(testDirectory, "file.tar.gz");
    await writeFile(file, content());
    const present = path.join(dataDirectory, "database");
    await mkdir(present, { recursive: true });
    await writeFile(path.join(present, "PG_VERSION"), "the present one");
    const { code, stdout, stderr } = await run(["backup", "restore", file]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(says);
    expect(stderr, "one line, no stack trace").toMatch(/^error: .*\n$/);
    expect(await readdir(dataDirectory)).toEqual(["database"]);
    expect(await readFile(path.join(present, "PG_VERSION"), "utf8")).toBe("the present one");
  });

  it("is told apart from none, a folder, and a missing name", async () => {
    await mkdir(dataDirectory);
    expect(await run(["backup", "restore", "nowhere.tar.gz"])).toMatchObject({
      code: 1,
      stderr: `error: cannot find the file ${path.join(testDirectory, "nowhere.tar.gz")}\n`,
    });
    expect(await run(["backup", "restore", "data"])).toMatchObject({
      code: 1,
      stderr: `error: ${dataDirectory} is not a file\n`,
    });
    expect(await run(["backup", "restore"])).toMatchObject({
      code: 2,
      stderr: "error: <file> is missing\nSee reelscript backup --help\n",
    });
  });
});

it("restores nothing while an unresponsive process holds the database", async () => {
  const store = await open();
  const file = path.join(testDirectory, "file.tar.gz");
  await writeFile(file, gzipSync("never looked at"));
  try {
    const changes = { patienceSeconds: 0 };
    const where = { directory: testDirectory, environment: { DATA_DIR: dataDirectory } };
    expect(await operate(["backup", "restore", file], where, changes)).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(
        /in use; waiting[^]*error: .* is in use by process \d+ .*\nNo service answers there/,
      ),
    });
    expect(await store.accounts.list()).toEqual([]);
  } finally {
    await store.close();
  }
});

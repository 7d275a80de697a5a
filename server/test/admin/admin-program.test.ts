import { readdir } from "node:fs/promises";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { adminSocketPath } from "../../src/admin/admin-socket-path.ts";
import { startAdminSocket } from "../../src/admin/admin-socket.ts";
import { parseApiKey } from "../../src/callers/authenticate.ts";
import { createNewId } from "../../src/rules/new-id.ts";
import { operate, runClient } from "./run-program.ts";
import { recognizer } from "./recognizer.ts";
import { temporaryDatabase } from "../database/opened-stores.ts";
import { testDatabaseUrl } from "../database/test-database-url.ts";
import { placeMigratedDatabase } from "../harness/migrated-database.ts";
import { directoryOfTest } from "../harness/temporary-directory.ts";

const clock = { now: () => new Date("2026-11-20T10:00:00.000Z") };

let data: string;
beforeEach(() => void (data = directoryOfTest()));

async function openOwnStore() {
  await placeMigratedDatabase(data);
  return openStore({ dataDirectory: data, newId: createNewId() });
}

const operateOptions = () => ({ directory: data, environment: { DATA_DIR: data } });
const run = (args: readonly string[]) => operate(args, operateOptions());

async function walkThrough() {
  const account = await run(["account", "create", "--email", "ada@example.org", "--plan", "creator"]);
  expect(account).toMatchObject({ code: 0, stderr: "", lastLine: expect.stringMatching(/^acc_[0-9A-Za-z]{16}$/) });
  const id = account.lastLine;
  expect((await run(["account", "list"])).stdout).toMatch(new RegExp(`^${id}  ada@example.org  creator  `, "m"));

  const key = await run(["key", "create", "--account", id, "--name", "laptop"]);
  expect([key.code, key.stderr]).toEqual([0, ""]);
  expect(parseApiKey(key.lastLine)).toBeDefined();
  expect(key.stdout).toMatch(/shown only once/);

  const keyList = await run(["key", "list", "--account", id]);
  expect(keyList.stdout).not.toContain(key.lastLine);
  const keyId = /^(key_\w{16})  laptop  …(\w{4})  1     live/m.exec(keyList.stdout);
  expect(keyId?.[2]).toBe(key.lastLine.slice(-4));

  const json = JSON.parse((await run(["key", "list", "--account", id, "--json"])).stdout) as unknown;
  expect(json).toMatchObject({ keys: [{ id: keyId![1], name: "laptop", revokedAt: null }] });
  expect(await run(["key", "revoke", keyId![1]!])).toMatchObject({ code: 0, stderr: "" });
  expect(await run(["key", "revoke", keyId![1]!])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^error: no active key has the id key_/),
  });
  expect((await run(["key", "list", "--account", id])).stdout).toMatch(/revoked 20\d\d-\d\d-\d\d/);
}

describe("the operator's program", () => {
  it("opens the store itself without a service, and waits for others", async () => {
    await (await openOwnStore()).close();
    const results = await Promise.all(
      ["a", "b"].map((name) => run(["account", "create", "--email", `${name}@example.org`])),
    );
    expect(results.map(({ code }) => code)).toEqual([0, 0]);
    const key = await run(["key", "create", "--account", results[0]!.lastLine]);
    expect([key.code, key.stderr]).toEqual([0, ""]);

    const store = await openOwnStore();
    try {
      const accounts = await store.accounts.list();
      expect(accounts.map(({ id }) => id).toSorted()).toEqual(results.map(({ lastLine }) => lastLine).toSorted());
      const used = await store.keys.use(parseApiKey(key.lastLine)!, clock.now());
      expect(used?.account.id).toBe(results[0]!.lastLine);
    } finally {
      await store.close();
    }
  });

  it("works through the running service, started by the client's command line", async () => {
    const store = await openOwnStore();
    const socket = await startAdminSocket({ path: adminSocketPath(data), store, clock, recognizer });
    try {
      await walkThrough();
      expect((await runClient(["account", "list"], operateOptions())).stdout).toContain("ada@example.org");
      expect(await store.accounts.list()).toHaveLength(1);
    } finally {
      await socket.close();
      await store.close();
    }
  });

  it.each([
    ["a folder that is not there", "elsewhere"],
    ["a folder without a database", "."],
  ])("makes no database where it finds none: %s", async (_, folder) => {
    const empty = path.join(data, folder);
    const before = await readdir(data);
    const created = operate(["account", "create", "--email", "a@example.org"], {
      directory: data,
      environment: { DATA_DIR: empty },
    });
    expect(await created).toMatchObject({
      code: 1,
      stderr: `error: no service runs on ${empty}, and there is no database in it (DATA_DIR). Set DATA_DIR to the service's folder, or start the service once to create one.\n`,
    });
    expect(await readdir(data)).toEqual(before);
  });

  it.skipIf(!testDatabaseUrl)("makes no tables on a server without any (runs with TEST_DATABASE_URL)", async () => {
    const { databaseUrl, drop } = await temporaryDatabase(testDatabaseUrl ?? "");
    try {
      const answer = await operate(["account", "list"], {
        directory: data,
        environment: { DATA_DIR: data, DATABASE_URL: databaseUrl },
      });
      const { host, pathname } = new URL(databaseUrl);
      expect(answer).toMatchObject({ code: 1, stdout: "" });
      expect(answer.stderr).toBe(
        `error: There are no tables of Reelscript in the database at ${host}${pathname} (DATABASE_URL). Start the service once to create them, or name its database.\n`,
      );
      const refused = openStore({ databaseUrl, dataDirectory: "unused", newId: createNewId(), mustExist: true });
      await expect(refused, "nothing was made").rejects.toThrow("no tables");
    } finally {
      await drop();
    }
  });

  it("says what to do when the database is held and nobody answers", async () => {
    const store = await openOwnStore();
    const answer = await operate(["account", "list"], operateOptions(), { patienceSeconds: 0.3 }).finally(() =>
      store.close(),
    );
    expect(answer).toMatchObject({ code: 1, stdout: "" });
    expect(answer.stderr).toMatch(
      /in use; waiting[^]*error: The data directory .* is in use by process \d+ .*\nNo service answers there/,
    );
  });

  it.each([["--help"], ["account", "--help"], ["help"]])("explains itself: %s %s", async (...args) => {
    const { stdout, stderr, code } = await run(args);
    expect([stderr, code]).toEqual(["", 0]);
    for (const command of [
      "account create",
      "account list",
      "key create",
      "key list",
      "key revoke",
      "report import",
      "backup create",
      "backup restore",
    ])
      expect(stdout).toMatch(new RegExp(`^ {2}${command}  `, "m"));
    expect((await run(["key", "create", "--help"])).stdout).toContain(
      "Usage: reelscript key create --account <id> [--name <text>] [--read-only] [--expires <day>]",
    );
  });

  it("creates keys that only read and end on a day", async () => {
    const store = await openOwnStore();
    await store.close();
    const id = (await run(["account", "create", "--email", "reader@example.org"])).stdout.trim().split("\n").at(-1)!;
    const flags = ["--account", id, "--read-only", "--expires", "2099-01-31"];
    const result = await run(["key", "create", ...flags]);
    expect([result.code, result.stdout]).toEqual([0, expect.stringMatching(/State +live, read-only, until /)]);
    const keyList = JSON.parse((await run(["key", "list", "--account", id, "--json"])).stdout) as { keys: unknown[] };
    expect(keyList.keys).toMatchObject([{ readOnly: true, expiresAt: "2099-01-31T00:00:00.000Z" }]);
    for (const [day, message] of [
      ["2001-01-01", "must be in the future"],
      ["tomorrow", "must be a day such as 2027-01-31"],
    ] as const)
      expect(await run(["key", "create", "--account", id, "--expires", day])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(message),
      });
  });

  it.each<[string, string[]]>([
    ["a command is missing", []],
    ['unknown command "account destroy"', ["account", "destroy"]],
    ["--email is missing", ["account", "create"]],
    ["email: must be an email address", ["account", "create", "--email", "ada"]],
    ["Unknown option '--role'", ["account", "create", "--email", "a@example.org", "--role", "x"]],
    ["<key id> is missing", ["key", "revoke"]],
    ['unexpected argument "b"', ["key", "revoke", "a", "b"]],
  ])("ends with 2 when the command line is wrong: %s", async (message, args) => {
    const { stdout, stderr, code } = await run(args);
    expect([stdout, code]).toEqual(["", 2]);
    expect(stderr).toContain(`error: ${message}`);
  });
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type OpenedStore, openStore } from "../../src/adapters/database/open-store.ts";
import { connectAdmin, NobodyListens } from "../../src/admin/admin-client.ts";
import type { Administer } from "../../src/admin/admin-commands.ts";
import { AdminError } from "../../src/admin/admin-error.ts";
import { adminSocketPath } from "../../src/admin/admin-socket-path.ts";
import { adminText } from "../../src/admin/admin-text.ts";
import { startAdminSocket } from "../../src/admin/admin-socket.ts";
import { createApiKey, createNewId, parseApiKey } from "../../src/callers/api-key.ts";
import { recognizer } from "./recognizer.ts";
import { placeMigratedDatabase } from "../harness/migrated-database.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

const now = new Date("2026-11-20T10:00:00.000Z");
const clock = { now: () => now };

const data = directoryOfTests();
let store: OpenedStore;
let address: string;
let faults: unknown[];
let socket: { close(): Promise<void> } | undefined;
let administer: Administer;

beforeAll(async () => {
  await placeMigratedDatabase(data);
  store = await openStore({ dataDirectory: data, newId: createNewId() });
  address = adminSocketPath(data);
});
afterAll(async () => {
  await store.close();
});
beforeEach(() => {
  faults = [];
  administer = connectAdmin(address);
});
afterEach(async () => {
  await socket?.close();
  socket = undefined;
});

const start = async (held: OpenedStore = store) =>
  (socket = await startAdminSocket({
    path: address,
    store: held,
    clock,
    recognizer,
    onError: (error) => faults.push(error),
  }));

/** A raw request over the socket, as no program of ours would send it. */
async function send(method: string, target: string, body: string) {
  const sent = request({ socketPath: address, method, path: target, agent: false });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return { status: response.statusCode, body: await text(response) };
}

describe("commands over the socket", () => {
  it("shows operators which keys have expired, and until when others live", async () => {
    await start();
    const { id } = await administer("accountCreate", { email: "ends@example.org", plan: "free" });
    for (const [name, expiresAt] of [
      ["Old", new Date("2026-11-20T10:00:00.000Z")],
      ["Newer", new Date("2026-11-20T10:01:00.000Z")],
    ] as const)
      await store.keys.create({ accountId: id, name, hash: createApiKey().hash, lastFour: "x7Qa", expiresAt, now });
    const text = adminText("keyList", await administer("keyList", { account: id }));
    expect(text).toMatch(/Old .* expired 2026-11-20 10:00 UTC /);
    expect(text).toMatch(/Newer .* live, until 2026-11-20 10:01 UTC /);
  });

  it("make and list accounts and keys", async () => {
    await start();
    const account = await administer("accountCreate", { email: "ada@example.org", plan: "hobby" });
    expect(account).toEqual({
      id: expect.stringMatching(/^acc_[0-9A-Za-z]{16}$/),
      email: "ada@example.org",
      plan: "hobby",
      createdAt: now.toISOString(),
    });
    expect((await administer("accountList", {})).accounts).toContainEqual(account);

    const { key, ...view } = await administer("keyCreate", { account: account.id, name: "laptop" });
    expect(view).toMatchObject({ accountId: account.id, name: "laptop", slot: 1, revokedAt: null });
    expect(await administer("keyList", { account: account.id })).toEqual({ keys: [view] });
    const used = await store.keys.use(parseApiKey(key)!, now);
    expect(used).toMatchObject({ key: { id: view.id }, account: { id: account.id } });

    expect(await administer("keyRevoke", { key: view.id })).toEqual({ id: view.id });
    expect(await store.keys.use(parseApiKey(key)!, now)).toBeUndefined();
    await expect(administer("keyRevoke", { key: view.id })).rejects.toThrow(/no active key/);
  });

  it("let five of ten racers have a key, and tell the others what to do", async () => {
    await start();
    const { id } = await administer("accountCreate", { email: "race@example.org" });
    const racers = await Promise.allSettled(
      Array.from({ length: 10 }, () => connectAdmin(address)("keyCreate", { account: id })),
    );
    const won = racers.flatMap((racer) => (racer.status === "fulfilled" ? [racer.value] : []));
    const lost = racers.flatMap((racer) => (racer.status === "rejected" ? [racer.reason as Error] : []));
    expect(won.map(({ slot }) => slot).toSorted((left, right) => left - right)).toEqual([1, 2, 3, 4, 5]);
    expect(new Set(won.map(({ key }) => key)).size).toBe(5);
    expect(lost).toHaveLength(5);
    for (const error of lost)
      expect(error).toMatchObject({ kind: "refused", message: expect.stringMatching(/5 live keys.*revoke one first/) });

    await administer("keyRevoke", { key: won.find(({ slot }) => slot === 3)!.id });
    expect(await administer("keyCreate", { account: id })).toMatchObject({ slot: 3 });
    expect((await administer("keyList", { account: id })).keys).toHaveLength(6);
  });

  it.each<[Parameters<Administer>[0], unknown, string, RegExp]>([
    ["accountCreate", {}, "usage", /email/],
    ["accountCreate", { email: "ada" }, "usage", /email: must be an email address/],
    ["accountCreate", { email: "a@example.org", plan: "gold" }, "usage", /plan/],
    ["accountCreate", { email: "a@example.org", admin: true }, "usage", /admin/],
    ["keyCreate", { account: "acc_x", name: "two\nlines" }, "usage", /name: must be one line/],
    ["keyCreate", { account: "acc_x", name: "x".repeat(61) }, "usage", /name/],
    ["keyCreate", { account: "acc_0000000000000000" }, "refused", /no account has the id acc_0000000000000000/],
    ["keyList", { account: "acc_0000000000000000" }, "refused", /no account/],
    ["keyList", { account: "a\u0000b" }, "refused", /no account has the id ab/],
    ["keyRevoke", { key: "key_0000000000000000" }, "refused", /no active key has the id key_0000000000000000/],
    ["accountList", null, "usage", /./],
    ["backupCreate", { file: "/etc/passwd" }, "usage", /file/],
    ["backupRestore", {}, "usage", /file/],
    ["backupRestore", { file: "data/backups/some.tar.gz" }, "refused", /the service is running: stop it/],
  ])("%s refuses %j", async (name, input, kind, message) => {
    await start();
    const error = await administer(name, input).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AdminError);
    expect(error).toMatchObject({ kind, message: expect.stringMatching(message) });
    expect(faults).toEqual([]);
  });

  it.each([
    ["GET", "/accountList", ""],
    ["POST", "/", "{}"],
    ["POST", "/__proto__", "{}"],
    ["POST", "/toString", "{}"],
    ["POST", "/accountList", ""],
    ["POST", "/accountList", "{"],
    ["POST", "/accountList", `{"pad":"${"x".repeat(20_000)}"}`],
  ])("%s %s is refused when it is no command", async (method, target, body) => {
    await start();
    const answer = await send(method, target, body);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ kind: "usage" });
    expect(await administer("accountList", {})).toHaveProperty("accounts");
  });

  it("tell nothing of a fault of ours, but the service hears of it", async () => {
    const fault = new Error("secret detail");
    await start({ ...store, accounts: { ...store.accounts, list: () => Promise.reject(fault) } });
    const answer = await send("POST", "/accountList", "{}");
    expect(answer.status).toBe(500);
    expect(answer.body).not.toContain("secret");
    expect(faults).toEqual([fault]);
    await expect(administer("accountList", {})).rejects.toThrow(/the service failed; see its log/);
  });
});

describe.skipIf(process.platform === "win32")("the socket (a file, so not on Windows)", () => {
  const modeOf = async (file: string) => (await stat(file)).mode & 0o777;

  it("is its owner's alone, in a folder of its own", async () => {
    await mkdir(path.dirname(address), { recursive: true });
    const before = process.umask(0);
    try {
      await start();
    } finally {
      process.umask(before);
    }
    expect(await modeOf(address)).toBe(0o600);
    expect(await modeOf(path.dirname(address))).toBe(0o700);
  });

  it("goes away when it is closed; then nobody listens", async () => {
    await (await start()).close();
    socket = undefined;
    await expect(stat(address)).rejects.toThrow(/ENOENT/);
    await expect(administer("accountList", {})).rejects.toBeInstanceOf(NobodyListens);
  });

  it("closes although somebody holds a connection and says nothing", async () => {
    await start();
    const silent = connect(address);
    await once(silent, "connect");
    await Promise.all([once(silent, "close"), socket!.close()]);
    socket = undefined;
    await expect(stat(address)).rejects.toThrow(/ENOENT/);
  });

  it("of a killed process is replaced", async () => {
    const script = `require("node:net").createServer().listen(${JSON.stringify(address)}, () => console.log("up"))`;
    const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    await once(child, "close");
    expect((await stat(address)).isSocket()).toBe(true);
    await expect(administer("accountList", {})).rejects.toBeInstanceOf(NobodyListens);
    await start();
    expect(await administer("accountList", {})).toHaveProperty("accounts");
  });

  it("of a living service is left alone", async () => {
    await start();
    await expect(startAdminSocket({ path: address, store, clock, recognizer })).rejects.toThrow(
      /another service of the same data/,
    );
    expect(await administer("accountList", {})).toHaveProperty("accounts");
  });

  it("does not replace a file of somebody", async () => {
    await writeFile(address, "mine");
    await expect(start()).rejects.toThrow(/not a socket/);
    expect((await stat(address)).size).toBe(4);
    await rm(address);
  });

  it("has a short path where the data lie deep", async () => {
    const deep = path.join(data, "ä".repeat(60), "data");
    const short = adminSocketPath(deep);
    expect(Buffer.byteLength(short)).toBeLessThanOrEqual(103);
    expect(short).not.toBe(adminSocketPath(`${deep}2`));
    const opened = await startAdminSocket({ path: short, store, clock, recognizer });
    try {
      expect(await modeOf(path.dirname(short))).toBe(0o700);
      expect(await connectAdmin(short)("accountList", {})).toHaveProperty("accounts");
    } finally {
      await opened.close();
      await rm(path.dirname(short), { recursive: true });
    }
  });
});

it("is a named pipe on Windows", () => {
  expect(adminSocketPath("/data", "win32")).toMatch(/^\\\\\.\\pipe\\reelscript-[0-9a-f]{16}$/);
});

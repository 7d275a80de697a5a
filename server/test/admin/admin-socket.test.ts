import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OpenedStore } from "../../src/adapters/database/open-store.ts";
import { askService, NobodyListens } from "../../src/admin/admin-client.ts";
import { AdminError } from "../../src/admin/admin-error.ts";
import { adminSocketPath } from "../../src/admin/admin-socket-path.ts";
import { startAdminSocket } from "../../src/admin/admin-socket.ts";
import { createApiKey } from "../../src/callers/authenticate.ts";
import { recognizer } from "./recognizer.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";
import { openTestStore } from "../harness/test-stores.ts";

const now = new Date("2026-11-20T10:00:00.000Z");
const clock = { now: () => now };

const data = directoryOfTests();
let store: OpenedStore;
let address: string;
let faults: unknown[];
let socket: { close(): Promise<void> } | undefined;

beforeAll(async () => {
  store = await openTestStore();
  address = adminSocketPath(data);
});
afterAll(async () => {
  await store.close();
});
beforeEach(() => {
  faults = [];
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

const administer = async (words: string, input: unknown) =>
  (await askService(address, { words }, input)).answer as {
    readonly id: string;
    readonly key: string;
    readonly slot: number;
    readonly keys: readonly unknown[];
  };

/** A raw request over the socket, as no program of ours would send it. */
async function send(method: string, target: string, body: string) {
  const clientRequest = request({ socketPath: address, method, path: target, agent: false });
  clientRequest.end(body);
  const [response] = (await once(clientRequest, "response")) as [IncomingMessage];
  return { status: response.statusCode, body: await text(response) };
}

describe("commands over the socket", () => {
  it("shows operators which keys have expired, and until when others live", async () => {
    await start();
    const { id } = await administer("account create", { email: "ends@example.org", plan: "free" });
    for (const [name, expiresAt] of [
      ["Old", new Date("2026-11-20T10:00:00.000Z")],
      ["Newer", new Date("2026-11-20T10:01:00.000Z")],
    ] as const)
      await store.keys.create({ accountId: id, name, hash: createApiKey().hash, lastFour: "x7Qa", expiresAt, now });
    const { text } = await askService(address, { words: "key list" }, { account: id });
    expect(text).toMatch(/Old .* expired 2026-11-20 10:00 UTC /);
    expect(text).toMatch(/Newer .* live, until 2026-11-20 10:01 UTC /);
  });

  it("give keys to five of ten racers, and advise the others", async () => {
    await start();
    const { id } = await administer("account create", { email: "race@example.org" });
    const racers = await Promise.allSettled(
      Array.from({ length: 10 }, () => administer("key create", { account: id })),
    );
    const won = racers.flatMap((racer) => (racer.status === "fulfilled" ? [racer.value] : []));
    const lost = racers.flatMap((racer) => (racer.status === "rejected" ? [racer.reason as Error] : []));
    expect(won.map(({ slot }) => slot).toSorted((left, right) => left - right)).toEqual([1, 2, 3, 4, 5]);
    expect(new Set(won.map(({ key }) => key)).size).toBe(5);
    expect(lost).toHaveLength(5);
    for (const error of lost)
      expect(error).toMatchObject({
        kind: "refused",
        message: expect.stringMatching(/5 active keys.*Revoke one first/),
      });

    await administer("key revoke", { key: won.find(({ slot }) => slot === 3)!.id });
    expect(await administer("key create", { account: id })).toMatchObject({ slot: 3 });
    expect((await administer("key list", { account: id })).keys).toHaveLength(6);
  });

  it.each<[string, unknown, string, RegExp]>([
    ["account create", {}, "usage", /email/],
    ["account create", { email: "ada" }, "usage", /email: must be an email address/],
    ["account create", { email: "a@example.org", plan: "gold" }, "usage", /plan/],
    ["account create", { email: "a@example.org", admin: true }, "usage", /admin/],
    ["key create", { account: "acc_x", name: "two\nlines" }, "usage", /name: must be one line/],
    ["key create", { account: "acc_x", name: "x".repeat(61) }, "usage", /name/],
    ["key create", { account: "acc_0000000000000000" }, "refused", /no account has the id acc_0000000000000000/],
    ["key list", { account: "acc_0000000000000000" }, "refused", /no account/],
    ["key list", { account: "a\u0000b" }, "refused", /no account has the id ab/],
    ["key revoke", { key: "key_0000000000000000" }, "refused", /no active key has the id key_0000000000000000/],
    ["account list", null, "usage", /./],
    ["backup create", { file: "/etc/passwd" }, "usage", /file/],
    ["backup restore", {}, "usage", /file/],
    ["backup restore", { file: "data/backups/some.tar.gz" }, "refused", /the service is running: stop it/],
  ])("%s refuses %j", async (name, input, kind, message) => {
    await start();
    const error = await administer(name, input).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AdminError);
    expect(error).toMatchObject({ kind, message: expect.stringMatching(message) });
    expect(faults).toEqual([]);
  });

  it.each([
    ["GET", "/account/list", ""],
    ["POST", "/", "{}"],
    ["POST", "/__proto__", "{}"],
    ["POST", "/toString", "{}"],
    ["POST", "/account/list", ""],
    ["POST", "/account/list", "{"],
    ["POST", "/account/list", `{"pad":"${"x".repeat(20_000)}"}`],
  ])("%s %s is refused when it is no command", async (method, target, body) => {
    await start();
    const answer = await send(method, target, body);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ kind: "usage" });
    expect(await administer("account list", {})).toHaveProperty("accounts");
  });

  it("don't reveal internal faults, which the service logs", async () => {
    const fault = new Error("secret detail");
    await start({ ...store, accounts: { ...store.accounts, list: () => Promise.reject(fault) } });
    const answer = await send("POST", "/account/list", "{}");
    expect(answer.status).toBe(500);
    expect(answer.body).not.toContain("secret");
    expect(faults).toEqual([fault]);
    await expect(administer("account list", {})).rejects.toThrow(/the service failed; see its log/);
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
    await expect(administer("account list", {})).rejects.toBeInstanceOf(NobodyListens);
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
    await expect(administer("account list", {})).rejects.toBeInstanceOf(NobodyListens);
    await start();
    expect(await administer("account list", {})).toHaveProperty("accounts");
  });

  it("of a living service is left alone", async () => {
    await start();
    await expect(startAdminSocket({ path: address, store, clock, recognizer })).rejects.toThrow(
      /another service with the same data/,
    );
    expect(await administer("account list", {})).toHaveProperty("accounts");
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
      expect((await askService(short, { words: "account list" }, {})).answer).toHaveProperty("accounts");
    } finally {
      await opened.close();
      await rm(path.dirname(short), { recursive: true });
    }
  });
});

it("is a named pipe on Windows", () => {
  expect(adminSocketPath("/data", "win32")).toMatch(/^\\\\\.\\pipe\\reelscript-[0-9a-f]{16}$/);
});

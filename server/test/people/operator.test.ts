import { operatorOperations, plans, type OperatorOperationName } from "@reelscript/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createNewId } from "../../src/rules/new-id.ts";
import { createSecret, hashOf, sessionValue } from "../../src/sign-in/secret.ts";
import { anAllowance, aReel, ask, requestOf } from "../database/conformance/fixtures.ts";
import { migratedDatabase } from "../database/opened-stores.ts";
import { testDatabaseUrl } from "../database/test-database-url.ts";
import { createCookieJar } from "../harness/cookie-jar.ts";
import { operatorOfTests } from "../harness/open-operator.ts";
import { rest } from "../harness/rest.ts";
import { createApi, giveSession, signInNew, type SignedIn } from "../harness/sign-in.ts";
import { startTestService, serviceOfTests, type TestService } from "../harness/start-test-service.ts";
import { hour } from "../harness/test-clock.ts";

const databases = [
  { name: "the embedded database", url: undefined, isMissing: false },
  { name: "PostgreSQL (runs with TEST_DATABASE_URL)", url: testDatabaseUrl, isMissing: testDatabaseUrl === undefined },
];
const names = Object.keys(operatorOperations) as OperatorOperationName[];
const why = { reason: "a test" };

describe.each(databases.filter(({ isMissing }) => !isMissing))("the operator's operations, on $name", ({ url }) => {
  const service = {} as TestService; // safe: nobody has it before it is filled
  const operatorAccounts: string[] = [];
  const closers: (() => Promise<unknown>)[] = [];
  let operator: SignedIn;
  beforeAll(async () => {
    const database = url === undefined ? undefined : await migratedDatabase(url);
    if (database) closers.push(database.drop);
    const started = await startTestService({
      transcriber: null,
      operatorAccounts,
      ...(database && { databaseUrl: database.databaseUrl }),
    });
    closers.push(() => started.close());
    Object.assign(service, started);
    operator = await giveSession(service, { email: "grace@example.com" });
    operatorAccounts.push(operator.accountId);
  });
  afterAll(async () => {
    for (const close of closers.toReversed()) await close();
  });
  const { operate } = operatorOfTests(service);
  const called = async (name: OperatorOperationName, input: Readonly<Record<string, unknown>> = {}, as = operator) => {
    const { status, body } = await as.api(name, input);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  const start = async (accountId: string): Promise<string> => {
    const { store, clock } = service;
    const reel = aReel();
    const outcome = await store.transcriptions.request({
      ...requestOf(reel, anAllowance(accountId, { slot: 0 })),
      now: clock.now(),
    });
    if (outcome.kind !== "started") throw new Error(outcome.kind);
    return outcome.transcriptionId;
  };
  const audit = async () => (await called("listAudit")).entries;

  test("exist for the accounts that the operator names, and for nobody else", async () => {
    const other = await signInNew(service);
    const { body: nowhere } = await other.api("getSession");
    expect(nowhere.isOperator).toBeUndefined();
    expect((await operator.api("getSession")).body.isOperator).toBe(true);
    const { body: created } = await operator.api("createKey", { name: "k" });
    for (const name of names) {
      const { method, path } = operatorOperations[name].http;
      const given = { ...operatorOperations[name].example };
      const { status, body } = await other.api(name, given);
      expect([name, status, body.error.code]).toEqual([name, 404, "notFound"]);
      const address = path.replace("{id}", "x");
      const send = (base: string, headers: Record<string, string>) =>
        fetch(`${service.url}${base}${address}`, { method, headers }).then((answer) => answer.status);
      expect([name, await send("/app/api", {})], "nobody").toEqual([name, 401]);
      const key = { authorization: `Bearer ${created.secret}` };
      expect([name, await send("/app/api", key)], "the operator's own key").toEqual([name, 401]);
      expect([name, await send("/api/v1", key)], "a key over REST").toEqual([name, 404]);
      const evil = { cookie: operator.cookie, origin: "https://evil.example" };
      expect([name, await send("/app/api", evil)], "another site").toEqual([name, 403]);
    }
    expect((await rest(service.url, "/me", { key: created.secret })).status).toBe(200);
    const described = JSON.stringify(await (await fetch(`${service.url}/openapi.json`)).json());
    for (const part of ["/admin/", "getServiceStatus", "suspendAccount"]) expect(described).not.toContain(part);
    expect(await audit(), "nothing was done").toEqual([]);
  });

  test("are refused while the operator is suspended", async () => {
    const second = await signInNew(service);
    operatorAccounts.push(second.accountId);
    await called("suspendAccount", { id: second.accountId, ...why });
    const { status, body } = await second.api("getServiceStatus");
    expect([status, body.error.message]).toEqual([401, expect.stringContaining("suspended")]);
    const ofOneself = await operator.api("suspendAccount", { id: operator.accountId, ...why });
    expect([ofOneself.status, ofOneself.body.error.message]).toEqual([
      400,
      expect.stringContaining("your own account"),
    ]);
    await called("unsuspendAccount", { id: second.accountId, ...why });
    await called("getServiceStatus", {}, second);
    operatorAccounts.splice(operatorAccounts.indexOf(second.accountId), 1);
    expect((await second.api("getServiceStatus")).status).toBe(404);
  });

  test("describe each part of the service in words, as the command line does", async () => {
    const status = await called("getServiceStatus");
    const parts = new Map(
      (status.parts as { part: string; state: string; text: string }[]).map((one) => [one.part, one]),
    );
    expect([...parts.keys()]).toEqual([
      "stored data",
      "queue",
      "workers",
      "periodic tasks",
      "platforms",
      "recognizer",
      "storage",
      "backup",
    ]);
    expect(parts.get("stored data")!.text).toMatch(/^\d+ MB in (the embedded database|PostgreSQL [\d.]+)/);
    // This process only answers, and there is no other.
    expect(parts.get("workers")).toMatchObject({
      state: "wrong",
      text: expect.stringContaining("nothing is transcribed"),
    });
    // In tests the embedded database has a backup of the far future.
    expect(parts.get("backup")).toMatchObject(
      url === undefined ? { state: "ok" } : { state: "note", text: expect.stringContaining("No backup is known") },
    );
    expect(status).toMatchObject({
      version: "1.0.0",
      lastBackupAt: url === undefined ? "9999-12-31T00:00:00.000Z" : null,
      invites: false,
      tables: { pending: [], newer: [], oldestRelease: "0014-compact-transcripts" },
    });
    const { stdout, code } = await operate("status");
    expect(code).toBe(0);
    for (const [name, { state }] of parts) expect(stdout).toMatch(new RegExp(`^${state} +${name} `, "m"));
    expect(stdout).toMatch(/^Back +to releases with 0014-compact-transcripts$/m);
  });

  test("list, cancel and retry what is in the queue, and return units", async () => {
    const { accountId } = await service.createCaller();
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1) ids.push(await start(accountId));
    const first = await called("listQueue", { limit: 2 });
    expect(first).toMatchObject({ length: 3, drainedSince: null, nextCursor: ids[1] });
    const second = await called("listQueue", { limit: 2, cursor: first.nextCursor });
    expect(second.nextCursor).toBeNull();
    expect([...first.transcriptions, ...second.transcriptions].map(({ id }: { id: string }) => id)).toEqual(ids);

    const held = () => service.store.allowances.read({ accountId, slot: 0 }, "lifetime");
    expect(await held()).toEqual({ used: 0, held: 3 });
    await called("cancelQueued", { id: ids[0], ...why });
    expect(await held(), "the unit is returned").toEqual({ used: 0, held: 2 });
    const again = await operator.api("cancelQueued", { id: ids[0], ...why });
    expect([again.status, again.body.error.code]).toEqual([404, "notFound"]);
    const failed = await called("listQueue", { state: "failed", account: accountId });
    expect(failed.transcriptions).toMatchObject([{ id: ids[0], state: "failed", failure: "unavailable" }]);
    expect((await called("listQueue", { state: "failed" })).transcriptions).toMatchObject([{ id: ids[0] }]);

    const retried = await called("retryQueued", { id: ids[0], ...why });
    expect(retried).toMatchObject({ started: true });
    expect(retried.id).not.toBe(ids[0]);
    expect(await held()).toEqual({ used: 0, held: 3 });
    expect(await called("retryQueued", { id: ids[1], ...why })).toEqual({ id: ids[1], started: false });
    expect((await operator.api("retryQueued", { id: "trn_nothing", ...why })).status).toBe(404);

    expect(await called("drainQueue", why)).toEqual({ isNew: true });
    expect(await called("drainQueue", why)).toEqual({ isNew: false });
    expect((await called("listQueue")).drainedSince).not.toBeNull();
    const { parts } = await called("getServiceStatus");
    expect(parts).toContainEqual({
      part: "queue",
      state: "note",
      text: expect.stringMatching(/^Workers claim nothing since .* 3 reels wait, 0 are being transcribed\./),
    });
    // The command line sees and undoes what the page did.
    expect((await operate("queue", "resume", "--by", "ada", "--reason", "from here")).code).toBe(0);
    expect(await called("resumeQueue", why)).toEqual({ isNew: false });
    const entries = await audit();
    const by = `grace@example.com (${operator.accountId})`;
    expect(entries.slice(0, 5)).toMatchObject([
      { action: "resumeQueue", by: "ada", subject: "queue", reason: "from here" },
      { action: "drainQueue", by, subject: "queue", reason: "a test" },
      { action: "retryTranscription", by, subject: ids[1] },
      { action: "retryTranscription", by, subject: ids[0] },
      { action: "cancelTranscription", by, subject: ids[0] },
    ]);
    const printedAudit = JSON.parse((await operate("audit", "list", "--json")).stdout) as { entries: unknown[] };
    expect(printedAudit.entries.slice(0, 5), "both show the same").toEqual(entries.slice(0, 5));
    for (const { id } of (await called("listQueue")).transcriptions) await called("cancelQueued", { id, ...why });
  });

  test("find accounts by the beginning of their address or by id, with plan and use, a page at a time", async () => {
    const { store, clock } = service;
    const create = (email: string) => store.accounts.create({ email, plan: "hobby", now: clock.now() });
    const madeAccounts = [];
    for (const name of ["zoe.c", "Zoe.A", "zoe.b", "zoe_%"]) madeAccounts.push(await create(`${name}@example.com`));
    const search = async (text: string, more = {}) => called("listAccounts", { search: text, ...more });
    const emails = (page: { accounts: { email: string }[] }) => page.accounts.map(({ email }) => email);
    const first = await search("ZOE.", { limit: 2 });
    expect(emails(first)).toEqual(["Zoe.A@example.com", "zoe.b@example.com"]);
    const second = await search("ZOE.", { limit: 2, cursor: first.nextCursor });
    expect([emails(second), second.nextCursor]).toEqual([["zoe.c@example.com"], null]);
    for (const [text, count] of [
      ["zoe_", 1],
      ["zoe_%", 1],
      ["%", 0],
      [".b@example.com", 0],
      ["\\", 0],
      ["zoe.b@example.com' or true --", 0],
      [madeAccounts[3]!.id, 1],
    ] as const)
      expect([text, (await search(text)).accounts.length]).toEqual([text, count]);

    const period = madeAccounts[0]!.periodAnchor!.toISOString();
    await ask(store, aReel(), anAllowance(madeAccounts[0]!.id, { slot: 2, period, limit: 50 }));
    const [account] = (await search(madeAccounts[0]!.id)).accounts;
    expect(account).toMatchObject({
      id: madeAccounts[0]!.id,
      plan: "hobby",
      suspendedAt: null,
      transcriptions: { used: 0, held: 1, limit: plans.hobby.transcriptions },
    });
    expect(await called("changeAccountPlan", { id: madeAccounts[0]!.id, plan: "creator", ...why })).toEqual({
      id: madeAccounts[0]!.id,
      plan: "creator",
    });
    expect((await operator.api("changeAccountPlan", { id: "acc_x", plan: "free", ...why })).status).toBe(404);
    const all = await called("listAccounts", { limit: 50 });
    expect(all.accounts.map(({ id }: { id: string }) => id)).toContain(operator.accountId);
    const sameByProgram = JSON.parse((await operate("account", "list", "--search", "zoe.", "--json")).stdout);
    expect(emails(sameByProgram)).toEqual([...emails(first), ...emails(second)]);
  });

  test("have bounded pages and reasons, and refuse what is not said", async () => {
    const refused = async (name: OperatorOperationName, input: object) => {
      const { status } = await operator.api(name, { ...input });
      return status;
    };
    expect(await refused("listAccounts", { limit: 51 })).toBe(400);
    expect(await refused("listQueue", { limit: 101 })).toBe(400);
    expect(await refused("listAudit", { limit: 101 })).toBe(400);
    expect(await refused("listAccounts", { search: "x".repeat(255) })).toBe(400);
    expect(await refused("drainQueue", {})).toBe(400);
    expect(await refused("drainQueue", { reason: " " })).toBe(400);
    expect(await refused("drainQueue", { reason: "two\nlines" })).toBe(400);
    expect(await refused("drainQueue", { reason: "x".repeat(501) })).toBe(400);
    expect(await refused("inviteAccount", { email: "ada@example.com" }), "nobody has a password here").toBe(400);
  });

  test("change nothing in a session that is half a day old", async () => {
    const { store, clock } = service;
    const now = clock.now();
    const id = createNewId()("ses");
    const value = sessionValue(id, createSecret());
    await store.sessions.create({
      id,
      accountId: operator.accountId,
      hash: hashOf(value),
      browser: null,
      idToken: null,
      expiresAt: new Date(now.getTime() + 100 * hour),
      now: new Date(now.getTime() - 12 * hour),
    });
    const jar = createCookieJar();
    jar.set(`reelscript_session_${new URL(service.url).port}`, value);
    const api = createApi(service.url, jar);
    expect((await api("listAccounts")).status, "reading is fine").toBe(200);
    const { status, body, headers } = await api("drainQueue", why);
    expect([status, headers.get("x-error-reason")]).toEqual([401, "notSignedIn"]);
    expect(body.error.message).toContain("more than 12 hours ago");
    expect((await called("listQueue")).drainedSince).toBeNull();
  });
});

describe("the operator of a private instance", () => {
  const email = "boss@example.com";
  const service = serviceOfTests({ transcriber: null, signIn: { kind: "password" }, operatorEmail: email });

  /** An account that signs in by password, with a session. */
  async function member(address: string): Promise<SignedIn> {
    const { store, clock, url } = service;
    const now = clock.now();
    const token = createSecret();
    await store.passwords.invite({
      email: address,
      plan: "free",
      by: "test",
      reason: "test",
      tokenHash: hashOf(token),
      expiresAt: new Date(now.getTime() + hour),
      now,
    });
    const { accountId } = (await store.passwords.accept({ tokenHash: hashOf(token), hash: "no password", now }))!;
    const id = createNewId()("ses");
    const value = sessionValue(id, createSecret());
    const expiresAt = new Date(now.getTime() + 24 * hour);
    await store.sessions.create({ id, accountId, hash: hashOf(value), browser: null, idToken: null, expiresAt, now });
    const jar = createCookieJar();
    jar.set(`reelscript_session_${new URL(url).port}`, value);
    return { cookie: jar.header("/"), jar, accountId, email: address, api: createApi(url, jar) };
  }

  test("is whoever signs in with its address and a password, and invites the others", async () => {
    const { store, clock } = service;
    // Somebody whose provider said the same address is somebody else.
    const impostor = await giveSession(service, { email });
    expect((await impostor.api("getServiceStatus")).status).toBe(404);
    const boss = await member(email);
    expect(boss.accountId).not.toBe(impostor.accountId);
    const colleague = await member("colleague@example.com");
    expect((await colleague.api("getServiceStatus")).status).toBe(404);
    expect((await boss.api("getServiceStatus")).body).toMatchObject({ invites: true });

    const { status, body } = await boss.api("inviteAccount", { email: "New@example.com", plan: "hobby" });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ email: "new@example.com", plan: "hobby", isReset: false }),
    ]);
    expect(body.link).toMatch(new RegExp(`^${service.url}/app/invitation#[\\w-]{43}$`));
    const { hash } = new URL(body.link as string);
    expect(await store.passwords.findInvitation(hashOf(hash.slice(1)), clock.now())).toMatchObject({ isReset: false });
    const reset = await boss.api("inviteAccount", { email: colleague.email, reason: "forgot it" });
    expect(reset.body).toMatchObject({ isReset: true, id: colleague.accountId });
    const { entries } = (await boss.api("listAudit", { limit: 2 })).body;
    expect(entries).toMatchObject([
      {
        action: "resetPassword",
        by: `${email} (${boss.accountId})`,
        subject: colleague.accountId,
        reason: "forgot it",
      },
      { action: "inviteAccount", by: `${email} (${boss.accountId})`, reason: "invited" },
    ]);
  });
});

import { createHook } from "node:async_hooks";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migratedDatabase } from "../database/opened-stores.ts";
import { testDatabaseUrl } from "../database/test-database-url.ts";
import { createCookieJar, type CookieJar } from "../harness/cookie-jar.ts";
import { operatorOfTests } from "../harness/open-operator.ts";
import { createApi } from "../harness/sign-in.ts";
import { startTestService, type TestService } from "../harness/start-test-service.ts";

const day = 24 * 60 * 60_000;
const good = "correct horse battery";

const databases = [
  { name: "the embedded database", url: undefined, isMissing: false },
  { name: "PostgreSQL (runs with TEST_DATABASE_URL)", url: testDatabaseUrl, isMissing: testDatabaseUrl === undefined },
];

describe.each(databases.filter(({ isMissing }) => !isMissing))("signing in by password, on $name", ({ url }) => {
  const service = {} as TestService; // safe: nobody has it before it is filled
  const closers: (() => Promise<unknown>)[] = [];
  let databaseUrl: string | undefined;
  beforeAll(async () => {
    const database = url === undefined ? undefined : await migratedDatabase(url);
    if (database) closers.push(database.drop);
    databaseUrl = database?.databaseUrl;
    const started = await startTestService({
      transcriber: null,
      signIn: { kind: "password" },
      ...(database && { databaseUrl: database.databaseUrl }),
    });
    closers.push(() => started.close());
    Object.assign(service, started);
  });
  afterAll(async () => {
    for (const close of closers.toReversed()) await close();
  });
  const { operate } = operatorOfTests(service);

  const post = (jar: CookieJar, path: string, fields: Readonly<Record<string, string>>, origin = service.url) =>
    jar.fetch(`${service.url}${path}`, {
      method: "POST",
      headers: { origin, accept: "application/json" },
      body: new URLSearchParams(fields),
    });
  /** Begins a sign-in as the sign-in page does, and returns its state. */
  async function begin(jar: CookieJar, returnTo = "/app"): Promise<string> {
    const path = `/auth/login?${new URLSearchParams({ return_to: returnTo }).toString()}`;
    const answer = await jar.fetch(`${service.url}${path}`, { headers: { accept: "application/json" } });
    const { location } = (await answer.json()) as { location: string };
    expect(location.startsWith(`${service.url}/app/sign-in?state=`), location).toBe(true);
    return new URL(location).searchParams.get("state") ?? expect.fail("no state");
  }
  async function locationIn(answer: Response): Promise<string> {
    expect(answer.status, await answer.clone().text()).toBe(200);
    return ((await answer.json()) as { location: string }).location;
  }
  const invite = async (email: string, ...more: string[]): Promise<string> => {
    const { code, stderr, lastLine } = await operate("account", "invite", "--email", email, ...more);
    expect([code, stderr]).toEqual([0, ""]);
    return new URL(lastLine).hash.slice(1);
  };
  /** Sets a password with an invitation; the browser is signed in afterward. */
  async function accept(token: string, password = good, jar = createCookieJar()): Promise<CookieJar> {
    const answer = await post(jar, "/auth/invitation/accept", { state: await begin(jar), token, password });
    await jar.fetch(await locationIn(answer));
    return jar;
  }
  async function signIn(email: string, password = good, jar = createCookieJar()): Promise<Response> {
    return post(jar, "/auth/password", { state: await begin(jar), email, password });
  }
  const sessionOf = async (jar: CookieJar) => createApi(service.url, jar)("getSession");

  test("an invitation makes an account on a plan, sets its password and signs in", async () => {
    const token = await invite("Ada@Example.com", "--plan", "creator");
    const jar = createCookieJar();
    const offer = await post(jar, "/auth/invitation", { token });
    expect(await offer.json()).toEqual({ email: "ada@example.com", isReset: false });
    await accept(token, good, jar);
    const { body } = await sessionOf(jar);
    expect(body.account).toMatchObject({ email: "ada@example.com", plan: "creator", name: null });
    const again = createCookieJar();
    const back = await again.fetch(await locationIn(await signIn(" ADA@example.com ", good, again)));
    expect(back.headers.get("location")).toBe(`${service.url}/app`);
    expect((await sessionOf(again)).body.account.id).toBe(body.account.id);
  });

  test("the answer says the mode, and nothing is sold", async () => {
    expect(await (await fetch(`${service.url}/auth/method`)).json()).toEqual({ method: "password", mails: false });
    const api = createApi(service.url, await accept(await invite("buyer@example.com")));
    expect((await api("getBilling")).body).toMatchObject({ plan: "free", sells: false, manageable: false });
    const refused = await api("startCheckout", { plan: "creator" });
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringContaining("operator")]);
  });

  test("an invitation works once, also of two at a time, and for seven days", async () => {
    const token = await invite("once@example.com");
    const jars = [createCookieJar(), createCookieJar(), createCookieJar()];
    const states = await Promise.all(jars.map((jar) => begin(jar)));
    const answers = await Promise.all(
      jars.map((jar, index) =>
        post(jar, "/auth/invitation/accept", { state: states[index]!, token, password: `${good} ${index}` }),
      ),
    );
    expect(answers.map(({ status }) => status === 200).filter(Boolean)).toHaveLength(1);
    const used = await post(jars[0]!, "/auth/invitation", { token });
    expect([used.status, await used.json()]).toEqual([404, { error: { message: expect.stringContaining("7 days") } }]);

    const late = await invite("late@example.com");
    service.clock.advance(7 * day - 1_000);
    expect((await post(createCookieJar(), "/auth/invitation", { token: late })).status).toBe(200);
    service.clock.advance(1_000);
    const jar = createCookieJar();
    const expired = await post(jar, "/auth/invitation/accept", {
      state: await begin(jar),
      token: late,
      password: good,
    });
    expect(expired.status).toBe(404);
    expect((await post(createCookieJar(), "/auth/invitation", { token: "made up" })).status).toBe(404);
    expect((await post(createCookieJar(), "/auth/invitation", { token: "A".repeat(43) })).status).toBe(404);
  });

  test("a reset ends the account's sessions and former links, and keeps the account", async () => {
    const jar = await accept(await invite("reset@example.com"));
    const { id } = (await sessionOf(jar)).body.account;
    const older = await invite("reset@example.com");
    const newer = await invite("RESET@example.com");
    expect((await sessionOf(jar)).status, "until the link is used").toBe(200);
    const other = await accept(newer, "another long password");
    expect((await sessionOf(jar)).status).toBe(401);
    expect((await sessionOf(other)).body.account.id).toBe(id);
    expect((await post(jar, "/auth/invitation", { token: older })).status).toBe(404);
    expect((await signIn("reset@example.com", good)).status).toBe(401);
    expect((await signIn("reset@example.com", "another long password")).status).toBe(200);
    const audit = await operate("audit", "list", "--json");
    const entries = (JSON.parse(audit.stdout) as { entries: { action: string; subject: string }[] }).entries;
    expect(entries.filter(({ subject }) => subject === id).map(({ action }) => action)).toEqual([
      "resetPassword",
      "resetPassword",
      "inviteAccount",
    ]);
  });

  test("an account that an operator created before becomes the invited one, and one of another sign-in doesn't", async () => {
    const { lastLine: id } = await operate("account", "create", "--email", "made@example.com", "--plan", "hobby");
    const jar = await accept(await invite("made@example.com"));
    expect((await sessionOf(jar)).body.account).toMatchObject({ id, plan: "hobby" });
    const now = service.clock.now();
    const identity = { issuer: "https://id.example", subject: "x", email: "theirs@example.com", name: null, now };
    const theirs = await service.store.identities.signIn(identity);
    const invitedJar = await accept(await invite("theirs@example.com"));
    expect((await sessionOf(invitedJar)).body.account.id).not.toBe(theirs.id);
  });

  test("tells nobody which addresses have an account: same status, body and number of hashes", async () => {
    await accept(await invite("known@example.com"));
    await invite("invited@example.com");
    await operate("account", "create", "--email", "plain@example.com");
    let hashes = 0;
    const hook = createHook({ init: (_id, type) => void (type === "SCRYPTREQUEST" && (hashes += 1)) }).enable();
    const results = [];
    for (const email of ["known@example.com", "nobody@example.com", "invited@example.com", "plain@example.com", "x"]) {
      const jar = createCookieJar();
      const state = await begin(jar);
      const before = hashes;
      const answer = await post(jar, "/auth/password", { state, email, password: "not the right one" });
      const { date: _date, "x-request-id": _id, ...headers } = Object.fromEntries(answer.headers);
      results.push({ status: answer.status, headers, body: await answer.text(), hashes: hashes - before });
    }
    hook.disable();
    expect(results[0]).toMatchObject({ status: 401, hashes: 1 });
    for (const result of results) expect(result).toEqual(results[0]);
  });

  test("refuses short, long and easy passwords, and keeps the invitation", async () => {
    const email = "a.long.address@example.com";
    const token = await invite(email);
    const jar = createCookieJar();
    const state = await begin(jar);
    for (const [password, says] of [
      ["elevenchars", "at least 12"],
      ["a1😀".repeat(3), "at least 12"],
      ["ab c".repeat(51), "at most 200"],
      ["a".repeat(20), "easy to guess"],
      [email.toUpperCase(), "easy to guess"],
    ] as const) {
      const answer = await post(jar, "/auth/invitation/accept", { state, token, password });
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(says)]);
    }
    const longest = `${"é😀".repeat(99)}ab`;
    await jar.fetch(await locationIn(await post(jar, "/auth/invitation/accept", { state, token, password: longest })));
    // Some keyboards write the accent as a character of its own.
    expect((await signIn(email, longest.normalize("NFD"))).status).toBe(200);
    expect((await signIn(email, "x".repeat(5_000))).status).toBe(401);
    expect((await signIn(email, "x".repeat(9_000))).status).toBe(400);
  });

  test("a person changes the password with the old one, which ends other sessions", async () => {
    const jar = await accept(await invite("change@example.com"));
    const other = createCookieJar();
    await other.fetch(await locationIn(await signIn("change@example.com", good, other)));
    const change = (current: string, password: string, by = jar, origin = service.url) =>
      post(by, "/auth/password/change", { current, password }, origin);
    expect((await change("not the old one", "a new long password")).status).toBe(400);
    expect((await change(good, "short")).status).toBe(400);
    expect((await change(good, "a new long password", jar, "https://evil.example")).status).toBe(403);
    expect((await change(good, "a new long password", createCookieJar())).status).toBe(401);
    expect((await sessionOf(other)).status).toBe(200);
    expect((await change(good, "a new long password")).status).toBe(200);
    expect([(await sessionOf(jar)).status, (await sessionOf(other)).status]).toEqual([200, 401]);
    expect((await signIn("change@example.com", good)).status).toBe(401);
    expect((await signIn("change@example.com", "a new long password")).status).toBe(200);
  });

  test("a way back works once, in its own browser, and not after the password was changed", async () => {
    const jar = await accept(await invite("way@example.com"));
    const statusAfter = async (location: string, by: CookieJar): Promise<string> => {
      const answer = await by.fetch(location);
      return (answer.headers.get("location") ?? "").replace(service.url, "");
    };
    const mine = createCookieJar();
    const back = await locationIn(await signIn("way@example.com", good, mine));
    expect(await statusAfter(back, createCookieJar())).toMatch(/error=expired/);
    const forged = new URL(back);
    forged.searchParams.set("code", `${forged.searchParams.get("code")!.split(".")[0]!}.${"A".repeat(43)}`);
    expect(await statusAfter(forged.href, mine)).toMatch(/error=refused/);
    const other = createCookieJar();
    const wide = new URL(await locationIn(await signIn("way@example.com", good, other)));
    wide.searchParams.set("code", forged.searchParams.get("code")!.replaceAll("A", "é"));
    expect(await statusAfter(wide.href, other), "as many characters, and more bytes").toMatch(/error=refused/);
    expect(await statusAfter(back, mine), "its attempt is used up").toMatch(/error=expired/);

    const late = createCookieJar();
    const before = await locationIn(await signIn("way@example.com", good, late));
    await post(jar, "/auth/password/change", { current: good, password: "a new long password" });
    expect(await statusAfter(before, late)).toMatch(/error=refused/);
    const old = createCookieJar();
    const state = await begin(old);
    service.clock.advance(10 * 60_000);
    const expired = await post(old, "/auth/password", { state, email: "way@example.com", password: good });
    expect(expired.status).toBe(412);
  });

  test.skipIf(url === undefined)("no session begins with a password that is replaced at that moment", async () => {
    await accept(await invite("race@example.com"));
    const jar = createCookieJar();
    const back = await locationIn(await signIn("race@example.com", good, jar));
    const { accountId } = (await service.store.passwords.findByEmail("race@example.com"))!;
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      // A reset holds the account's row like this until it has ended the sessions.
      await client.query("begin");
      await client.query("select from account where id = $1 for no key update", [accountId]);
      const signedIn = jar.fetch(back);
      await expect
        .poll(async () => (await client.query("select from pg_locks where not granted")).rowCount, { interval: 50 })
        .toBeGreaterThan(0);
      await client.query("update account_password set hash = hash || 'x' where account_id = $1", [accountId]);
      await client.query("delete from session where account_id = $1", [accountId]);
      await client.query("commit");
      expect((await signedIn).headers.get("location")).toMatch(/error=refused/);
      expect((await client.query("select from session where account_id = $1", [accountId])).rowCount).toBe(0);
    } finally {
      await client.end();
    }
  });

  test("limits the tries with an address, known or not, and others stay free", async () => {
    await accept(await invite("guessed@example.com"));
    for (const email of ["guessed@example.com", "nobody.at.all@example.com"]) {
      const jar = createCookieJar();
      const state = await begin(jar);
      const statuses = [];
      for (let count = 0; count < 11; count += 1)
        statuses.push(
          (await post(jar, "/auth/password", { state, email, password: `wrong ${count} password` })).status,
        );
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
      const right = await post(jar, "/auth/password", { state, email, password: good });
      expect([right.status, right.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^3[3-6]\d\d$/)]);
    }
    await accept(await invite("unguessed@example.com"));
    expect((await signIn("unguessed@example.com")).status).toBe(200);
    service.clock.advance(60 * 60_000);
    expect((await signIn("guessed@example.com")).status).toBe(200);
  });

  test("counts all spellings of an address together that the database reads alike", async () => {
    await accept(await invite("spelled@example.com"));
    const jar = createCookieJar();
    const state = await begin(jar);
    const statuses = [];
    for (let count = 0; count < 12; count += 1) {
      const spelling = `${" ".repeat(count)}spell${"\0".repeat(count)}ed@EXAMPLE.com`;
      statuses.push(
        (await post(jar, "/auth/password", { state, email: spelling, password: "not the right one" })).status,
      );
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
  });

  test("computes at most two hashes at a time, and answers 503 when too many wait", async () => {
    const jar = createCookieJar();
    const states = await Promise.all(Array.from({ length: 9 }, () => begin(jar)));
    const answers = await Promise.all(
      states.map((state, index) =>
        post(jar, "/auth/password", { state, email: `flood${index}@example.com`, password: good }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    // One runs and five wait, because all come from one network; on a slow machine some of the five wait too long.
    const computed = statuses.filter((status) => status === 401).length;
    expect(computed).toBeGreaterThanOrEqual(1);
    expect(computed).toBeLessThanOrEqual(6);
    expect(statuses.filter((status) => status === 503)).toHaveLength(9 - computed);
    expect(answers.find(({ status }) => status === 503)!.headers.get("retry-after")).toBe("5");
  });

  test("a suspended account gets no session", async () => {
    const jar = await accept(await invite("suspended@example.com"));
    const { id } = (await sessionOf(jar)).body.account;
    await operate("account", "suspend", id, "--reason", "test", "--by", "ada");
    const back = await locationIn(await signIn("suspended@example.com", good, jar));
    expect((await jar.fetch(back)).headers.get("location")).toMatch(/error=suspended/);
  });

  test("stores neither a password nor a link's token", async () => {
    const token = await invite("stored@example.com");
    await accept(token);
    const stored = await service.store.passwords.findByEmail("stored@example.com");
    expect(stored!.hash).toMatch(/^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
    expect(JSON.stringify(stored)).not.toContain(good);
  });
});

test("a network is limited as with any sign-in, in the form that the page reads", async () => {
  const limited = await startTestService({ transcriber: null, signIn: { kind: "password" }, signInLimit: 2 });
  try {
    const ask = () => fetch(`${limited.url}/auth/login`, { headers: { accept: "application/json" } });
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
    const refused = await ask();
    expect([refused.status, await refused.json()]).toEqual([
      429,
      { error: { message: expect.stringContaining("from your network") } },
    ]);
  } finally {
    await limited.close();
  }
});

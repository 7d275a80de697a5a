import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createSecret, hashOf } from "../../src/sign-in/secret.ts";
import { createCookieJar, type CookieJar } from "../harness/cookie-jar.ts";
import { lookAfter } from "../harness/look-after.ts";
import { createApi, signIn } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { hour } from "../harness/test-clock.ts";

const day = 24 * hour;
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const safari =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";

describe("a session", () => {
  const service = serviceOfTests({ transcriber: null, signInLimit: 10_000 });

  const cookieName = () => `reelscript_session_${new URL(service.url).port}`;
  const jarWith = (value: string): CookieJar => {
    const jar = createCookieJar();
    jar.set(cookieName(), value);
    return jar;
  };
  const copyOf = (jar: CookieJar): CookieJar => jarWith(jar.get(cookieName())!);
  const statusOf = async (jar: CookieJar): Promise<number> => (await createApi(service.url, jar)("getSession")).status;

  test("is listed with its browser, and ends at once when ended elsewhere", async () => {
    const desk = await signIn(service, { email: "list@example.com", userAgent: firefox });
    const phone = await signIn(service, { email: "list@example.com", userAgent: safari });
    const stranger = await signIn(service, { email: "stranger@example.com" });
    const { sessions } = (await desk.api("listSessions")).body;
    expect(sessions).toMatchObject([
      { browser: "Safari on iPhone", current: false },
      { browser: "Firefox on Linux", current: true },
    ]);
    const [{ id }] = sessions;
    expect((await stranger.api("revokeSession", { id })).status, "another account's").toBe(404);
    expect((await phone.api("getSession")).status).toBe(200);
    expect(await desk.api("revokeSession", { id })).toMatchObject({ status: 200, body: { id } });
    expect((await phone.api("getSession")).status).toBe(401);
    expect((await desk.api("revokeSession", { id })).status).toBe(404);
    expect((await desk.api("listSessions")).body.sessions).toHaveLength(1);
  });

  test("may outlive all others", async () => {
    const [keptPerson, ...others] = await Promise.all(
      Array.from({ length: 3 }, () => signIn(service, { email: "others@example.com" })),
    );
    const stranger = await signIn(service, { email: "stranger@example.com" });
    expect((await keptPerson!.api("revokeOtherSessions")).body).toEqual({ revoked: 2 });
    for (const other of others) expect((await other.api("getSession")).status).toBe(401);
    expect((await keptPerson!.api("getSession")).status).toBe(200);
    expect((await stranger.api("getSession")).status).toBe(200);
  });

  test("that ended loses its cookie, and keys don't replace it", async () => {
    const person = await signIn(service, { email: "ended@example.com" });
    const { id } = (await person.api("getSession")).body.session;
    await person.api("revokeSession", { id });
    const answer = await person.api("getSession");
    expect(answer.status).toBe(401);
    expect(answer.headers.getSetCookie()).toEqual([`${cookieName()}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`]);
    expect(person.jar.get(cookieName())).toBeUndefined();
    expect((await createApi(service.url, createCookieJar())("getSession")).headers.getSetCookie()).toEqual([]);
    const { key } = await service.createCaller();
    const withKey = await fetch(`${service.url}/app/api/sessions`, { headers: { authorization: `Bearer ${key}` } });
    expect(withKey.status).toBe(401);
    expect(await statusOf(jarWith("%00' or 1=1 --"))).toBe(401);
  });

  test("renews its value daily, and ends if the old one returns later", async () => {
    const person = await signIn(service, { email: "renewed@example.com" });
    const first = person.jar.get(cookieName());
    service.clock.advance(day - hour);
    await person.api("getSession");
    expect(person.jar.get(cookieName())).toBe(first);
    service.clock.advance(hour);

    const lost = copyOf(person.jar);
    expect(await statusOf(lost)).toBe(200);
    expect(lost.get(cookieName()), "the next value was offered").not.toBe(first);
    expect(await statusOf(person.jar), "the answer was lost: the old value holds").toBe(200);
    service.clock.advance(hour);
    expect(await statusOf(person.jar)).toBe(200);
    expect(person.jar.get(cookieName())).not.toBe(first);

    expect(await statusOf(person.jar), "the next value is used").toBe(200);
    service.clock.advance(40_000);
    expect(await statusOf(jarWith(first!)), "a request that was on its way").toBe(200);
    expect(await statusOf(person.jar)).toBe(200);
    service.clock.advance(20_000);
    expect(await statusOf(jarWith(first!)), "a copy").toBe(401);
    expect(await statusOf(person.jar), "ends it for everyone").toBe(401);
  });

  /** Uses the cookie until its value was replaced. */
  async function rotate(jar: CookieJar): Promise<void> {
    const before = jar.get(cookieName());
    service.clock.advance(day);
    expect(await statusOf(jar)).toBe(200);
    expect(jar.get(cookieName())).not.toBe(before);
    expect(await statusOf(jar)).toBe(200);
    service.clock.advance(2 * 60_000);
  }

  test("that was copied ends when its owner returns, despite replacements", async () => {
    const owner = await signIn(service, { email: "robbed@example.com" });
    const thief = copyOf(owner.jar);
    await rotate(thief);
    await rotate(thief);
    await rotate(thief);
    expect(await statusOf(owner.jar), "the owner signs in again").toBe(401);
    expect(await statusOf(thief), "and the thief is out").toBe(401);
  });

  test("that was copied ends when its owner signs in again first", async () => {
    const owner = await signIn(service, { email: "again@example.com" });
    const thief = copyOf(owner.jar);
    await rotate(thief);
    await rotate(thief);
    const page = await owner.jar.follow(`${service.url}/auth/login`);
    const form = {
      method: "POST",
      headers: { origin: service.url, "content-type": "application/x-www-form-urlencoded" },
    };
    await owner.jar.follow(page.at, { ...form, body: new URLSearchParams({ email: "again@example.com" }) });
    expect(await statusOf(owner.jar)).toBe(200);
    expect(await statusOf(thief)).toBe(401);
  });

  test("ends when somebody guesses at its value, and no other does", async () => {
    const owner = await signIn(service, { email: "guessed@example.com" });
    const other = await signIn(service, { email: "guessed@example.com" });
    const value = owner.jar.get(cookieName())!;
    const guess = value.slice(0, 16) + randomBytes(21).toString("base64url").slice(0, 27);
    expect(await statusOf(jarWith(guess))).toBe(401);
    expect(await statusOf(owner.jar)).toBe(401);
    expect(await statusOf(other.jar)).toBe(200);
    expect(await statusOf(jarWith(randomBytes(32).toString("base64url"))), "of no session").toBe(401);
    expect(await statusOf(other.jar)).toBe(200);
  });

  test("is in no answer that a shared cache may keep", async () => {
    const person = await signIn(service, { email: "cached@example.com" });
    service.clock.advance(day);
    const { status, headers } = await person.api("getPlans");
    expect([status, headers.getSetCookie().length], "the next value is offered").toEqual([200, 1]);
    expect(headers.get("cache-control")).toMatch(/^private\b/);
  });

  test("survives many requests at the moment of renewal", async () => {
    const person = await signIn(service, { email: "many@example.com" });
    service.clock.advance(day);
    const statuses = async () => Promise.all(Array.from({ length: 8 }, () => statusOf(person.jar)));
    expect(await statuses()).toEqual(Array(8).fill(200));
    expect(await statuses()).toEqual(Array(8).fill(200));
    service.clock.advance(2 * 60_000);
    expect(await statuses()).toEqual(Array(8).fill(200));
  });

  test("ends after seven days without use, and after thirty days of it", async () => {
    const idle = await signIn(service, { email: "idle@example.com" });
    const used = await signIn(service, { email: "used@example.com" });
    for (let days = 0; days < 24; days += 6) {
      service.clock.advance(6 * day);
      expect(await statusOf(used.jar)).toBe(200);
      expect(await statusOf(used.jar)).toBe(200);
    }
    expect(await statusOf(idle.jar)).toBe(401);
    service.clock.advance(5.9 * day);
    expect(await statusOf(used.jar)).toBe(200);
    service.clock.advance(0.2 * day);
    expect(await statusOf(used.jar)).toBe(401);
  });

  test("that has ended is forgotten, and so is an attempt", async () => {
    const { accountId } = await signIn(service, { email: "forgotten@example.com" });
    const past = new Date(Date.now() - 60_000);
    const [ended, live, state, browser] = Array.from({ length: 4 }, () => hashOf(createSecret()));
    const { sessions, signInAttempts } = service.store;
    const session = { accountId, browser: null, idToken: null, now: past };
    await sessions.create({ ...session, hash: ended!, expiresAt: past });
    await sessions.create({ ...session, hash: live!, expiresAt: new Date(Date.now() + hour) });
    const attempt = { stateHash: state!, browserHash: browser!, verifier: "v", nonce: "n", returnTo: "/app" };
    await signInAttempts.create({ ...attempt, expiresAt: past });
    await lookAfter(service.store);
    expect(await sessions.end(ended!)).toBeUndefined();
    expect(await sessions.end(live!)).toEqual({ idToken: null });
    expect(await signInAttempts.take(state!, browser!, new Date(0))).toBeUndefined();
  });

  test("serves no other site", async () => {
    const person = await signIn(service, { email: "site@example.com" });
    const ask = async (method: "GET" | "DELETE", headers: Record<string, string>): Promise<number> =>
      (await person.jar.fetch(`${service.url}/app/api/sessions`, { method, headers })).status;
    const ownHeaders = { origin: service.url };
    const evil = { origin: "https://evil.example" };
    const from = (site: string) => ({ "sec-fetch-site": site });
    expect(await ask("GET", {})).toBe(200);
    expect(await ask("GET", from("none"))).toBe(200);
    expect(await ask("GET", from("same-origin"))).toBe(200);
    expect(await ask("GET", from("cross-site"))).toBe(403);
    expect(await ask("GET", from("same-site"))).toBe(403);
    expect(await ask("GET", evil)).toBe(403);
    expect(await ask("DELETE", {})).toBe(403);
    expect(await ask("DELETE", { origin: "null" })).toBe(403);
    expect(await ask("DELETE", evil)).toBe(403);
    expect(await ask("DELETE", { origin: `${service.url}.evil.example` })).toBe(403);
    expect(await ask("DELETE", from("none"))).toBe(403);
    expect(await ask("DELETE", { ...ownHeaders, ...from("cross-site") })).toBe(403);
    expect(await ask("DELETE", from("same-origin"))).toBe(200);
    expect(await ask("DELETE", ownHeaders)).toBe(200);
    const out = (headers: Record<string, string>) =>
      person.jar.fetch(`${service.url}/auth/logout`, { method: "POST", headers });
    expect((await out(evil)).status).toBe(403);
    expect(await statusOf(person.jar)).toBe(200);
    const signedOut = await out(ownHeaders);
    expect([signedOut.status, signedOut.headers.get("location")]).toEqual([303, `${service.url}/app/sign-in`]);
    expect(await statusOf(person.jar)).toBe(401);
  });
});

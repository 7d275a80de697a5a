import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createCookieJar, type CookieJar } from "../harness/cookie-jar.ts";
import { createApi, signIn } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { hour } from "../harness/test-clock.ts";

const day = 24 * hour;

describe("a session whose cookie was copied", () => {
  const service = serviceOfTests({ transcriber: null, signInLimit: 10_000 });

  const cookieName = () => `reelscript_session_${new URL(service.url).port}`;
  const jarWith = (value: string): CookieJar => {
    const jar = createCookieJar();
    jar.set(cookieName(), value);
    return jar;
  };
  const statusOf = async (jar: CookieJar): Promise<number> => (await createApi(service.url, jar)("getSession")).status;
  /** Uses the cookie until its value was replaced. */
  async function rotate(jar: CookieJar): Promise<void> {
    const before = jar.get(cookieName());
    service.clock.advance(day);
    expect(await statusOf(jar)).toBe(200);
    expect(jar.get(cookieName())).not.toBe(before);
    expect(await statusOf(jar)).toBe(200);
    service.clock.advance(2 * 60_000);
  }

  test("ends when its owner comes back, however often the thief's value was replaced", async () => {
    const owner = await signIn(service, { email: "robbed@example.com" });
    const thief = jarWith(owner.jar.get(cookieName())!);
    await rotate(thief);
    await rotate(thief);
    await rotate(thief);
    expect(await statusOf(owner.jar), "the owner signs in again").toBe(401);
    expect(await statusOf(thief), "and the thief is out").toBe(401);
  });

  test("ends when its owner signs in again without asking for anything before", async () => {
    const owner = await signIn(service, { email: "again@example.com" });
    const thief = jarWith(owner.jar.get(cookieName())!);
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

  test("goes on with a cookie of before sessions had their id in it, and has it from the next value on", async () => {
    const { accountId } = await signIn(service, { email: "before@example.com" });
    const old = randomBytes(32).toString("base64url");
    const now = service.clock.now();
    const { id } = await service.store.sessions.create({
      accountId,
      hash: createHash("sha256").update(old).digest(),
      browser: null,
      idToken: null,
      expiresAt: new Date(now.getTime() + 30 * day),
      now,
    });
    const jar = jarWith(old);
    expect(await statusOf(jar)).toBe(200);
    await rotate(jar);
    expect(`ses_${jar.get(cookieName())!.slice(0, 16)}`).toBe(id);
    const thief = jarWith(jar.get(cookieName())!);
    await rotate(thief);
    await rotate(thief);
    expect([await statusOf(jar), await statusOf(thief)]).toEqual([401, 401]);
  });

  test("breaks nothing by all that", () => {
    expect(service.faults).toEqual([]);
  });
});

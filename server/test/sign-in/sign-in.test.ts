import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { createCookieJar, type CookieJar } from "../harness/cookie-jar.ts";
import { createApi, signIn } from "../harness/sign-in.ts";
import { serviceOfTest, serviceOfTests } from "../harness/start-test-service.ts";
import { returnPath } from "../../src/sign-in/return-path.ts";

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const minute = 60_000;

describe("signing in with the development provider", () => {
  const service = serviceOfTests({ transcriber: null });

  const isCallback = (url: string): boolean => new URL(url).pathname === "/auth/callback";
  /** Everything but the last step: the address that the provider sends the browser back to. */
  async function callbackOf(jar: CookieJar, query = ""): Promise<string> {
    const page = await jar.follow(`${service.url}/auth/login${query}`);
    const answer = await jar.follow(
      page.at,
      { method: "POST", headers: { origin: service.url }, body: new URLSearchParams({ email: "eve@example.com" }) },
      isCallback,
    );
    return answer.headers.get("location") ?? expect.fail(`no way back: ${answer.status}`);
  }
  async function locationOf(jar: CookieJar, url: string): Promise<string> {
    const answer = await jar.fetch(url);
    expect(answer.status).toBe(303);
    return (answer.headers.get("location") ?? "").replace(service.url, "");
  }
  const statusOf = async (jar: CookieJar): Promise<number> => (await createApi(service.url, jar)("getSession")).status;
  const expired = "/app/sign-in?error=expired&return_to=%2Fapp";

  test("creates an account, the same next time and in another browser", async () => {
    const first = await signIn(service, { email: "Ada@Example.com", userAgent: firefox });
    const { body } = await first.api("getSession");
    expect(body.account).toMatchObject({ email: "ada@example.com", name: "Ada", plan: "free" });
    const second = await signIn(service, { email: "ada@example.com" });
    expect(second.accountId).toBe(first.accountId);
    const other = await signIn(service, { email: "grace@example.com" });
    expect(other.accountId).not.toBe(first.accountId);
  });

  test("makes one account of many first sign-ins at once", async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => signIn(service, { email: "racer@example.com" })));
    expect(new Set(people.map(({ accountId }) => accountId)).size).toBe(1);
    const accounts = await service.store.accounts.list();
    expect(accounts.filter(({ email }) => email === "racer@example.com")).toHaveLength(1);
  });

  test("works in two tabs of a browser, in any order", async () => {
    const jar = createCookieJar();
    const first = await callbackOf(jar, "?return_to=/app/one");
    const second = await callbackOf(jar, "?return_to=/app/two");
    expect(await locationOf(jar, second)).toBe("/app/two");
    expect(await locationOf(jar, first)).toBe("/app/one");
    expect(await statusOf(jar)).toBe(200);
  });

  test("accepts a return once, unchanged, from the same browser in ten minutes", async () => {
    const jar = createCookieJar();
    const callback = await callbackOf(jar);

    const other = createCookieJar();
    expect(await locationOf(other, callback), "another browser").toBe(expired);
    await other.fetch(`${service.url}/auth/login`);
    expect(await locationOf(other, callback), "another browser with an attempt of its own").toBe(expired);
    expect(await statusOf(other)).toBe(401);

    const forged = new URL(callback);
    forged.searchParams.set("state", "A".repeat(43));
    expect(await locationOf(jar, forged.href), "a state that nobody gave").toBe(expired);
    expect(await locationOf(jar, `${service.url}/auth/callback`), "nothing at all").toBe(expired);
    expect(await locationOf(jar, callback), "the true one").toBe("/app");
    const session = jar.header("/");
    expect(await locationOf(jar, callback), "a replay").toBe(expired);
    expect(jar.header("/"), "changes nothing").toBe(session);

    const swapped = new URL(await callbackOf(jar));
    swapped.searchParams.set("code", new URL(await callbackOf(createCookieJar())).searchParams.get("code")!);
    const refused = createCookieJar();
    refused.set(...signInCookie(jar));
    expect(await locationOf(refused, swapped.href), "a code of another's sign-in").toMatch(/error=refused/);

    const late = createCookieJar();
    const lateCallback = await callbackOf(late);
    service.clock.advance(10 * minute);
    expect(await locationOf(late, lateCallback), "too late").toBe(expired);
  });

  const signInCookie = (jar: CookieJar): [string, string] => {
    const [name = "", value = ""] = jar
      .header("/")
      .split("; ")
      .find((pair) => pair.startsWith("reelscript_sign_in"))!
      .split("=");
    return [name, value];
  };

  test("lets one browser be one person after another", async () => {
    const person = await signIn(service, { email: "first@example.com" });
    await person.jar.fetch(await callbackOf(person.jar));
    expect((await person.api("getSession")).body.account.email).toBe("eve@example.com");
  });

  test("gives a new session each time and ends the one before", async () => {
    const person = await signIn(service, { email: "fixed@example.com" });
    const before = person.jar.header("/");
    const stolen = createCookieJar();
    for (const pair of before.split("; ")) stolen.set(...(pair.split("=") as [string, string]));
    await person.jar.fetch(await callbackOf(person.jar));
    expect(person.jar.header("/")).not.toBe(before);
    expect(await statusOf(person.jar)).toBe(200);
    expect(await statusOf(stolen)).toBe(401);
  });

  test("keeps its cookie from scripts, from other sites, and for thirty days", async () => {
    const jar = createCookieJar();
    const answer = await jar.fetch(await callbackOf(jar));
    const [line = ""] = answer.headers.getSetCookie().filter((each) => each.startsWith("reelscript_session"));
    expect(line).toMatch(/^reelscript_session_\d+=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  test.each([
    ["/app", "/app"],
    ["/app/library?q=a#b", "/app/library?q=a#b"],
    ["/app/../admin", "/app"],
    ["/app/%2e%2e/admin", "/app"],
    ["//evil.example/app", "/app"],
    ["/app//evil.example", "/app"],
    ["/\\evil.example", "/app"],
    ["/app\\..\\..\\evil", "/app"],
    ["/app\n/x", "/app"],
    ["https://evil.example/app", "/app"],
    ["javascript:alert(1)", "/app"],
    ["/application", "/app"],
    ["/app@evil.example", "/app"],
    ["/app/api/session", "/app"],
    ["/app/sign-in?error=provider", "/app"],
    [["/app/a", "/app/b"], "/app"],
    [undefined, "/app"],
    ["/app/".padEnd(3_000, "a"), "/app"],
  ])("leads to our own pages only: %#", (requestedPath, leads) => {
    expect(returnPath(requestedPath)).toBe(leads);
  });

  test("believes an address of an e-mail only", async () => {
    const jar = createCookieJar();
    const page = await jar.follow(`${service.url}/auth/login`);
    expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/);
    const say = (email: string, headers: Record<string, string> = { origin: service.url }) =>
      jar.fetch(page.at, { method: "POST", headers, body: new URLSearchParams({ email }) });
    const wrong = await say(`"><script>alert(1)</script>`);
    expect(wrong.status).toBe(400);
    expect(await wrong.text()).not.toContain("<script");
    expect((await say("a@b.example".padStart(5_000, "a"))).status).toBe(400);
    expect((await say("eve@example.com", { origin: "https://evil.example" })).status).toBe(403);
    expect((await jar.fetch(page.at.replace(/\?.*/, ""))).status, "of no sign-in").toBe(400);
    expect((await say("eve@example.com")).status).toBe(303);
  });

  test("is at one address only", async () => {
    const { port } = new URL(service.url);
    const elsewhere = `http://localhost:${port}`;
    const answer = await fetch(`${elsewhere}/auth/login?return_to=/app/keys`, { redirect: "manual" });
    expect(answer.headers.get("location")).toBe(`${service.url}/auth/login?return_to=%2Fapp%2Fkeys`);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect((await fetch(`${elsewhere}/dev-login`)).status).toBe(421);
  });

  test.each([
    ["x-forwarded-for", "203.0.113.9"],
    ["x-forwarded-host", "victim.example"],
    ["x-forwarded-proto", "https"],
    ["forwarded", "for=203.0.113.9"],
    ["via", "1.1 edge"],
    ["x-real-ip", "203.0.113.9"],
    ["cf-connecting-ip", "203.0.113.9"],
    ["x-envoy-external-address", "203.0.113.9"],
  ])("believes nobody whose request a proxy passed on, with %s", async (name, value) => {
    const jar = createCookieJar();
    const page = await jar.follow(`${service.url}/auth/login`);
    const headers = { origin: service.url, [name]: value };
    const body = new URLSearchParams({ email: "ceo@victim.example" });
    const answer = await jar.fetch(page.at, { method: "POST", headers, body });
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining("OIDC_ISSUER")]);
    expect((await jar.fetch(page.at, { headers })).status).toBe(403);
  });

  test("believes nobody behind a proxy that adds no header", async () => {
    const { host, hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    // Ending our side could close the connection before the answer.
    socket.write(`GET /dev-login?state=${"a".repeat(43)} HTTP/1.0\r\nHost: ${host}\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 403 /);
  });

  test("counts the requests of a network, and says when to come again", async () => {
    // The request that ends a sign-in is not counted, so that signing in takes three.
    const limited = await serviceOfTest({ transcriber: null, signInLimit: 5 });
    const person = await signIn(limited);
    const statuses = [];
    for (let count = 0; count < 3; count += 1)
      statuses.push((await fetch(`${limited.url}/auth/login`, { redirect: "manual" })).status);
    expect(statuses).toEqual([303, 303, 429]);
    const refused = await fetch(`${limited.url}/auth/callback`);
    expect(refused.headers.get("retry-after")).toMatch(/^3[56]\d\d$/);
    expect(refused.headers.get("content-type")).toMatch(/^text\/html/);
    expect((await person.api("getSession")).status).toBe(200);
    const out = await person.jar.fetch(`${limited.url}/auth/logout`, {
      method: "POST",
      headers: { origin: limited.url },
    });
    expect(out.status, "signing out is always possible").toBe(303);
    expect((await person.api("getSession")).status).toBe(401);
    limited.clock.advance(60 * minute);
    expect((await fetch(`${limited.url}/auth/login`, { redirect: "manual" })).status).toBe(303);
  });
});

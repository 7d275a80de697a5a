import { createHash } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { createLog } from "../../src/telemetry/create-log.ts";
import { createMetrics } from "../../src/telemetry/metrics.ts";
import { createCookieJar, type CookieJar } from "../harness/cookie-jar.ts";
import { createApi } from "../harness/sign-in.ts";
import { identityProviderOfTests, type TestIdentityProvider } from "../harness/start-identity-provider.ts";
import { serviceOfTest, serviceOfTests, type TestService } from "../harness/start-test-service.ts";

describe("an identity provider of the operator's", () => {
  const provider = identityProviderOfTests(() => service.url);
  const lines: { readonly level: number; readonly error?: string; readonly cause?: object }[] = [];
  const log = createLog("info", { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) });
  const metrics = createMetrics({}, { version: "1.0.0", role: "api" });
  const telemetry = { log, metrics, traces: undefined, decodings: new Map<string, never>() };
  const service: TestService = serviceOfTests(() => ({ transcriber: null, signIn: provider.signIn, telemetry }));
  beforeEach(() => {
    provider.person = { sub: "ada", email: "ada@example.com", email_verified: true, name: "Ada Lovelace" };
    provider.changeIdToken = undefined;
  });

  const isPage = (url: string): boolean => new URL(url).pathname.startsWith("/app");
  /** Signs in, and returns the path and query of the page at which that ends. */
  async function round(jar: CookieJar, returnTo = "/app/library?q=1"): Promise<string> {
    const start = `${service.url}/auth/login?${new URLSearchParams({ return_to: returnTo })}`;
    const answer = await jar.follow(start, {}, isPage);
    const location = answer.headers.get("location") ?? expect.fail(`${answer.status} at ${answer.at}`);
    expect(location.startsWith(`${service.url}/`)).toBe(true);
    return location.slice(service.url.length);
  }
  const accountOf = async (jar: CookieJar) => (await createApi(service.url, jar)("getSession")).body.account;
  const refused = "/app/sign-in?error=refused&return_to=%2Fapp";
  const statusOf = async (jar: CookieJar): Promise<number> => (await createApi(service.url, jar)("getSession")).status;

  test("signs in, updates the person's data, and identifies them by subject alone", async () => {
    const jar = createCookieJar();
    expect(await round(jar)).toBe("/app/library?q=1");
    const ada = await accountOf(jar);
    expect(ada).toMatchObject({ email: "ada@example.com", name: "Ada Lovelace", plan: "free" });

    provider.person = { sub: "ada", email: "countess@example.com", email_verified: false, name: "Ada King" };
    const again = createCookieJar();
    await round(again);
    expect(await accountOf(again)).toEqual({ ...ada, email: "countess@example.com", name: "Ada King" });

    provider.person = { sub: "ada" };
    const silent = createCookieJar();
    await round(silent);
    expect(await accountOf(silent), "what it tells no longer stays").toEqual(await accountOf(again));

    provider.person = { sub: "mallory", email: "countess@example.com", email_verified: true, name: "Ada King" };
    const impostor = createCookieJar();
    await round(impostor);
    expect((await accountOf(impostor)).id).not.toBe(ada.id);

    provider.person = { sub: "nameless" };
    const nameless = createCookieJar();
    expect(await round(nameless)).toBe("/app/library?q=1");
    expect(await accountOf(nameless)).toMatchObject({ email: "", name: null });
  });

  test("only a verified address claims an operator's account, once", async () => {
    const otherAccount = await service.store.accounts.create({
      email: "Grace@example.com",
      plan: "creator",
      now: service.clock.now(),
    });
    const signInAs = async (person: TestIdentityProvider["person"]) => {
      provider.person = person;
      const jar = createCookieJar();
      await round(jar);
      return accountOf(jar);
    };
    const grace = { sub: "grace", email: "grace@example.com", name: "Grace" };
    const stranger = await signInAs({ ...grace, sub: "stranger", email_verified: false });
    expect(stranger.id).not.toBe(otherAccount.id);
    const claimed = await signInAs({ ...grace, email_verified: true });
    expect(claimed).toMatchObject({ id: otherAccount.id, plan: "creator", name: "Grace" });
    expect(await signInAs({ ...grace, email_verified: true }), "the same one again").toEqual(claimed);
    const second = await signInAs({ ...grace, sub: "other", email_verified: true });
    expect(second.id, "it is somebody's now").not.toBe(otherAccount.id);
    await service.store.accounts.create({ email: "", plan: "creator", now: service.clock.now() });
    expect(await signInAs({ sub: "no address" }), "without an address nothing is claimed").toMatchObject({
      plan: "free",
    });
  });

  test("may say no", async () => {
    provider.person = null;
    const jar = createCookieJar();
    expect(await round(jar, "/app/keys")).toBe("/app/sign-in?error=refused&return_to=%2Fapp%2Fkeys");
    expect(await statusOf(jar)).toBe(401);
  });

  test("is not taken for another one", async () => {
    const jar = createCookieJar();
    const start = `${service.url}/auth/login`;
    const answer = await jar.follow(start, {}, (url) => new URL(url).pathname === "/auth/callback");
    const fromElsewhere = new URL(answer.headers.get("location")!);
    fromElsewhere.searchParams.set("iss", "https://evil.example");
    const back = await jar.fetch(fromElsewhere.href);
    expect(back.headers.get("location")).toBe(`${service.url}${refused}`);
  });

  test("is signed out of too", async () => {
    const jar = createCookieJar();
    await round(jar);
    const post = (headers: Record<string, string>) =>
      jar.fetch(`${service.url}/auth/logout`, { method: "POST", headers: { origin: service.url, ...headers } });
    const { location } = (await (await post({ accept: "application/json" })).json()) as { location: string };
    const url = new URL(location);
    expect(url.origin).toBe(provider.issuer);
    expect(url.searchParams.get("post_logout_redirect_uri")).toBe(`${service.url}/app/sign-in`);
    const page = await jar.fetch(location);
    expect(page.status, "the provider knows the address and takes the hint").toBe(200);
    expect(await statusOf(jar)).toBe(401);
    const form = await post({});
    expect([form.status, form.headers.get("location")], "nothing is left to sign out of").toEqual([
      303,
      `${service.url}/app/sign-in`,
    ]);
  });

  test("may be down at both steps, and works once it is up", async () => {
    const signedIn = createCookieJar();
    await round(signedIn);
    const late = createCookieJar();
    const answer = await late.follow(
      `${service.url}/auth/login`,
      {},
      (url) => new URL(url).pathname === "/auth/callback",
    );
    const callback = answer.headers.get("location")!;
    const before = lines.length;
    await provider.stop();
    const back = await late.fetch(callback);
    expect(back.headers.get("location")).toBe(`${service.url}/app/sign-in?error=provider&return_to=%2Fapp`);
    expect((await accountOf(signedIn)).email, "who is in stays in").toBe("ada@example.com");
    const warnings = () => lines.slice(before).filter(({ level }) => level >= 40);
    await expect.poll(warnings).toMatchObject([{ level: 40, error: "providerAway", cause: { type: "TypeError" } }]);
    const figures = await metrics.text();
    expect(figures).toMatch(/^reelscript_sign_ins_total\{outcome="providerAway"\} 1$/m);
    for (const outcome of ["begun", "signedIn"])
      expect(figures).toMatch(new RegExp(`^reelscript_sign_ins_total\\{outcome="${outcome}"\\} [1-9]`, "m"));

    const fresh = await serviceOfTest({ transcriber: null, signIn: { ...provider.signIn, clientSecret: "x" } });
    const beginSignIn = () => fetch(`${fresh.url}/auth/login?return_to=/app/keys`, { redirect: "manual" });
    expect((await beginSignIn()).headers.get("location")).toBe(
      `${fresh.url}/app/sign-in?error=provider&return_to=%2Fapp%2Fkeys`,
    );
    await provider.start();
    fresh.clock.advance(3_000);
    expect((await beginSignIn()).headers.get("location")).toMatch(new RegExp(`^${provider.issuer}/auth\\?`));
    expect(await round(createCookieJar())).toBe("/app/library?q=1");
  });

  const changed = (token: string, claims: Record<string, unknown>): string => {
    const [head = "", body = "", signature = ""] = token.split(".");
    const tokenClaims = JSON.parse(Buffer.from(body, "base64url").toString()) as Record<string, unknown>;
    return [head, Buffer.from(JSON.stringify({ ...tokenClaims, ...claims })).toString("base64url"), signature].join(
      ".",
    );
  };

  test("is believed only with its signature", async () => {
    provider.changeIdToken = (token) => changed(token, { sub: "victim" });
    const forged = createCookieJar();
    expect(await round(forged, "/app")).toBe(refused);
    expect(await statusOf(forged)).toBe(401);
    provider.changeIdToken = (token) => changed(token, {});
    expect(await round(createCookieJar(), "/app"), "the same claims, signed as they came").toBe("/app");
    provider.changeIdToken = (token) => `${token.slice(0, token.lastIndexOf("."))}.${"A".repeat(86)}`;
    expect(await round(createCookieJar(), "/app")).toBe(refused);
  });

  test.each([
    ["empty", ""],
    ["longer than the standard allows", "x".repeat(256)],
    ["with a zero character", "a\0b"],
  ])("names nobody by a subject that is %s", async (_name, sub) => {
    provider.changeIdToken = (token) => provider.signAgain(token, { sub });
    const jar = createCookieJar();
    expect(await round(jar, "/app")).toBe(refused);
    expect(await statusOf(jar)).toBe(401);
    provider.changeIdToken = (token) => provider.signAgain(token, {});
    expect(await round(jar, "/app")).toBe("/app");
  });

  test("signs a token that is not kept as it came", async () => {
    let token = "";
    provider.changeIdToken = (one) => (token = one);
    const jar = createCookieJar();
    expect(await round(jar, "/app")).toBe("/app");
    expect(token).toMatch(/^eyJ/);
    const value = jar.get(`reelscript_session_${new URL(service.url).port}`)!;
    const storedSession = await service.store.sessions.end(createHash("sha256").update(value).digest());
    expect(storedSession?.idToken).toMatch(/^v1\./);
    for (const part of token.split(".")) expect(storedSession?.idToken).not.toContain(part.slice(0, 20));
  });
});

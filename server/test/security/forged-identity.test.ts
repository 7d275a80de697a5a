import { createHash } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { createCookieJar, type CookieJar } from "../harness/cookie-jar.ts";
import { createApi } from "../harness/sign-in.ts";
import { identityProviderOfTests } from "../harness/start-identity-provider.ts";
import { serviceOfTests, type TestService } from "../harness/start-test-service.ts";

describe("an identity", () => {
  const provider = identityProviderOfTests(() => service.url);
  const service: TestService = serviceOfTests(() => ({ transcriber: null, signIn: provider.signIn }));
  beforeEach(() => {
    provider.person = { sub: "ada", email: "ada@example.com", email_verified: true, name: "Ada Lovelace" };
    provider.changeIdToken = undefined;
  });

  async function round(jar: CookieJar): Promise<string> {
    const answer = await jar.follow(`${service.url}/auth/login`, {}, (url) => new URL(url).pathname.startsWith("/app"));
    return (answer.headers.get("location") ?? "").slice(service.url.length);
  }
  const refused = "/app/sign-in?error=refused&return_to=%2Fapp";
  const statusOf = async (jar: CookieJar): Promise<number> => (await createApi(service.url, jar)("getSession")).status;
  const changed = (token: string, claims: Record<string, unknown>): string => {
    const [head = "", body = "", signature = ""] = token.split(".");
    const told = JSON.parse(Buffer.from(body, "base64url").toString()) as Record<string, unknown>;
    return [head, Buffer.from(JSON.stringify({ ...told, ...claims })).toString("base64url"), signature].join(".");
  };

  test("is believed only with the provider's signature", async () => {
    provider.changeIdToken = (token) => changed(token, { sub: "victim" });
    const forged = createCookieJar();
    expect(await round(forged)).toBe(refused);
    expect(await statusOf(forged)).toBe(401);
    provider.changeIdToken = (token) => changed(token, {});
    expect(await round(createCookieJar()), "the same claims, signed as they came").toBe("/app");
    provider.changeIdToken = (token) => `${token.slice(0, token.lastIndexOf("."))}.${"A".repeat(86)}`;
    expect(await round(createCookieJar())).toBe(refused);
  });

  test.each([
    ["empty", ""],
    ["longer than the standard allows", "x".repeat(256)],
    ["with a zero character", "a\0b"],
  ])("has a subject that is not %s", async (_name, sub) => {
    provider.changeIdToken = (token) => provider.signAgain(token, { sub });
    const jar = createCookieJar();
    expect(await round(jar)).toBe(refused);
    expect(await statusOf(jar)).toBe(401);
    provider.changeIdToken = (token) => provider.signAgain(token, {});
    expect(await round(jar)).toBe("/app");
  });

  test("is not kept as the provider signed it", async () => {
    let token = "";
    provider.changeIdToken = (one) => (token = one);
    const jar = createCookieJar();
    expect(await round(jar)).toBe("/app");
    expect(token).toMatch(/^eyJ/);
    const value = jar.get(`reelscript_session_${new URL(service.url).port}`)!;
    const kept = await service.store.sessions.end(createHash("sha256").update(value).digest());
    expect(kept?.idToken).toMatch(/^v1\./);
    for (const part of token.split(".")) expect(kept?.idToken).not.toContain(part.slice(0, 20));
  });

  test("breaks nothing by all that", () => {
    expect(service.faults).toEqual([]);
  });
});

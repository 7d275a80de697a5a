import { allOperations, peopleBasePath, type AnyOperationName, type RequestShape } from "@reelscript/contract";
import { expect } from "vitest";
import { createNewId } from "../../src/rules/new-id.ts";
import { developmentIssuer } from "../../src/sign-in/development-provider.ts";
import { createSecret, hashOf, sessionValue } from "../../src/sign-in/secret.ts";
import { createCookieJar, type CookieJar } from "./cookie-jar.ts";
import type { Answer } from "./rest.ts";
import type { TestService } from "./start-test-service.ts";
import { hour } from "./test-clock.ts";

export interface SignedIn {
  /** The value of the header `Cookie`. */
  readonly cookie: string;
  readonly jar: CookieJar;
  readonly accountId: string;
  readonly email: string;
  /** Calls an operation as the dashboard does. */
  api(name: AnyOperationName, input?: Readonly<Record<string, unknown>>): Promise<Answer>;
}

/** Signs a person in over HTTP through the development sign-in page; another address is another person with another account. */
export async function signIn(
  { url }: { readonly url: string },
  { email = "developer@example.com", userAgent }: { readonly email?: string; readonly userAgent?: string } = {},
): Promise<SignedIn> {
  const jar = createCookieJar();
  const headers: Record<string, string> = userAgent === undefined ? {} : { "user-agent": userAgent };
  const page = await jar.follow(`${url}/auth/login`, { headers });
  expect(page.status, await page.text()).toBe(200);
  const answered = await jar.follow(
    page.at,
    {
      method: "POST",
      headers: { ...headers, origin: url, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ email }),
    },
    (next) => new URL(next).pathname === "/auth/callback",
  );
  const callback = answered.headers.get("location") ?? expect.fail(`no way back: ${answered.status}`);
  const back = await jar.fetch(callback, { headers });
  expect([back.status, back.headers.get("location")]).toEqual([303, `${url}/app`]);
  const api = createApi(url, jar);
  const { body } = await api("getSession");
  return { cookie: jar.header("/"), jar, accountId: body.account.id, email, api };
}

/** Creates the session that signing in at the development provider would create, which takes ten requests. */
type SignInService = Pick<TestService, "url" | "store" | "clock">;

export async function giveSession(
  { url, store, clock }: SignInService,
  { email, userAgent }: { readonly email: string; readonly userAgent?: string },
): Promise<SignedIn> {
  const now = clock.now();
  const identity = { issuer: developmentIssuer, subject: email, email, isEmailVerified: true, name: null, now };
  const { id: accountId } = await store.identities.signIn(identity);
  const id = newId("ses");
  const value = sessionValue(id, createSecret());
  const expiresAt = new Date(now.getTime() + 30 * 24 * hour);
  const browser = userAgent ?? null;
  await store.sessions.create({ id, accountId, hash: hashOf(value), browser, idToken: null, expiresAt, now });
  const jar = createCookieJar();
  jar.set(`reelscript_session_${new URL(url).port}`, value);
  return { cookie: jar.header("/"), jar, accountId, email, api: createApi(url, jar) };
}
const newId = createNewId();

let people = 0;
/** Creates a session for a new person. */
export const signInNew = (service: SignInService): Promise<SignedIn> =>
  giveSession(service, { email: `person${(people += 1)}@example.com` });

/** Calls operations at the people's door with the cookies in a jar. */
export const createApi =
  (url: string, jar: CookieJar): SignedIn["api"] =>
  async (name, input = {}) => {
    const { method, path, query = [], entityTag }: RequestShape = allOperations[name].http;
    const rest = new Map(Object.entries(input));
    const filled = path.replace(/\{(\w+)\}/g, (_whole, field: string) => {
      const value = String(rest.get(field));
      rest.delete(field);
      return encodeURIComponent(value);
    });
    const { [entityTag?.ifMatch ?? ""]: version } = input;
    rest.delete(entityTag?.ifMatch ?? "");
    const inQuery = [...rest].filter(([field]) => method === "GET" || method === "DELETE" || query.includes(field));
    for (const [field] of inQuery) rest.delete(field);
    const address = new URL(`${url}${peopleBasePath}${filled}`);
    for (const [field, value] of inQuery) address.searchParams.set(field, String(value));
    const hasBody = method === "POST" || method === "PATCH";
    const response = await jar.fetch(address.href, {
      method,
      headers: {
        origin: url,
        ...(version !== undefined && { "if-match": JSON.stringify(String(version as number)) }),
        ...(hasBody && { "content-type": "application/json" }),
      },
      ...(hasBody && { body: JSON.stringify(Object.fromEntries(rest)) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
  };

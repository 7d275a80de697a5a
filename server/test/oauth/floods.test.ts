import { beforeAll, describe, expect, test } from "vitest";
import type { FetchDocument } from "../../src/ports.ts";
import { answerConsent, proofIn, redirectUri } from "../harness/connect-program.ts";
import { createRawProgram, register, statusWith } from "../harness/raw-program.ts";
import { giveSession, signIn, type SignedIn } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

/** Everybody here shares an address. */
const limit = 30;
const documentUrl = "https://host.example/client.json";
const fetchDocument: FetchDocument = async (url) => {
  if (url.href !== documentUrl) throw new Error("there is nothing");
  const document = { client_id: documentUrl, client_name: "Hosted", redirect_uris: [redirectUri] };
  return { status: 200, cacheControl: undefined, bytes: Buffer.from(JSON.stringify(document)) };
};
const service = serviceOfTests({ transcriber: null, programLimit: limit, signInLimit: limit, fetchDocument });
let person: SignedIn;
beforeAll(async () => void (person = await signIn(service)));

/** Repeats a failing request until it is answered with 429, and returns how many came before. */
async function flood(fail: () => Promise<Response>): Promise<number> {
  for (let count = 0; count < limit * 2; count += 1) {
    const answer = await fail();
    await answer.body?.cancel();
    if (answer.status !== 429) continue;
    expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
    return count;
  }
  return expect.fail("nobody was told to wait");
}

const send = (path: string, body: Record<string, string>) => () =>
  fetch(`${service.url}${path}`, { method: "POST", body: new URLSearchParams(body) });

describe("strangers on the same address who fail without end keep nobody", () => {
  test("from fetching and renewing tokens", async () => {
    const program = await createRawProgram(service.url, undefined, "Tokens");
    const code = await program.codeFrom(person);
    const failures = [
      send("/oauth/token", { client_id: program.clientId, grant_type: "refresh_token", refresh_token: "nobody's" }),
      send("/oauth/token", { client_id: "nobody" }),
      send("/oauth/token", {}),
    ];
    let next = 0;
    expect(await flood(() => failures[(next += 1) % failures.length]!())).toBe(limit);
    const first = await program.redeem(code);
    expect(first.status).toBe(200);
    expect((await program.refresh(first.body.refresh_token)).status).toBe(200);
    expect((await program.refresh("nobody's")).status).toBe(429);
  });

  test("from ending what a program holds", async () => {
    const program = await createRawProgram(service.url, undefined, "Revokes");
    const { body } = await program.redeem(await program.codeFrom(person));
    const other = await createRawProgram(service.url, undefined, "Other");
    const failures = [
      send("/oauth/revoke", { client_id: program.clientId, token: "nobody's" }),
      send("/oauth/revoke", { client_id: other.clientId, token: body.access_token }),
    ];
    let next = 0;
    expect(await flood(() => failures[(next += 1) % failures.length]!())).toBe(limit);
    expect(await statusWith(service.url, body.access_token), "not by another program").toBe(200);
    const revoked = await send("/oauth/revoke", { client_id: program.clientId, token: body.refresh_token })();
    expect(revoked.status).toBe(200);
    expect(await statusWith(service.url, body.access_token)).toBe(401);
  });

  test("from registering, and neither do those who register without end", async () => {
    expect(await flood(() => register(service.url, { redirect_uris: ["javascript:alert(1)"] }))).toBe(limit);
    const rightly = Array.from({ length: limit * 2 }, (_, index) =>
      register(service.url, { client_name: `N${index}` }),
    );
    for (const { status } of await Promise.all(rightly)) expect(status).toBe(201);
    const program = await createRawProgram(service.url, undefined, "Late");
    expect((await program.redeem(await program.codeFrom(person))).status).toBe(200);
  });

  test("from a program with a document, whose tokens are good", async () => {
    const program = await createRawProgram(service.url, documentUrl);
    const { body } = await program.redeem(await program.codeFrom(person));
    // They fill the library's memory of documents, and use up what may be fetched.
    for (let count = 0; count < 110; count += 1)
      await send("/oauth/token", { client_id: `https://nobody.example/${count}`, grant_type: "refresh_token" })();
    expect((await program.refresh(body.refresh_token)).status).toBe(200);
  });
});

describe("strangers on the same address who use up its sign-ins keep nobody", () => {
  test("with a session from starting or finishing a program's connection", async () => {
    const program = await createRawProgram(service.url, undefined, "Begun");
    const begun = await person.jar.follow(program.authorizeUrl());
    const stranger = await signIn(service, { email: "begins@example.com" });
    const out = { origin: service.url, accept: "application/json" };
    await stranger.jar.fetch(`${service.url}/auth/logout`, { method: "POST", headers: out });
    const waiting = await stranger.jar.fetch(program.authorizeUrl());
    await flood(() => fetch(program.authorizeUrl(), { redirect: "manual" }));
    expect((await fetch(`${service.url}/auth/login`)).status).toBe(429);

    const proof = proofIn(await begun.text());
    const answered = await person.jar.fetch(begun.at, {
      method: "POST",
      headers: { origin: service.url },
      body: new URLSearchParams({ answer: "allow", access: "full", proof }),
    });
    expect(answered.status).toBe(303);
    const page = await stranger.jar.fetch(`${service.url}${waiting.headers.get("location")}`);
    expect([page.status, page.headers.get("location")]).toEqual([303, expect.stringContaining("/dev-login?state=")]);
    const back = await answerConsent(person, (await createRawProgram(service.url, undefined, "New")).authorizeUrl());
    expect(back.searchParams.get("code")).toMatch(/./);
  });

  test("and each of them is counted by itself", async () => {
    const program = await createRawProgram(service.url, undefined, "Counted");
    expect(await flood(() => person.jar.fetch(program.authorizeUrl()))).toBeLessThan(limit);
    const other = await giveSession(service, { email: "other@example.com" });
    const { at } = await other.jar.follow(program.authorizeUrl());
    expect(await flood(() => other.jar.fetch(at))).toBe(limit - 1);
  });
});

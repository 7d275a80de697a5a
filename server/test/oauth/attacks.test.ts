import { beforeAll, describe, expect, test } from "vitest";
import { answerConsent, connectProgram, createHost, proofIn, redirectUri } from "../harness/connect-program.ts";
import { createRawProgram, register, statusWith } from "../harness/raw-program.ts";
import { signIn, type SignedIn } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const service = serviceOfTests({ transcriber: null });
let person: SignedIn;
beforeAll(async () => void (person = await signIn(service)));

describe("a code", () => {
  test("that is used twice ends everything that came of it", async () => {
    const program = await createRawProgram(service.url);
    const code = await program.codeFrom(person);
    const first = await program.redeem(code);
    expect(first.status).toBe(200);
    expect(await statusWith(service.url, first.body.access_token)).toBe(200);
    expect(await program.redeem(code)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect(await statusWith(service.url, first.body.access_token)).toBe(401);
    expect(await program.refresh(first.body.refresh_token)).toMatchObject({ body: { error: "invalid_grant" } });
  });

  test("is useless without its verifier, for another program, or address", async () => {
    const program = await createRawProgram(service.url);
    const other = await createRawProgram(service.url, undefined, "Other");
    const refused = { status: 400, body: { error: "invalid_grant" } };
    const wrong = { code_verifier: "a".repeat(43) };
    expect(await program.redeem(await program.codeFrom(person), wrong)).toMatchObject(refused);
    expect(await other.redeem(await program.codeFrom(person))).toMatchObject(refused);
    const elsewhere = { redirect_uri: "http://127.0.0.1:1/callback" };
    expect(await program.redeem(await program.codeFrom(person), elsewhere)).toMatchObject(refused);
  });

  test("is given to nobody without PKCE, or with its weak form", async () => {
    const program = await createRawProgram(service.url, undefined, "Weak");
    const weak: Record<string, string | null>[] = [
      { code_challenge: null, code_challenge_method: null },
      { code_challenge_method: "plain" },
      { code_challenge_method: null },
    ];
    for (const changed of weak) {
      const answer = await person.jar.fetch(program.authorizeUrl(changed));
      expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
      expect(await answer.text()).toMatch(/PKCE|code_challenge/);
    }
  });
});

describe("a token", () => {
  test("is for the MCP address alone", async () => {
    const program = await createRawProgram(service.url);
    const foreign = await person.jar.fetch(program.authorizeUrl({ resource: "https://other.example/mcp" }));
    expect(foreign.headers.get("location") ?? "").not.toContain("code=");
    const code = await program.codeFrom(person);
    expect(await program.redeem(code, { resource: "https://other.example/mcp" })).toMatchObject({
      body: { error: "invalid_target" },
    });
    const { body } = await program.redeem(await program.codeFrom(person));
    expect(await statusWith(service.url, body.access_token)).toBe(200);
    expect(await statusWith(service.url, body.access_token, "/api/v1/usage"), "REST takes keys only").toBe(401);
    expect(await statusWith(service.url, body.refresh_token), "another kind of token").toBe(401);
  });

  test("is for that address with a query of any kind", async () => {
    const program = await createRawProgram(service.url);
    const resource = `${service.url}/mcp?tools=get_my_usage`;
    const authorizeUrl = new URL(program.authorizeUrl({ resource }));
    const read = { answer: "allow", access: "read" };
    const back = await answerConsent(person, authorizeUrl, read);
    const { body } = await program.redeem(back.searchParams.get("code") ?? "", { resource });
    expect(body.scope).toBe("read");
    expect(await statusWith(service.url, body.access_token)).toBe(200);
    expect((await program.refresh(body.refresh_token, { resource })).body.scope).toBe("read");
    authorizeUrl.searchParams.append("resource", `${service.url}/mcp`);
    const both = await answerConsent(person, authorizeUrl, read);
    expect((await program.redeem(both.searchParams.get("code") ?? "")).body.scope).toBe("read");
  });

  test("to refresh works for concurrent calls, and a later reuse ends everything", async () => {
    const program = await createRawProgram(service.url);
    const { body: first } = await program.redeem(await program.codeFrom(person));
    const atOnce = await Promise.all([program.refresh(first.refresh_token), program.refresh(first.refresh_token)]);
    expect(atOnce.map(({ status }) => status)).toEqual([200, 200]);
    service.clock.advance(31_000);
    expect(await program.refresh(first.refresh_token)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    for (const { body } of atOnce) {
      expect(await statusWith(service.url, body.access_token)).toBe(401);
      expect(await program.refresh(body.refresh_token)).toMatchObject({ body: { error: "invalid_grant" } });
    }
  });

  test("to refresh, stolen within the grace, ends once both were used", async () => {
    const program = await createRawProgram(service.url, undefined, "Robbed");
    const robbed = await signIn(service, { email: "robbed@example.com" });
    for (const thiefIsFirst of [true, false]) {
      const { body: stolen } = await program.redeem(await program.codeFrom(robbed));
      const { body: owners } = await program.refresh(stolen.refresh_token);
      service.clock.advance(29_000);
      const { body: thiefs } = await program.refresh(stolen.refresh_token);
      expect(await statusWith(service.url, thiefs.access_token)).toBe(200);
      service.clock.advance(3_000_000);
      const [first, second] = thiefIsFirst ? [thiefs, owners] : [owners, thiefs];
      const { status, body: last } = await program.refresh(first.refresh_token);
      expect(status).toBe(200);
      service.clock.advance(31_000);
      expect(await program.refresh(second.refresh_token)).toMatchObject({ body: { error: "invalid_grant" } });
      for (const { access_token: token } of [owners, thiefs, last])
        expect(await statusWith(service.url, token)).toBe(401);
      expect((await program.refresh(last.refresh_token)).status).toBe(400);
      expect((await robbed.api("listPrograms")).body.programs).toEqual([]);
    }
  });

  test("is renewed 60 times an hour; refused requests cost the program nothing", async () => {
    const program = await createRawProgram(service.url);
    const busy = await signIn(service, { email: "busy@example.com" });
    let { body: last } = await program.redeem(await program.codeFrom(busy));
    const statuses: number[] = [];
    for (let count = 0; count < 70; count += 1) {
      const { status, body } = await program.refresh(last.refresh_token);
      statuses.push(status);
      if (status === 200) last = body;
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(statuses.slice(60)).toEqual(Array.from({ length: 10 }, () => 429));
    expect(await statusWith(service.url, last.access_token)).toBe(200);
    service.clock.advance(3_600_000);
    expect((await program.refresh(last.refresh_token)).status).toBe(200);
  });

  test("that may read is never renewed to one that may do more", async () => {
    const program = await createRawProgram(service.url);
    const back = await answerConsent(person, program.authorizeUrl(), { answer: "allow", access: "read" });
    const { body } = await program.redeem(back.searchParams.get("code") ?? "");
    expect(body.scope).toBe("read");
    const renewed = await program.refresh(body.refresh_token, { scope: "read full" });
    expect(renewed).toMatchObject({ status: 400, body: { error: "invalid_scope" } });
  });

  test("that was refused tells where people connect a program", async () => {
    const both: Record<string, string>[] = [{}, { authorization: `Bearer ${"x".repeat(43)}` }];
    for (const headers of both) {
      const answer = await fetch(`${service.url}/mcp?auth=required`, { method: "POST", headers });
      expect(answer.status).toBe(401);
      const challenge = answer.headers.get("www-authenticate") ?? "";
      expect(challenge).toContain(`resource_metadata="${service.url}/.well-known/oauth-protected-resource/mcp"`);
      expect(challenge.includes('error="invalid_token"')).toBe("authorization" in headers);
    }
  });
});

describe("addresses that a program is answered at", () => {
  test("are its own, or nothing is sent there", async () => {
    const program = await createRawProgram(service.url);
    for (const address of [
      "https://evil.example/callback",
      "http://127.0.0.1:33418/callback/../other",
      "http://127.0.0.1:33418@evil.example/callback",
      "http://localhost:33418/callback",
    ]) {
      const answer = await person.jar.fetch(program.authorizeUrl({ redirect_uri: address }));
      expect([answer.status, answer.headers.get("location")]).toEqual([400, null]);
      expect(await answer.text()).toContain("could not be connected");
    }
    const port = await person.jar.fetch(program.authorizeUrl({ redirect_uri: "http://127.0.0.1:5/callback" }));
    expect(port.headers.get("location"), "this computer's ports change").toMatch(/^\/oauth\/consent\//);
  });

  test("are safe ones", async () => {
    for (const address of ["javascript:alert(1)", "data:text/html,x", "http://evil.example/x", "https://a.example/#x"])
      expect((await register(service.url, { redirect_uris: [address] })).status, address).toBe(400);
    const tooMany = Array.from({ length: 11 }, (_, index) => `https://a.example/${index}`);
    expect((await register(service.url, { redirect_uris: tooMany })).status).toBe(400);
    expect((await register(service.url, { redirect_uris: ["cursor://callback"] })).status).toBe(201);
  });
});

describe("the page that asks", () => {
  test("names the program and its host, unframed, and posts nowhere else", async () => {
    const program = await createRawProgram(service.url);
    const page = await person.jar.follow(program.authorizeUrl());
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' http://127.0.0.1:33418;");
    const text = await page.text();
    for (const words of ["Connect Raw?", "this computer", "developer@example.com"]) expect(text).toContain(words);
  });

  test("accepts only its own response, in the same browser, once", async () => {
    const program = await createRawProgram(service.url);
    const page = await person.jar.follow(program.authorizeUrl());
    const proof = proofIn(await page.text());
    const send = (jar: SignedIn["jar"], headers: Record<string, string>, sentProof = proof) =>
      jar.fetch(page.at, { method: "POST", headers, body: new URLSearchParams({ answer: "allow", proof: sentProof }) });
    const foreign: Record<string, string>[] = [
      { origin: "https://evil.example" },
      {},
      { "sec-fetch-site": "cross-site" },
    ];
    for (const headers of foreign) expect((await send(person.jar, headers)).status).toBe(403);
    for (const unseen of ["", "a".repeat(43)])
      expect((await send(person.jar, { origin: service.url, "sec-fetch-site": "same-origin" }, unseen)).status).toBe(
        403,
      );
    const victim = await signIn(service, { email: "victim@example.com" });
    expect((await send(victim.jar, { origin: service.url })).status, "of another browser").toBe(400);
    expect((await send(person.jar, { origin: service.url })).status).toBe(303);
    expect((await send(person.jar, { origin: service.url })).status, "answered before").toBe(400);
  });

  test("waits during sign-in, and tells the program about a refusal", async () => {
    const stranger = await signIn(service, { email: "no@example.com" });
    await stranger.jar.fetch(`${service.url}/auth/logout`, { method: "POST", headers: { origin: service.url } });
    const program = await createRawProgram(service.url);
    const signInPage = await stranger.jar.follow(program.authorizeUrl());
    expect(await signInPage.text()).toContain("Development sign-in");
    const headers = { origin: service.url, "content-type": "application/x-www-form-urlencoded" };
    const body = new URLSearchParams({ email: "no@example.com" });
    const page = await stranger.jar.follow(signInPage.at, { method: "POST", headers, body });
    expect(new URL(page.at).pathname).toMatch(/^\/oauth\/consent\//);
    const back = await answerConsent(stranger, page.at, { answer: "deny" });
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: "access_denied",
      state: "its state",
      iss: service.url,
    });
  });

  test("answers in a way that no other server's answer is taken for", async () => {
    const host = createHost();
    const ofAnother = (back: URLSearchParams): void => back.set("iss", "https://evil.example");
    await expect(connectProgram(service.url, person, host, undefined, ofAnother)).rejects.toThrow(/issuer/i);
    expect(host.tokens()).toBeUndefined();
  });
});

test("registrations are small, without secrets, and the same for the same program", async () => {
  const body = { client_name: "x".repeat(9_000) };
  expect((await register(service.url, body)).status).toBe(413);
  const metadata = { client_name: "Asks", token_endpoint_auth_method: "client_secret_post", scope: "admin" };
  const registration = (await (await register(service.url, metadata)).json()) as Record<string, unknown>;
  expect(registration).toMatchObject({
    client_name: "Asks",
    token_endpoint_auth_method: "none",
    redirect_uris: [redirectUri],
  });
  expect(registration).not.toHaveProperty("client_secret");
  const again = (await (await register(service.url, metadata)).json()) as Record<string, unknown>;
  expect(again.client_id).toBe(registration.client_id);
  const long = {
    redirect_uris: Array.from({ length: 3 }, (_, index) => `https://a.example/${index}${"x".repeat(900)}`),
  };
  expect((await register(service.url, long)).status).toBe(400);
});

test("an id that no registration gives is no program's", async () => {
  const idOf = (value: unknown): string => `program_${Buffer.from(JSON.stringify(value)).toString("base64url")}`;
  for (const id of [
    "program_",
    idOf({}),
    idOf(["Name"]),
    idOf(["Name", 1]),
    idOf(["Name", "javascript:alert(1)"]),
    idOf(["Name", "http://evil.example/callback"]),
    idOf(["Name", `${service.url}/callback`]),
    `${idOf(["Name", redirectUri])}=`,
    idOf(["Name", `https://a.example/${"x".repeat(2_000)}`]),
  ]) {
    const program = await createRawProgram(service.url, id);
    const answer = await person.jar.fetch(program.authorizeUrl());
    expect([answer.status, answer.headers.get("location")], id).toEqual([400, null]);
    expect((await program.redeem("code")).status, id).toBeGreaterThanOrEqual(400);
  }
});

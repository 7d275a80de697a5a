import { beforeAll, describe, expect, test } from "vitest";
import type { FetchDocument } from "../../src/ports.ts";
import { ask } from "../harness/ask.ts";
import { answerConsent, proofIn, redirectUri } from "../harness/connect-program.ts";
import { createRawProgram, register } from "../harness/raw-program.ts";
import { signIn, type SignedIn } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const documents = new Map<string, object>();
const fetchDocument: FetchDocument = async (url) => ({
  status: 200,
  cacheControl: undefined,
  bytes: Buffer.from(JSON.stringify(documents.get(url.href) ?? expect.fail(`${url.href} was asked for`))),
});

const service = serviceOfTests({ transcriber: null, fetchDocument });
let person: SignedIn;
beforeAll(async () => void (person = await signIn(service)));

/** Opens the address that a program sends a browser to, and returns the answer without following its redirect. */
async function askedBy(url: string, jar: Pick<SignedIn["jar"], "fetch"> = person.jar) {
  const answer = await jar.fetch(url, { redirect: "manual" });
  return { status: answer.status, location: answer.headers.get("location"), text: await answer.text() };
}

describe("our own address", () => {
  test("is no program's, however it is written", async () => {
    const { port } = new URL(service.url);
    for (const address of [
      `${service.url}/l/lnk_1`,
      `http://localhost:${port}/l/lnk_1`,
      `HTTP://LocalHost:${port}/callback`,
      `http://[::1]:${port}/callback`,
      `http://127.1:${port}/callback`,
      `http://0x7f000001:${port}/callback`,
      `googlechrome://127.0.0.1:${port}/l/lnk_1`,
    ]) {
      expect((await register(service.url, { redirect_uris: [redirectUri, address] })).status, address).toBe(400);
      const url = `https://host.example/${encodeURIComponent(address)}`;
      documents.set(url, { client_id: url, client_name: "Hosted", redirect_uris: [redirectUri, address] });
      const program = await createRawProgram(service.url, url);
      expect(await askedBy(program.authorizeUrl()), address).toMatchObject({ status: 400, location: null });
    }
  });

  test("is unreachable for local programs that name our port later", async () => {
    const registered = await register(service.url, { redirect_uris: ["http://127.0.0.1:1/l/lnk_1"] });
    const { client_id: id } = (await registered.json()) as { client_id: string };
    const program = await createRawProgram(service.url, id);
    const askWithPort = (port: string) =>
      askedBy(program.authorizeUrl({ redirect_uri: `http://127.0.0.1:${port}/l/lnk_1` }));
    expect((await askWithPort("2")).location).toMatch(/^\/oauth\/consent\//);
    expect(await askWithPort(new URL(service.url).port)).toMatchObject({ status: 400, location: null });
  });

  test("and name are never shown for somebody else's program", async () => {
    for (const name of [
      "Reelscript",
      "reelscript.",
      "R e e l s c r i p t",
      "Rееlѕсriрt Support",
      "ＲＥＥＬＳＣＲＩＰＴ",
    ]) {
      const registration = (await (await register(service.url, { client_name: name })).json()) as Record<
        string,
        string
      >;
      expect(registration.client_name, name).toBe("A program");
      const page = await person.jar.follow(
        (await createRawProgram(service.url, registration.client_id)).authorizeUrl(),
      );
      expect(await page.text(), name).toContain("Connect A program?");
    }
    expect((await register(service.url, { redirect_uris: ["reelscript://callback"] })).status).toBe(400);
  });
});

describe("an answer to a program", () => {
  test("is a redirect with a query, never a form or a fragment", async () => {
    const program = await createRawProgram(service.url, undefined, "Modes");
    const modes = ["form_post", "fragment", "web_message", "jwt", "form_post.jwt", "query.jwt", ""];
    const changes: Record<string, string>[] = [
      ...modes.map((mode) => ({ response_mode: mode })),
      ...modes.map((mode) => ({ response_mode: mode, prompt: "none" })),
      { response_type: "token" },
      { response_type: "code id_token" },
      { request: "x.y.z" },
      { request_uri: "https://evil.example/request" },
    ];
    for (const changed of changes) {
      const answer = await askedBy(program.authorizeUrl(changed));
      expect([answer.status, answer.location], JSON.stringify(changed)).toEqual([400, null]);
      expect(answer.text).not.toMatch(/<form|<script/);
    }
    const twice = `${program.authorizeUrl({ response_mode: "query" })}&response_mode=form_post`;
    expect(await askedBy(twice)).toMatchObject({ status: 400, location: null });
    const silent = await askedBy(program.authorizeUrl({ response_mode: "query", prompt: "none" }));
    expect(silent.location, "a person is asked all the same").toMatch(/^\/oauth\/consent\//);
  });

  test("about an error goes only to one that the person allowed before", async () => {
    const program = await createRawProgram(service.url, undefined, "Wrong");
    const wrong: Record<string, string | null>[] = [
      { code_challenge: null },
      { resource: "https://other.example/mcp" },
    ];
    for (const changed of wrong)
      expect(await askedBy(program.authorizeUrl(changed))).toMatchObject({ status: 400, location: null });
    await answerConsent(person, program.authorizeUrl());
    for (const changed of wrong) {
      const answer = await askedBy(program.authorizeUrl(changed));
      expect(answer.location ?? "").toMatch(/^http:\/\/127\.0\.0\.1:33418\/callback\?error=invalid_/);
    }
    const stranger = await signIn(service, { email: "stranger@example.com" });
    for (const jar of [stranger.jar, { fetch }])
      for (const changed of wrong)
        expect(await askedBy(program.authorizeUrl(changed), jar)).toMatchObject({ status: 400, location: null });
    const { programs } = (await person.api("listPrograms")).body;
    for (const { id } of programs) await person.api("disconnectProgram", { id });
    expect(await askedBy(program.authorizeUrl(wrong[0]))).toMatchObject({ status: 400, location: null });
  });

  test("runs nothing and sends no form, whatever is asked under /oauth/", async () => {
    const program = await createRawProgram(service.url);
    const post = { method: "POST", body: new URLSearchParams({ client_id: program.clientId }) };
    const requests: [string, RequestInit?][] = [
      [program.authorizeUrl()],
      [program.authorizeUrl({ response_mode: "form_post" })],
      [program.authorizeUrl({ code_challenge: null })],
      [program.authorizeUrl({ client_id: "nobody" })],
      [`${service.url}/oauth/authorize/nothing`],
      [`${service.url}/oauth/consent/nothing`],
      [`${service.url}/oauth/token`, post],
      [`${service.url}/oauth/revoke`, post],
      [`${service.url}/oauth/register`, post],
      [`${service.url}/oauth/register`, { method: "POST", body: "x".repeat(9_000) }],
      [`${service.url}/oauth/nothing`],
    ];
    for (const [url, init] of requests) {
      const answer = await person.jar.fetch(url, init);
      const policy = answer.headers.get("content-security-policy") ?? "";
      expect(policy, url).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
      expect(policy, url).not.toContain("script-src");
    }
  });
});

describe("a form that nobody saw", () => {
  const sameOrigin = () => ({ origin: service.url, "sec-fetch-site": "same-origin" });

  test("signs nobody out, though it comes from our own origin", async () => {
    const leaving = await signIn(service, { email: "leaving@example.com" });
    const logout = (headers: Record<string, string>) =>
      ask(service.url, "/auth/logout", { cookie: leaving.cookie, ...sameOrigin(), ...headers }, "POST");
    const ofForms: Record<string, string>[] = [
      { "sec-fetch-mode": "navigate", accept: "*/*" },
      { accept: "text/html,*/*;q=0.8" },
    ];
    for (const headers of ofForms) expect((await logout(headers)).status).toBe(403);
    expect((await leaving.api("getSession")).status).toBe(200);
    expect((await logout({ "sec-fetch-mode": "cors", accept: "application/json" })).status).toBe(200);
    expect((await leaving.api("getSession")).status).toBe(401);
  });

  test("allows no program, without what the page of this very request held", async () => {
    const program = await createRawProgram(service.url, undefined, "Unseen");
    const pages = [await person.jar.follow(program.authorizeUrl()), await person.jar.follow(program.authorizeUrl())];
    const [first = "", second = ""] = await Promise.all(pages.map(async (page) => proofIn(await page.text())));
    expect(first).not.toBe(second);
    const answer = (proof: string) =>
      person.jar.fetch(pages[1]!.at, {
        method: "POST",
        headers: { ...sameOrigin(), "sec-fetch-mode": "navigate" },
        body: new URLSearchParams({ answer: "allow", access: "full", proof }),
      });
    for (const proof of ["", first]) expect((await answer(proof)).status).toBe(403);
    expect((await answer(second)).status).toBe(303);
  });
});

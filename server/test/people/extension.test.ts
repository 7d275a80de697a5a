import { allOperations, extensionOperations, fillPath, type AnyOperationName } from "@reelscript/contract";
import { describe, expect, test } from "vitest";
import { approve, askAsExtension, connectExtension, drawVerifier } from "../harness/connect-extension.ts";
import { connectMcp } from "../harness/connect-mcp.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";
import { rest } from "../harness/rest.ts";
import { sixteenReels } from "../reports/golden.ts";
import { signIn, signInNew } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const day = 86_400_000;

const service = serviceOfTests({
  transcriber: createGatedTranscriber(),
  rateLimits: { transcribe: 3, address: 10_000 },
});

const exchange = (code: string, verifier: string) =>
  askAsExtension(service.url, "/extension/token", { body: { code, verifier } });

describe("connecting an extension", () => {
  test("leads from /connect to the page, with what the extension asks", async () => {
    const led = await fetch(`${service.url}/connect?challenge=abc&state=d%20e`, { redirect: "manual" });
    expect([led.status, led.headers.get("location")]).toEqual([302, "/app/connect?challenge=abc&state=d%20e"]);
    expect((await fetch(`${service.url}/app/connect`)).status).toBe(200);
  });

  test("gives it a token that is listed and ended with the sessions", async () => {
    const person = await signInNew(service);
    const { token, ask } = await connectExtension(service, person);
    expect(token).toMatch(/^svc_ext_[0-9A-Za-z]{49}$/);
    expect((await ask("/usage")).body).toMatchObject({ plan: "free", transcriptions: { used: 0 } });

    const { sessions } = (await person.api("listSessions")).body;
    const connected = sessions.find((session: { kind: string }) => session.kind === "extension");
    expect(sessions.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual(["browser", "extension"]);
    expect(connected.current).toBe(false);
    expect(JSON.stringify(sessions)).not.toContain(token);

    expect((await person.api("revokeSession", { id: connected.id })).status).toBe(200);
    const refused = await ask("/usage");
    expect([refused.status, refused.body.error.code]).toEqual([401, "unauthorized"]);
  });

  test("ends by the extension, ending all others, or deleting the account", async () => {
    const person = await signInNew(service);
    const first = await connectExtension(service, person);
    expect((await first.ask("/extension/token", { method: "DELETE" })).status).toBe(200);
    expect((await first.ask("/usage")).status).toBe(401);
    expect((await person.api("disconnectExtension")).status, "a browser has no such token").toBe(404);

    const second = await connectExtension(service, person);
    expect((await person.api("revokeOtherSessions")).body).toEqual({ revoked: 1 });
    expect((await second.ask("/usage")).status).toBe(401);

    const third = await connectExtension(service, person);
    expect((await person.api("deleteAccount", { confirm: person.email })).status).toBe(200);
    expect((await third.ask("/usage")).status).toBe(401);
  });

  test("ends with the account's suspension", async () => {
    const person = await signInNew(service);
    const { ask } = await connectExtension(service, person);
    const { verifier, challenge } = drawVerifier();
    const code = await approve(person, challenge);
    await service.store.moderation.suspend(person.accountId, { by: "op", reason: "spam", now: service.clock.now() });
    expect((await ask("/usage")).status).toBe(401);
    expect((await exchange(code, verifier)).status).toBe(401);
  });

  test("ends after ninety days without use, and after a year of it", async () => {
    const person = await signInNew(service);
    const used = await connectExtension(service, person);
    const idle = await connectExtension(service, person);
    for (let days = 0; days < 320; days += 80) {
      service.clock.advance(80 * day);
      expect((await used.ask("/usage")).status).toBe(200);
    }
    expect((await idle.ask("/usage")).status).toBe(401);
    service.clock.advance(46 * day);
    expect((await used.ask("/usage")).status).toBe(401);
  });
});

describe("a code", () => {
  test("works once, whoever of many is first", async () => {
    const person = await signInNew(service);
    const { verifier, challenge } = drawVerifier();
    const code = await approve(person, challenge);
    const answers = await Promise.all(Array.from({ length: 6 }, () => exchange(code, verifier)));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 401, 401, 401, 401, 401,
    ]);
    expect((await exchange(code, verifier)).body.error.code).toBe("unauthorized");
  });

  test("ends only with the session in which it was approved", async () => {
    const here = await signInNew(service);
    const elsewhere = await signIn(service, here);
    const codes = [];
    for (const person of [here, elsewhere]) {
      const { verifier, challenge } = drawVerifier();
      codes.push({ verifier, code: await approve(person, challenge) });
    }
    expect((await here.api("revokeOtherSessions")).body).toEqual({ revoked: 1 });
    const answers = [];
    for (const { code, verifier } of codes) answers.push((await exchange(code, verifier)).status);
    expect(answers).toEqual([200, 401]);
  });

  test("is worth nothing with another verifier, and is gone after the try", async () => {
    const person = await signInNew(service);
    const { verifier, challenge } = drawVerifier();
    const code = await approve(person, challenge);
    const { status, headers } = await exchange(code, drawVerifier().verifier);
    expect([status, headers.get("x-error-reason")]).toEqual([401, "codeRefused"]);
    expect((await exchange(code, verifier)).status).toBe(401);
    expect((await exchange(challenge, verifier)).status).toBe(401);
    expect((await exchange("short", verifier)).status).toBe(400);
  });

  test("expires after five minutes, and what expired is forgotten", async () => {
    const person = await signInNew(service);
    const { verifier, challenge } = drawVerifier();
    const code = await approve(person, challenge);
    service.clock.advance(5 * 60_000);
    expect((await exchange(code, verifier)).status).toBe(401);
  });

  test("belongs to the account that approved it", async () => {
    const ana = await signInNew(service);
    const ben = await signInNew(service);
    const { verifier, challenge } = drawVerifier();
    const ofAna = await approve(ana, challenge);
    const ofBen = await approve(ben, challenge);
    expect((await exchange(ofBen, verifier)).body.account.id).toBe(ben.accountId);
    expect((await exchange(ofAna, verifier)).body.account.id).toBe(ana.accountId);
  });

  test("is drawn only for the signed-in person on our own site", async () => {
    const person = await signInNew(service);
    const { ask } = await connectExtension(service, person);
    const { secret } = (await person.api("createKey", { name: "k" })).body;
    const { challenge } = drawVerifier();
    const draw = (headers: Record<string, string>) =>
      fetch(`${service.url}/app/api/extension/codes`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ challenge }),
      });
    const ownHeaders = { cookie: person.cookie };
    const reasonOf = ({ status, headers }: Pick<Response, "status" | "headers">) => [
      status,
      headers.get("x-error-reason"),
    ];
    const foreign: readonly Record<string, string>[] = [
      { origin: "https://evil.example" },
      { origin: "chrome-extension://abcdefghijklmnopabcdefghijklmnop" },
      { origin: service.url, "sec-fetch-site": "cross-site" },
    ];
    for (const headers of foreign)
      expect(reasonOf(await draw({ ...ownHeaders, ...headers }))).toEqual([403, "crossSite"]);
    expect(reasonOf(await draw({ origin: service.url }))).toEqual([401, "notSignedIn"]);
    expect(reasonOf(await draw({ authorization: `Bearer ${secret}` }))).toEqual([401, "notSignedIn"]);
    expect(reasonOf(await ask("/extension/codes", { body: { challenge } }))).toEqual([403, "outsideScope"]);
    expect((await draw({ ...ownHeaders, origin: service.url })).status).toBe(200);
  });
});

describe("the scope of an extension's token", () => {
  test("is its list of operations, and everything else is refused", async () => {
    const person = await signInNew(service);
    const { token, ask } = await connectExtension(service, person);
    const scope = new Set<AnyOperationName>(extensionOperations);
    for (const [name, { http }] of Object.entries(allOperations) as [
      AnyOperationName,
      { http: { method: string; path: string } },
    ][]) {
      if (scope.has(name)) continue;
      const { status, body } = await ask(
        fillPath(http.path, () => "x"),
        { method: http.method },
      );
      expect([name, status, body.error.code]).toEqual([name, 403, "unauthorized"]);
    }
    expect((await ask("/bio/preview")).status).not.toBe(200);
    expect((await rest(service.url, "/usage", { key: token })).status, "it is no API key").toBe(401);
    await expect(
      connectMcp(service.url, "modern", token).then((client) =>
        client.callTool({ name: "get_my_usage", arguments: {} }),
      ),
    ).rejects.toThrow(/unauthorized|401|API key/i);
    const asCookie = await fetch(`${service.url}/app/api/usage`, {
      headers: { cookie: person.cookie.replace(/=.*/, `=${token}`) },
    });
    expect(asCookie.status).toBe(401);
    expect((await ask("/usage")).status, "and it lives on").toBe(200);
  });

  test("is nothing for API keys: at the people's door they are refused", async () => {
    const person = await signInNew(service);
    const { secret } = (await person.api("createKey", { name: "k" })).body;
    for (const name of extensionOperations) {
      const { method, path } = allOperations[name].http;
      const { status } = await askAsExtension(
        service.url,
        fillPath(path, () => "x"),
        { token: secret, method },
      );
      expect([name, status]).toEqual([name, 401]);
    }
    expect((await rest(service.url, "/competitor-reports", { key: secret, body: {} })).status).toBe(405);
  });

  test("appears neither in OpenAPI nor among the tools", async () => {
    const described = JSON.stringify(await (await fetch(`${service.url}/openapi.json`)).json());
    for (const part of ["/extension/", "svc_ext_", "approveExtension", "importReport"])
      expect(described).not.toContain(part);
  });

  test("needs no origin of ours and breaks at no preflight", async () => {
    const { ask } = await connectExtension(service, await signInNew(service));
    for (const origin of ["moz-extension://6f1c1f0e-1111-4222-8333-444455556666", "https://evil.example"])
      expect((await ask("/usage", { headers: { origin, "sec-fetch-site": "cross-site" } })).status).toBe(200);
    const preflight = await fetch(`${service.url}/app/api/usage`, {
      method: "OPTIONS",
      headers: {
        origin: "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
        "access-control-request-method": "GET",
      },
    });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([405, null]);
  });

  test("imports and transcribes like a program; the dashboard's calls count separately", async () => {
    const person = await signInNew(service);
    const { ask } = await connectExtension(service, person);
    expect((await ask("/competitor-reports", { body: sixteenReels })).body.reelsAnalyzed).toBe(16);
    const statuses = [];
    for (let call = 0; call < 4; call += 1)
      statuses.push((await ask("/transcribe", { body: { url: "http://127.0.0.1/none" } })).status);
    expect(statuses).toEqual([400, 400, 400, 429]);
    expect((await person.api("transcribeReel", { url: "http://127.0.0.1/none" })).status).toBe(400);
  });
});

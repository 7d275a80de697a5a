import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { createAuthorizationServer } from "../../src/sign-in/oauth/authorization-server.ts";
import { answerConsent } from "../harness/connect-program.ts";
import { createRawProgram } from "../harness/raw-program.ts";
import { signIn } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const service = serviceOfTests({ transcriber: null });

/** Reads the library's features and routes before anything is turned on or off. */
async function defaultsOfLibrary() {
  const file = new URL("../../../node_modules/oidc-provider/lib/helpers/defaults.js", import.meta.url);
  const { defaults } = (await import(file.href)) as {
    readonly defaults: {
      readonly features: Readonly<Record<string, { readonly enabled?: boolean }>>;
      readonly routes: Readonly<Record<string, string>>;
    };
  };
  return defaults;
}

async function ourDocument(): Promise<Record<string, unknown>> {
  const answer = await fetch(`${service.url}/.well-known/oauth-authorization-server`);
  return (await answer.json()) as Record<string, unknown>;
}

/** Asks the library, set up as in the service, for its own metadata, which the service lets nobody request. */
async function documentOfLibrary(): Promise<Record<string, unknown>> {
  const open = createAuthorizationServer({
    ...service.store,
    fetchDocument: async () => expect.fail("nothing is fetched"),
    clock: service.clock,
    baseUrl: () => service.url,
    onFault: (error) => expect.fail(String(error)),
    ownHosts: [],
    programLimit: 1,
    accountOf: () => undefined,
  });
  const server = createServer((await open()).callback());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/.well-known/oauth-authorization-server`);
  const document = (await answer.json()) as Record<string, unknown>;
  await new Promise((resolve) => server.close(resolve));
  return document;
}

test("each feature that the library turns on by itself was decided on", async () => {
  const { features } = await defaultsOfLibrary();
  const on = Object.keys(features).filter((name) => features[name]?.enabled === true);
  // A new one belongs in `featuresOf` and into docs/decisions/accounts.md.
  expect(on.toSorted()).toEqual([
    "dPoP",
    "devInteractions",
    "pushedAuthorizationRequests",
    "resourceIndicators",
    "rpInitiatedLogout",
    "userinfo",
  ]);
});

test("the metadata are all that there is", async () => {
  const ours = await ourDocument();
  const its = await documentOfLibrary();
  const same = ["grant_types_supported", "response_types_supported", "code_challenge_methods_supported"];
  for (const name of [...same, "token_endpoint_auth_methods_supported"]) expect(its[name], name).toEqual(ours[name]);
  const further = Object.keys(its).filter((name) => !(name in ours) && its[name] !== false);
  // These belong to OpenID Connect, which needs the scope `openid`; no request reaches the library with it.
  expect(further.toSorted()).toEqual([
    "claim_types_supported",
    "claims_supported",
    "id_token_signing_alg_values_supported",
    "jwks_uri",
    "subject_types_supported",
  ]);
  expect(ours).toMatchObject({ response_modes_supported: ["query"], scopes_supported: ["read", "full"] });
});

test("nothing else of the library can be reached", async () => {
  const { routes } = await defaultsOfLibrary();
  const program = await createRawProgram(service.url);
  const paths = [
    ...Object.values(routes).flatMap((path) => [path, `/oauth${path}`]),
    "/.well-known/openid-configuration",
    "/.well-known/openid-credential-issuer",
    "/session/end/confirm",
    "/interaction/nothing",
    `/oauth/register/${program.clientId}`,
  ].filter((path) => !["/oauth/token"].includes(path));
  const methods = ["GET", "POST", "PUT", "DELETE"];
  for (const path of paths)
    for (const method of methods) {
      const { status } = await fetch(`${service.url}${path}`, { method, redirect: "manual" });
      expect([404, 405], `${method} ${path}`).toContain(status);
    }
  for (const [method, path] of [
    ["POST", "/oauth/authorize"],
    ["GET", "/oauth/token"],
    ["GET", "/oauth/revoke"],
    ["GET", "/oauth/register"],
  ] as const)
    expect([404, 405], `${method} ${path}`).toContain((await fetch(`${service.url}${path}`, { method })).status);
});

test("no other grant is given", async () => {
  const program = await createRawProgram(service.url);
  for (const grant of [
    "implicit",
    "password",
    "client_credentials",
    "urn:ietf:params:oauth:grant-type:device_code",
    "urn:ietf:params:oauth:grant-type:jwt-bearer",
    "urn:ietf:params:oauth:grant-type:token-exchange",
    "urn:ietf:params:oauth:grant-type:pre-authorized_code",
    "urn:openid:params:grant-type:ciba",
    "__proto__",
  ])
    expect(await program.refresh("any", { grant_type: grant }), grant).toMatchObject({
      status: 400,
      body: { error: "unsupported_grant_type" },
    });
});

test("nobody gets an identity, whatever scopes a program asks for", async () => {
  const person = await signIn(service);
  const program = await createRawProgram(service.url);
  const address = program.authorizeUrl({
    scope: "openid profile email offline_access read",
    claims: "{}",
    max_age: "0",
  });
  const back = await answerConsent(person, address);
  expect([...back.searchParams.keys()].toSorted()).toEqual(["code", "iss", "state"]);
  const { body } = await program.redeem(back.searchParams.get("code") ?? "");
  expect(Object.keys(body).toSorted()).toEqual(["access_token", "expires_in", "refresh_token", "scope", "token_type"]);
  expect(body.scope).toBe("read");
});

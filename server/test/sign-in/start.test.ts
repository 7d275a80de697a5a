import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../src/settings/config.ts";
import { rest } from "../harness/rest.ts";
import { signIn } from "../harness/sign-in.ts";
import { noModel, programsOfTests } from "../harness/start-program.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

const provider = { OIDC_ISSUER: "https://identity.example", OIDC_CLIENT_ID: "us", OIDC_CLIENT_SECRET: "secret" };
const production = { NODE_ENV: "production", BASE_URL: "https://reelscript.example" };
const payment = { STRIPE_SECRET_KEY: "sk_test_x", STRIPE_WEBHOOK_SECRET: "whsec_x" };

describe("the settings of the sign-in", () => {
  const read = (environment: Record<string, string>) => readConfig(environment, "/tmp").signIn;

  test("are the provider's, or none on a machine of one's own", () => {
    expect(read({})).toEqual({ kind: "development" });
    expect(read({ HOST: "::1" })).toEqual({ kind: "development" });
    const ours = { kind: "provider", issuer: "https://identity.example", clientId: "us", clientSecret: "secret" };
    expect(read(provider)).toEqual(ours);
    expect(read({ ...provider, ...production, ...payment })).toEqual(ours);
    expect(read({ ...provider, ...payment, HOST: "0.0.0.0" })).toEqual(ours);
    expect(
      read({ ...production, ...payment, ROLE: "worker", DATABASE_URL: "postgres://x@y/z" }),
      "nobody signs in at a worker",
    ).toEqual({ kind: "development" });
  });

  const all = "OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET";
  test.each([
    ["production without a provider", production, all],
    ["a public address without a provider", { BASE_URL: "https://reelscript.example" }, all],
    ["other machines without a provider", { HOST: "0.0.0.0" }, "HOST=127.0.0.1"],
    [
      "an address of production on plain http",
      { ...provider, ...production, ...payment, BASE_URL: "http://reelscript.example" },
      "https",
    ],
    ["half a provider", { OIDC_ISSUER: "https://identity.example" }, "OIDC_CLIENT_ID, OIDC_CLIENT_SECRET: "],
    ["no secret", { ...provider, OIDC_CLIENT_SECRET: "" }, `OIDC_CLIENT_SECRET: an identity provider needs ${all}`],
    [
      "a provider on plain http in production",
      { ...provider, ...production, OIDC_ISSUER: "http://id.example" },
      "https",
    ],
    ["an issuer that is no address", { ...provider, OIDC_ISSUER: "development" }, "OIDC_ISSUER"],
  ])("refuse %s", (_what, environment: Record<string, string>, says) => {
    expect(() => read(environment)).toThrow(says);
  });
});

describe("npm start", () => {
  const directory = directoryOfTests();
  const start = programsOfTests(directory);

  test("signs the developer in to the printed key's account at any port", async () => {
    const first = await start(noModel);
    const { body } = await rest(first.url, "/me", { key: first.key });
    const developer = await signIn(first);
    expect(developer.accountId).toBe(body.account.id);
    expect((await signIn(first, { email: "other@example.com" })).accountId).not.toBe(body.account.id);
    await first.end("SIGINT");

    const former = createServer().listen(Number(new URL(first.url).port), "127.0.0.1");
    onTestFinished(() => void former.close());
    // Somebody else may have taken it meanwhile: then it is taken all the same.
    await once(former, "listening").catch(() => undefined);
    const second = await start(noModel);
    expect(second.url).not.toBe(first.url);
    expect((await signIn(second)).accountId).toBe(developer.accountId);
    await second.end("SIGINT");
  });
});

import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/settings/config.ts";

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

  const byPassword = { ...production, AUTH: "password" };

  test("are passwords in a mode with a name, in production without a provider and Stripe", () => {
    expect(read(byPassword)).toEqual({ kind: "password" });
    expect(read({ AUTH: "password", HOST: "0.0.0.0" })).toEqual({ kind: "password" });
    expect(read({ ...byPassword, ...payment })).toEqual({ kind: "password" });
    expect(read({ ...provider, ...production, ...payment, AUTH: "oidc" }).kind).toBe("provider");
    expect(readConfig({ ...byPassword, OPERATOR_EMAIL: "Ada@Example.com" }, "/tmp").operatorEmail).toBe(
      "ada@example.com",
    );
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
    [
      "passwords beside a provider",
      { ...provider, ...byPassword },
      "AUTH: with password there is no identity provider",
    ],
    ["passwords beside half a provider", { ...byPassword, OIDC_CLIENT_ID: "us" }, "AUTH: with password"],
    ["passwords on plain http", { ...byPassword, BASE_URL: "http://reelscript.example" }, "https"],
    ["passwords without an address", { NODE_ENV: "production", AUTH: "password" }, "BASE_URL"],
    ["half of Stripe with passwords", { ...byPassword, STRIPE_SECRET_KEY: "sk_test_x" }, "STRIPE_WEBHOOK_SECRET"],
    ["a mode with another name", { ...production, ...payment, AUTH: "passwords" }, "AUTH"],
    ["no mode in production", { ...production, ...payment, AUTH: "" }, all],
    ["a provider that is named and not set up", { AUTH: "oidc" }, `AUTH: oidc needs ${all}`],
    ["an operator without an address", { ...byPassword, OPERATOR_EMAIL: "ada" }, "OPERATOR_EMAIL"],
    ["an issuer that is no address", { ...provider, OIDC_ISSUER: "development" }, "OIDC_ISSUER"],
  ])("refuse %s", (_what, environment: Record<string, string>, says) => {
    expect(() => read(environment)).toThrow(says);
  });
});

import { expect, test } from "vitest";
import { readConfig } from "../../src/settings/config.ts";

const stripe = { STRIPE_SECRET_KEY: "sk_test_x", STRIPE_WEBHOOK_SECRET: "whsec_x" };
const production = {
  NODE_ENV: "production",
  BASE_URL: "https://reelscript.example",
  OIDC_ISSUER: "https://id.example",
  OIDC_CLIENT_ID: "reelscript",
  OIDC_CLIENT_SECRET: "x",
};
const read = (environment: Record<string, string>) => readConfig(environment, "/").stripe;

test("people pay at Stripe if configured, in development at the stand-in", () => {
  expect(read({})).toBeUndefined();
  expect(read({ ...production, ...stripe })).toEqual({ secretKey: "sk_test_x", webhookSecret: "whsec_x" });
  expect(
    read({ ...production, ROLE: "worker", DATABASE_URL: "postgres://x@y/z" }),
    "who answers nobody takes no money",
  ).toBeUndefined();
});

test.each([
  ["production without Stripe", production, "STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET: production needs"],
  [
    "other machines without Stripe",
    { ...production, NODE_ENV: "development", BASE_URL: "", HOST: "0.0.0.0" },
    "paid plan for nothing",
  ],
  ["a key alone", { STRIPE_SECRET_KEY: "sk_test_x" }, "STRIPE_WEBHOOK_SECRET: "],
  ["a webhook's secret alone", { STRIPE_WEBHOOK_SECRET: "whsec_x" }, "STRIPE_SECRET_KEY: "],
])("%s stops the start and says so", (_name, environment, says) => {
  expect(() => read(environment)).toThrow(says);
});

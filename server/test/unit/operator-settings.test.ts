import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/settings/config.ts";

const production = {
  NODE_ENV: "production",
  BASE_URL: "https://reelscript.example",
  OIDC_ISSUER: "https://login.example",
  OIDC_CLIENT_ID: "a",
  OIDC_CLIENT_SECRET: "b",
  STRIPE_SECRET_KEY: "c",
  STRIPE_WEBHOOK_SECRET: "d",
  DATABASE_URL: "postgres://localhost/reelscript",
};
const s3 = {
  OBJECT_STORAGE: "s3",
  S3_ENDPOINT: "https://s3.example/",
  S3_BUCKET: "pictures",
  S3_ACCESS_KEY_ID: "e",
  S3_SECRET_ACCESS_KEY: "f",
};

test.each([
  [{}, 0],
  [production, 5],
  [{ ...production, ROLE: "api" }, 5],
  [{ ...production, ROLE: "worker" }, 0],
  [{ ...production, DRAIN_SECONDS: "0" }, 0],
  [{ DRAIN_SECONDS: "30" }, 30],
])("with %j a process drains for %i seconds", (environment, seconds) => {
  expect(readConfig(environment, "/").drainSeconds).toBe(seconds);
});

describe("object storage", () => {
  test("is the database unless it is set", () => {
    expect(readConfig({}, "/").objectStorage).toEqual({ kind: "database" });
    expect(readConfig({ OBJECT_STORAGE: "disk" }, "/").objectStorage).toEqual({ kind: "disk" });
    expect(readConfig(s3, "/").objectStorage).toEqual({
      kind: "s3",
      endpoint: "https://s3.example",
      bucket: "pictures",
      region: "us-east-1",
      accessKeyId: "e",
      secretAccessKey: "f",
    });
  });

  test.each(Object.keys(s3).filter((name) => name !== "OBJECT_STORAGE"))("needs %s", (name) => {
    expect(() => readConfig({ ...s3, [name]: "" }, "/")).toThrow(new RegExp(`^${name}: `));
  });

  test("has a bucket that can be part of an address", () => {
    expect(() => readConfig({ ...s3, S3_BUCKET: "../x" }, "/")).toThrow(/S3_BUCKET/);
  });
});

test("metrics have a port of their own", () => {
  expect(() => readConfig({ METRICS_PORT: "8787" }, "/")).toThrow(/METRICS_PORT/);
  expect(readConfig({ METRICS_PORT: "0", PORT: "0" }, "/").metricsPort).toBe(0);
});

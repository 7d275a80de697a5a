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

describe("proxies to the platform", () => {
  test("are none unless they are set, and are named without their credentials", () => {
    expect(readConfig({}, "/")).toMatchObject({ platformProxies: [], platformIntervalSeconds: 3 });
    const url = "http://a%40b:p%3Aw@proxy.example:8080";
    const other = "http://c:d@proxy.example:8080/";
    expect(readConfig({ PLATFORM_PROXY: `${url}, http://10.0.0.1:3128,${url},${other}` }, "/").platformProxies).toEqual(
      [
        { url, name: "proxy.example:8080" },
        { url: "http://10.0.0.1:3128", name: "10.0.0.1:3128" },
        { url: other, name: "proxy.example:8080 #2" },
      ],
    );
  });

  test.each([
    "https://u:hidden@proxy.example:1",
    "http://u:hidden@proxy.example",
    "http://u:hidden@proxy.example:99999",
    "http://u:hid%den@proxy.example:1",
    "http://u:hidden%ff@proxy.example:1",
    "http://u:hidden@proxy.example:1/path",
    "http://u:hid@den@proxy.example:1",
    "socks5://u:hidden@proxy.example:1",
    "u:hidden@proxy.example:1",
    "http://u:hidden@proxy.example:1,",
  ])("%s stops the start with a message that has no password", (value) => {
    const read = (): unknown => readConfig({ PLATFORM_PROXY: `http://good.example:1,${value}` }, "/");
    expect(read).toThrow(/^PLATFORM_PROXY: entry \d of \d must be like/);
    expect(read).not.toThrow(/hidden|hid%|hid@/);
  });
});

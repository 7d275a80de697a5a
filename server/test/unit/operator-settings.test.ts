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

test.each([
  [{ RATE_LIMIT_TRANSCRIPE: "5" }, "RATE_LIMIT_TRANSCRIPE isn't a setting. RATE_LIMIT_TRANSCRIBE is;"],
  [{ DATABSE_URL: "postgres://localhost/reelscript" }, "DATABSE_URL isn't a setting. DATABASE_URL is;"],
  [{ ...production, OIDC_CLIENTID: "a" }, "OIDC_CLIENTID isn't a setting. OIDC_CLIENT_ID is;"],
])("a misspelled setting stops the start: %j", (environment, says) => {
  expect(() => readConfig(environment, "/")).toThrow(says);
  // A program that doesn't serve runs, so that `check` can name it beside all else.
  expect(() => readConfig(environment, "/", { serves: false })).not.toThrow();
});

describe("production", () => {
  const at = (environment: Readonly<Record<string, string | undefined>>) => () => readConfig(environment, "/");
  const role = { ROLE: "api", DATABASE_URL: "postgres://127.0.0.1/reelscript" };

  test.each([
    ["a database on another machine", { DATABASE_URL: "postgres://db.example/reelscript" }],
    ["a database that its query names", { DATABASE_URL: "postgres://localhost/reelscript?host=10.0.0.5" }],
    ["a database that the driver's variable names", { DATABASE_URL: "postgres:///reelscript", PGHOST: "db.example" }],
    ["a replica elsewhere", { DATABASE_URL: "postgres://localhost/a", DATABASE_READ_URL: "postgres://10.0.0.6/a" }],
    ["a proxy", { TRUST_PROXY: "127.0.0.1" }],
    ["any proxy", { TRUST_PROXY: "true" }],
    ["a part of the service", role],
    ["a public address", { BASE_URL: "https://reelscript.example" }],
  ])("is %s, without NODE_ENV", (_what, environment) => {
    expect(at(environment)).toThrow(/OIDC_ISSUER.*STRIPE_SECRET_KEY.*This is production because of/s);
    expect(at({ ...production, NODE_ENV: "", ...environment })().production).toBe(true);
  });

  test.each([
    {},
    { DATABASE_URL: "postgres://user:secret@[::1]:5432/reelscript" },
    { DATABASE_URL: "postgres:///reelscript?host=/var/run/postgresql" },
    { TRUST_PROXY: "false", ROLE: "all", BASE_URL: "http://localhost:8787" },
    { NODE_ENV: "development", ...role, TRUST_PROXY: "127.0.0.1, ::1/128" },
  ])("isn't a try on one machine: %j", (environment) => {
    expect(at(environment)().production).toBe(false);
  });

  test.each(["prod", "Production", "staging", "test"])("is never guessed from NODE_ENV=%s", (mode) => {
    expect(at({ NODE_ENV: mode })).toThrow(/^NODE_ENV: .*production.*development/);
  });

  test.each([
    [{ DATABASE_URL: "postgres://db.example/reelscript" }, "DATABASE_URL"],
    [{ TRUST_PROXY: "127.0.0.1 10.0.0.0/8" }, "TRUST_PROXY"],
    [{ TRUST_PROXY: "true", BASE_URL: "https://reelscript.example" }, "BASE_URL, TRUST_PROXY"],
  ])("can't be called development: %j", (environment, names) => {
    expect(at({ NODE_ENV: "development", ...environment })).toThrow(
      `NODE_ENV: development is for one machine, and ${names}`,
    );
  });

  test("asks nothing of a program that serves nobody", () => {
    const environment = { DATABASE_URL: "postgres://db.example/reelscript" };
    expect(readConfig(environment, "/", { serves: false })).toMatchObject({ databaseUrl: environment.DATABASE_URL });
  });
});

test.each([
  ["an unknown role", { ROLE: "boss" }, "ROLE"],
  ["a part without the database that it needs", { ROLE: "worker" }, "DATABASE_URL"],
  ["a replica of no server", { DATABASE_READ_URL: "postgres://x@y/z" }, "DATABASE_READ_URL"],
  ["a platform of no known name", { PLATFORMS: "instagram,vimeo" }, "PLATFORMS"],
  ["production with the stand-in", { ...production, STANDIN: "1" }, "STANDIN"],
])("%s is refused by name", (_what, environment, says) => {
  expect(() => readConfig(environment, "/")).toThrow(says);
});

describe("an endpoint of one language", () => {
  const hindi = { TRANSCRIBER_HI: "openai", OPENAI_BASE_URL_HI: "https://api.example/v1", OPENAI_API_KEY_HI: "key-1" };
  const endpointsOf = (environment: Record<string, string>) => {
    const { transcriber } = readConfig(environment, "/");
    return transcriber.kind === "embedded" ? transcriber.endpoints : expect.fail("nothing is embedded");
  };

  test("has an address, a key and a model of its own", () => {
    const endpoint = { baseUrl: "https://api.example/v1", apiKey: "key-1", model: "whisper-1" };
    expect(endpointsOf({})).toEqual({});
    expect(endpointsOf(hindi)).toEqual({ hi: endpoint });
    expect(endpointsOf({ ...hindi, OPENAI_MODEL_HI: "large" })).toEqual({ hi: { ...endpoint, model: "large" } });
  });

  test.each([
    [{ ...hindi, OPENAI_BASE_URL_HI: "" }, "OPENAI_BASE_URL_HI: TRANSCRIBER_HI=openai needs the endpoint's base URL"],
    [
      { ...hindi, OPENAI_BASE_URL_HI: "key-1@x" },
      "OPENAI_BASE_URL_HI: TRANSCRIBER_HI=openai needs the endpoint's base",
    ],
    [{ ...hindi, OPENAI_API_KEY_HI: "" }, "OPENAI_API_KEY_HI: TRANSCRIBER_HI=openai needs the endpoint's key"],
    [
      { ...hindi, TRANSCRIBER_HI: "azure" },
      'TRANSCRIBER_HI: can only be openai; unset it to recognize here (it is "azure")',
    ],
    [{ ...hindi, TRANSCRIBER_HI: "" }, "OPENAI_API_KEY_HI: has no effect without TRANSCRIBER_HI=openai"],
    [
      { ...hindi, WHISPER_MODEL_HI: "a/b" },
      "WHISPER_MODEL_HI: TRANSCRIBER_HI=openai sends this language to an endpoint",
    ],
    [
      { ...hindi, TRANSCRIBER: "openai", OPENAI_BASE_URL: "https://api.example/v1", OPENAI_API_KEY: "key-2" },
      "TRANSCRIBER_HI: TRANSCRIBER=openai sends every language to its endpoint; unset one of them",
    ],
  ])("is refused with %j, in words that hold no key", (environment, says) => {
    let message = "";
    try {
      readConfig(environment, "/");
    } catch (error) {
      ({ message } = error as Error);
    }
    expect(message).toContain(says);
    expect(message).not.toContain("key-");
  });
});

describe("networks that webhooks may go to", () => {
  const networksOf = (text: string) => readConfig({ WEBHOOK_ALLOWED_NETWORKS: text }, "/").webhookNetworks;
  test("are none unless they are set", () => {
    expect(readConfig({}, "/").webhookNetworks).toBeUndefined();
    const all = "10.0.0.0/8, 100.64.0.0/10,127.0.0.1/32,172.18.0.5/32,192.168.0.0/16,::1/128,fd00:1::/64";
    expect(networksOf(all)).toHaveLength(7);
  });

  test.each([
    "10.0.0.0",
    "10.0.0.0/33",
    "10.0.0.0/7",
    "0.0.0.0/0",
    "::/0",
    "169.254.169.254/32",
    "fe80::/10",
    "1.1.1.1/32",
    "n8n",
    "n8n/32",
    "10.0.0.0/8;127.0.0.0/8",
    "10.0.0.0/8,",
    "::ffff:10.0.0.0/104",
    "10.1/16",
    "fd00::/129",
  ])("are private: %s stops the start in one sentence", (text) => {
    expect(() => networksOf(text)).toThrow(/^WEBHOOK_ALLOWED_NETWORKS: must be private networks[^\n]*$/);
  });
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

test("traces carry the operator's attributes, as OpenTelemetry writes them", () => {
  const attributesOf = (OTEL_RESOURCE_ATTRIBUTES: string, more = {}) =>
    readConfig({ OTEL_RESOURCE_ATTRIBUTES, ...more }, "/").traceAttributes;
  expect(readConfig({}, "/").traceAttributes).toEqual({});
  expect(attributesOf("deployment.environment=prod, team=a%2Cb%20c ,")).toEqual({
    "deployment.environment": "prod",
    team: "a,b c",
  });
  expect(attributesOf("service.name=one", { OTEL_SERVICE_NAME: "two" })).toEqual({ "service.name": "two" });
  for (const wrong of ["team", "=video", "team=%zz", `a=${"x".repeat(600)}`])
    expect(() => attributesOf(wrong)).toThrow(/^OTEL_RESOURCE_ATTRIBUTES: must be like/);
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

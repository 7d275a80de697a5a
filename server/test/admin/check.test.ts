import { createServer } from "node:http";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import S3rver from "s3rver";
import { describe, expect, onTestFinished, test } from "vitest";
import { describeServer } from "../../src/admin/checks/check-database.ts";
import { readConfig } from "../../src/settings/config.ts";
import { withSecretFiles } from "../../src/start/secret-files.ts";
import { askOnce, migratedDatabase, temporaryDatabase } from "../database/opened-stores.ts";
import { testDatabaseUrl } from "../database/test-database-url.ts";
import { freePort } from "../harness/free-port.ts";
import { listen } from "../harness/listen.ts";
import { identityProviderOfTests } from "../harness/start-identity-provider.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";
import { operate } from "./run-program.ts";

const directory = directoryOfTests();
const provider = identityProviderOfTests(() => "https://reelscript.example");
const base = { DATA_DIR: directory, SOURCES: "platform", MAX_MEDIA_BYTES: "1000000" };

/** The findings by their subjects, and the exit code. */
async function check(environment: Readonly<Record<string, string>>) {
  const { stdout, code } = await operate(["check", "--json"], { directory, environment: { ...base, ...environment } });
  const { findings } = JSON.parse(stdout) as {
    readonly findings: readonly { readonly subject: string; readonly state: string; readonly text: string }[];
  };
  const of = (subject: string): string[] =>
    findings.filter((one) => one.subject === subject).map(({ state, text }) => `${state}: ${text}`);
  return { of, code };
}

/** A server that answers every request so. */
async function answering(status: number, body: object = {}): Promise<string> {
  const server = createServer((_request, response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body)),
  );
  onTestFinished(() => void server.close());
  return (await listen(server)).origin;
}

describe("reelscript check", () => {
  test("finds nothing wrong with a service for a try", async () => {
    const { of, code } = await check({});
    expect(code).toBe(0);
    expect(of("settings")).toEqual(["ok: For development."]);
    expect(of("disk")).toEqual([expect.stringMatching(/^ok: \d+ MB are free/)]);
  });

  test("counts the room for files as workers do, and says what videos need", async () => {
    const { of } = await check({ FFMPEG_PATH: "embedded", MAX_MEDIA_BYTES: "200000000" });
    expect(of("disk")).toEqual([expect.stringContaining("a reel needs up to 400 MB, and a file 500 MB")]);
    const { of: ofSmaller } = await check({ MAX_FILE_BYTES: "100000000", MAX_MEDIA_BYTES: "200000000" });
    expect(ofSmaller("disk")).toEqual([expect.stringContaining("a reel needs up to 400 MB, and a file 400 MB")]);
    expect(of("videos")).toEqual([expect.stringMatching(/^note: Subtitled videos need ffmpeg/)]);
  });

  test.each([
    [{ RATE_LIMIT_TRANSCRIPE: "5" }, "wrong: RATE_LIMIT_TRANSCRIPE isn't a setting. RATE_LIMIT_TRANSCRIBE is;", 1],
    [{ QUEUE_LIMITS: "5" }, "wrong: QUEUE_LIMITS isn't a setting. QUEUE_LIMIT is;", 1],
    [{ DATABSE_URL_FILE: "x" }, "wrong: DATABSE_URL_FILE isn't a setting. DATABASE_URL_FILE is;", 1],
    [{ S3_FORCE_PATHS: "1" }, "note: S3_FORCE_PATHS isn't a setting.", 0],
    [{ TRUST_PROXY: "true" }, "wrong: BASE_URL: production needs the address", 1],
  ])("names what is wrong with the settings %j", async (environment: Record<string, string>, says, exitCode) => {
    const { of, code } = await check(environment);
    expect(of("settings").join("\n")).toContain(says);
    expect(code).toBe(exitCode);
  });

  test("leaves variables of other programs alone", () => {
    const others = {
      HOSTNAME: "a",
      PLATFORM: "linux",
      LOGNAME: "b",
      PORTAL: "c",
      OTEL_SERVICE_NAME: "d",
      NODE_OPTIONS: "e",
      TZ: "f",
    };
    expect(readConfig(others, "/").unknownSettings).toEqual([]);
  });

  test("says whether the identity provider is the one that is named", async () => {
    const { issuer, clientId, clientSecret } = provider.signIn;
    const signIn = { OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
    expect((await check({ ...signIn, OIDC_ISSUER: issuer })).of("sign-in")).toEqual([`ok: ${issuer} answers.`]);
    const other = await check({ ...signIn, OIDC_ISSUER: await answering(200, { issuer }) });
    expect(other.of("sign-in")).toEqual([expect.stringMatching(/^wrong: .*Set OIDC_ISSUER/)]);
    expect(other.code).toBe(1);
    const away = await check({ ...signIn, OIDC_ISSUER: `http://127.0.0.1:${await freePort()}` });
    expect([away.of("sign-in"), away.code]).toEqual([[expect.stringMatching(/^away: /)], 0]);
  });

  test("compares the prices at Stripe with the plans", async () => {
    const price = (plan: string, cents: number) => ({
      id: `price_${plan}`,
      object: "price",
      lookup_key: `reelscript_${plan}_monthly`,
      product: `prod_${plan}`,
      unit_amount: cents,
      currency: "usd",
      recurring: { interval: "month", interval_count: 1 },
    });
    const prices = { object: "list", data: [price("hobby", 1_000), price("creator", 2_000)], has_more: false };
    const payment = { STRIPE_SECRET_KEY: "sk_test_x", STRIPE_WEBHOOK_SECRET: "whsec_x" };
    const { of, code } = await check({ ...payment, STRIPE_API_BASE: await answering(200, prices) });
    expect(of("payment")).toEqual([
      "ok: A test key.",
      "ok: The price of hobby is right.",
      expect.stringMatching(/^wrong: .*2000 cents usd, but the plan creator costs 2900/),
    ]);
    expect(code).toBe(1);
    const error = { error: { type: "invalid_request_error", message: "Invalid API Key provided" } };
    const refused = await check({ ...payment, STRIPE_API_BASE: await answering(401, error) });
    expect(refused.of("payment")).toContain(
      "wrong: Stripe refuses the key. Replace STRIPE_SECRET_KEY; it needs to read prices.",
    );
    const published = await check({ ...payment, STRIPE_SECRET_KEY: "pk_live_x" });
    expect(published.of("payment")).toEqual([expect.stringMatching(/^wrong: STRIPE_SECRET_KEY isn't a secret/)]);
  });

  test("puts, reads and removes an object in real storage, using the settings", async () => {
    const server = new S3rver({
      address: "127.0.0.1",
      port: 0,
      silent: true,
      directory: path.join(directory, "s3"),
      configureBuckets: [{ name: "pictures", configs: [] }],
    });
    const { port } = await server.run();
    onTestFinished(() => server.close());
    const storage = {
      OBJECT_STORAGE: "s3",
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: "pictures",
      S3_ACCESS_KEY_ID: "S3RVER",
      S3_SECRET_ACCESS_KEY: "S3RVER",
    };
    expect((await check(storage)).of("storage")).toEqual(["ok: An object was put, read and removed."]);
    for (const wrong of [{ S3_BUCKET: "another" }, { S3_ACCESS_KEY_ID: "nobody" }]) {
      const { of, code } = await check({ ...storage, ...wrong });
      expect([of("storage"), code]).toEqual([[expect.stringMatching(/^wrong: /)], 1]);
    }
    const away = await check({ ...storage, S3_ENDPOINT: `http://127.0.0.1:${await freePort()}` });
    expect([away.of("storage"), away.code]).toEqual([[expect.stringMatching(/^away: /)], 0]);
  });

  test("asks proxies for a way, and shows endpoints their keys", async () => {
    const proxy = createServer();
    proxy.on("connect", ({ headers }, socket) => {
      const isKnown = headers["proxy-authorization"] === `Basic ${Buffer.from("user:secret").toString("base64")}`;
      socket.end(`HTTP/1.1 ${isKnown ? "200 OK" : "407 Proxy Authentication Required"}\r\n\r\n`);
    });
    onTestFinished(() => void proxy.close());
    const { origin } = await listen(proxy);
    const { host } = new URL(origin);
    const elsewhere = {
      PLATFORM_PROXY: `http://user:secret@${host},http://user:wrong@${host}`,
      TRANSCRIBER: "openai",
      OPENAI_BASE_URL: await answering(401),
      OPENAI_API_KEY: "none",
    };
    const { of } = await check(elsewhere);
    expect(of(`proxy ${host}`)).toEqual([expect.stringMatching(/^ok: /)]);
    expect(of(`proxy ${host} #2`)).toEqual([expect.stringMatching(/^wrong: It refuses the name or password/)]);
    expect(of("recognizer")).toEqual([expect.stringMatching(/^wrong: .*Replace OPENAI_API_KEY/)]);
  });

  test.skipIf(!testDatabaseUrl)("says what the database lacks (runs with TEST_DATABASE_URL)", async () => {
    const { databaseUrl, drop } = await temporaryDatabase(testDatabaseUrl!);
    onTestFinished(drop);
    const findings = await check({ DATABASE_URL: databaseUrl });
    expect(findings.of("database")).toEqual([expect.stringMatching(/^ok: PostgreSQL \d+/)]);
    expect(findings.of("tables")).toEqual([expect.stringMatching(/^note: \d+ changes/)]);
    expect(findings.of("clock")).toEqual(["ok: It agrees with the database's."]);
    const nobody = await check({ DATABASE_URL: `postgres://nobody@127.0.0.1:${await freePort()}/none` });
    expect([nobody.of("database"), nobody.code]).toEqual([[expect.stringMatching(/^away: .*DATABASE_URL/)], 0]);
  });

  test.skipIf(!testDatabaseUrl)(
    "names media in a storage that isn't configured (runs with TEST_DATABASE_URL)",
    async () => {
      const { databaseUrl, drop } = await migratedDatabase(testDatabaseUrl!);
      onTestFinished(drop);
      const part = "insert into sent_media_part (media_id, number, object) values ('med_1', 0, 'media/med_1.0.a.part')";
      await askOnce(databaseUrl, `set session_replication_role = replica; ${part}`);
      const findings = await check({ DATABASE_URL: databaseUrl });
      expect(findings.of("tables")).toEqual(["ok: They are up to date."]);
      expect(findings.of("storage")).toEqual([
        expect.stringMatching(/^note: 1 sent reel has its media .* OBJECT_STORAGE names none/),
      ]);
      const configured = await check({ DATABASE_URL: databaseUrl, OBJECT_STORAGE: "disk" });
      expect(configured.of("storage")).toEqual([expect.stringMatching(/^ok: /)]);
    },
  );
});

test.each([
  [{ isStandby: true }, "Name the primary"],
  [{ mayCreate: false }, "Grant it create on the schema"],
  [{ connections: 13 }, "Raise max_connections"],
  [{ connections: 14 }, undefined],
])("a server with %j is described with the remedy", (changes, says) => {
  const server = { version: "15.1", connections: 100, mayCreate: true, isStandby: false, ...changes };
  const [{ state, text }] = describeServer(server, 10);
  expect(state).toBe(says === undefined ? "ok" : "wrong");
  expect(text).toContain(says ?? "PostgreSQL 15.1");
});

describe("a secret in a file", () => {
  const read = (environment: Record<string, string>) =>
    readConfig(withSecretFiles(environment, directory), directory).databaseUrl;

  test("is read as if it were in the environment", async () => {
    await writeFile(path.join(directory, "url"), "postgres://localhost/from-file\n");
    expect(read({ DATABASE_URL_FILE: "url" })).toBe("postgres://localhost/from-file");
  });

  test.each([
    [{ DATABASE_URL_FILE: "missing" }, /^DATABASE_URL_FILE: missing can't be read \(ENOENT\)$/],
    [{ DATABASE_URL_FILE: "empty" }, /^DATABASE_URL_FILE: empty holds no setting/],
    [
      { DATABASE_URL_FILE: "url", DATABASE_URL: "postgres://localhost/x" },
      /^DATABASE_URL_FILE: DATABASE_URL is set, too/,
    ],
  ])("that isn't one stops the start: %j", async (environment: Record<string, string>, says) => {
    await writeFile(path.join(directory, "empty"), "\n");
    expect(() => read(environment)).toThrow(says);
  });
});

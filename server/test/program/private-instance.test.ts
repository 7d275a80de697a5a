import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { askOnce, temporaryDatabase } from "../database/opened-stores.ts";
import { testDatabaseUrl } from "../database/test-database-url.ts";
import { createCookieJar, type CookieJar } from "../harness/cookie-jar.ts";
import { freePort } from "../harness/free-port.ts";
import { noModel, plainEnvironment, programsOfTests, root } from "../harness/start-program.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

const { services } = parse(await readFile(path.join(root, "deploy/private/compose.yaml"), "utf8")) as {
  services: Record<string, { environment: Record<string, string>; entrypoint: string[] }>;
};
const hasTools = ["pg_dump", "pg_restore", "psql"].every((name) => spawnSync(name, ["--version"]).status === 0);
const email = "you@example.com";
const password = "correct horse battery";

describe.skipIf(testDatabaseUrl === undefined || !hasTools)(
  "a private instance (runs with TEST_DATABASE_URL and PostgreSQL's tools)",
  () => {
    const directory = directoryOfTests();
    const start = programsOfTests(directory);

    /** Carries out a command of the composition's backup as its container would. */
    function backUp(databaseUrl: string, ...args: string[]) {
      const { hostname, port, username, pathname } = new URL(databaseUrl);
      const [file, ...parameters] = services["backup"]!.entrypoint.map((part) => part.replaceAll("$$", "$"));
      const { status, stdout, stderr } = spawnSync(file!, [...parameters, ...args], {
        env: {
          ...plainEnvironment(),
          PGHOST: hostname,
          PGPORT: port,
          PGUSER: username,
          PGDATABASE: pathname.slice(1),
          BACKUPS: directory,
        },
        encoding: "utf8",
      });
      return { status, stderr, text: stdout.trim() };
    }

    test("starts without a provider and Stripe, invites its operator, and comes back from a backup", async () => {
      const { databaseUrl, drop } = await temporaryDatabase(testDatabaseUrl ?? "");
      onTestFinished(drop);
      // The settings of the composition, but for what names its containers.
      const {
        DATABASE_URL,
        S3_ENDPOINT,
        TRUST_PROXY,
        OBJECT_STORAGE,
        S3_SECRET_ACCESS_KEY,
        SMTP_URL,
        MAIL_FROM,
        ...settings
      } = services["service"]!.environment;
      expect([SMTP_URL, MAIL_FROM]).toEqual(["${SMTP_URL:-}", "${MAIL_FROM:-}"]);
      expect([DATABASE_URL, S3_ENDPOINT, TRUST_PROXY].every((value) => value !== undefined)).toBe(true);
      expect([OBJECT_STORAGE, S3_SECRET_ACCESS_KEY]).toEqual([
        "${OBJECT_STORAGE:-database}",
        "${S3_SECRET_ACCESS_KEY:-}",
      ]);
      const environment = {
        ...settings,
        ...noModel,
        OPERATOR_EMAIL: email,
        DATABASE_URL: databaseUrl,
        TRUST_PROXY: "127.0.0.1",
        STANDIN: "",
        DRAIN_SECONDS: "0",
      };
      const run = async () => {
        const port = String(await freePort());
        // Without Caddy in front there is no https; production takes http from its own machine only.
        const url = `http://127.0.0.1:${port}`;
        return { program: await start({ ...environment, PORT: port, BASE_URL: url }), url };
      };
      const first = await run();
      expect(first.program.printed()).toMatch(/invitation\s+http:\S+\/app\/invitation#[\w-]{43}/);
      const token = /invitation#([\w-]{43})/.exec(first.program.printed())![1]!;
      const jar = createCookieJar();
      expect(await enter(first.url, jar, "/auth/invitation/accept", { token, password })).toBe(200);
      expect(await planOf(first.url, jar)).toBe("creator");

      const { text: name } = backUp(databaseUrl, "now");
      expect(name).toMatch(/^reelscript-[\dT-]+\.dump$/);
      const seen = await jar.fetch(`${first.url}/app/api/admin/status`, { headers: throughProxy });
      expect([seen.status, await seen.json()]).toEqual([
        200,
        expect.objectContaining({ invites: true, lastBackupAt: expect.stringMatching(/^\d{4}-/) }),
      ]);
      await askOnce(databaseUrl, "delete from account");
      expect(await enter(first.url, createCookieJar(), "/auth/password", { email, password })).toBe(401);
      await first.program.end("SIGTERM");

      const dump = await readFile(path.join(directory, name));
      await writeFile(path.join(directory, "damaged.dump"), dump.subarray(0, dump.length / 2));
      expect(backUp(databaseUrl, "restore", "damaged.dump").status).not.toBe(0);
      expect(await askOnce(databaseUrl, "select from account"), "nothing was replaced").toEqual([]);

      const restored = backUp(databaseUrl, "restore", name);
      expect(restored.status, restored.stderr).toBe(0);
      const before = /from before is (\w+)\.$/.exec(restored.text)![1]!;
      onTestFinished(async () => void (await askOnce(testDatabaseUrl ?? "", `drop database "${before}"`)));
      const again = await run();
      expect(again.program.printed(), "somebody has a password").not.toContain("invitation");
      const back = createCookieJar();
      expect(await enter(again.url, back, "/auth/password", { email, password })).toBe(200);
      expect(await planOf(again.url, back)).toBe("creator");
      await again.program.end("SIGTERM");
    });
  },
);

/** Headers that scripts of the dashboard send, and one that a proxy adds. */
const throughProxy = { "x-forwarded-for": "203.0.113.9", accept: "application/json" };

/** Signs in as the dashboard's pages do, and returns the first status that isn't 200, or that of the session. */
async function enter(
  url: string,
  jar: CookieJar,
  target: string,
  fields: Readonly<Record<string, string>>,
): Promise<number> {
  const begun = await jar.fetch(`${url}/auth/login`, { headers: throughProxy });
  const { location } = (await begun.json()) as { location: string };
  const state = new URL(location).searchParams.get("state")!;
  const answer = await jar.fetch(`${url}${target}`, {
    method: "POST",
    headers: { ...throughProxy, origin: url },
    body: new URLSearchParams({ ...fields, state }),
  });
  if (answer.status !== 200) return answer.status;
  await jar.fetch(((await answer.json()) as { location: string }).location, { headers: throughProxy });
  return (await jar.fetch(`${url}/app/api/session`, { headers: throughProxy })).status;
}

async function planOf(url: string, jar: CookieJar): Promise<string> {
  const answer = await jar.fetch(`${url}/app/api/session`, { headers: throughProxy });
  return ((await answer.json()) as { account: { plan: string } }).account.plan;
}

import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { migrations } from "../../src/adapters/database/migrations/migrations.ts";
import { oldestReleaseOn, oldestReturn } from "../../src/adapters/database/migrations/releases.ts";
import { buildRelease, commitOfRelease } from "../../../scripts/processes/former-release.ts";
import { askOnce, temporaryDatabase } from "../database/opened-stores.ts";
import { testDatabaseUrl } from "../database/test-database-url.ts";
import { rest } from "../harness/rest.ts";
import { noModel, plainEnvironment, programsOfTests, root } from "../harness/start-program.ts";
import { directoryOfTests } from "../harness/temporary-directory.ts";

const names = migrations.map(({ name }) => name);
const commit = await commitOfRelease(root, oldestReturn, names);
if (commit === undefined)
  console.warn(`SKIPPED: the history of this checkout doesn't reach ${oldestReturn}, so that nothing goes back to it`);

describe("going back to an earlier release", () => {
  test("is promised from the release that the documents name", async () => {
    for (const file of ["CHANGELOG.md", "docs/operations.md"])
      expect(await readFile(path.join(root, file), "utf8"), file).toContain(oldestReturn);
  });

  test("is possible as far as the tables were only added to", () => {
    const applied = (barrier?: string) => migrations.map(({ name }) => ({ name, isAdditive: name !== barrier }));
    expect(oldestReleaseOn(applied())).toBe(oldestReturn);
    expect(oldestReleaseOn(applied("0003-search-renewal"))).toBe(oldestReturn);
    expect(oldestReleaseOn(applied("0014-compact-transcripts"))).toBe("0014-compact-transcripts");
    expect(oldestReleaseOn(applied(names.at(-1)))).toBeNull();
    // A newer release was here, which changed more.
    expect(oldestReleaseOn([...applied(), { name: "9999-next", isAdditive: true }])).toBe(oldestReturn);
    expect(oldestReleaseOn([...applied(), { name: "9999-removal", isAdditive: false }])).toBeNull();
  });

  describe.skipIf(commit === undefined || testDatabaseUrl === undefined)(
    "to the oldest one (runs with TEST_DATABASE_URL and the history)",
    () => {
      const directory = directoryOfTests();
      const start = programsOfTests(directory);
      const former = path.join(directory, "former");

      test("finds everything there, until the transcripts are compact", async () => {
        await buildRelease(root, commit!, former); // safe: skipped otherwise
        const { databaseUrl, drop } = await temporaryDatabase(testDatabaseUrl ?? "");
        onTestFinished(drop);
        const environment = { ...noModel, NODE_ENV: "development", DATABASE_URL: databaseUrl, DRAIN_SECONDS: "0" };
        const old = [process.execPath, path.join(former, "server/dist/main.js")] as const;

        const first = await start(environment, old);
        const { key } = first;
        const tag = async (url: string) =>
          (await rest(url, "/me", { key })).body.account as { id: string; email: string };
        const account = await tag(first.url);
        await first.end("SIGTERM");

        const newer = await start(environment);
        expect(newer.printed()).toContain("Ctrl-C stops.");
        expect(await tag(newer.url)).toEqual(account);
        const { body: webhook } = await rest(newer.url, "/webhooks", { key, body: { url: "https://example.com/x" } });
        expect(webhook.webhook.id).toMatch(/^whk_/);
        await newer.end("SIGTERM");
        const applied = await askOnce(databaseUrl, "select name from migration order by number");
        expect(applied.map((row) => (row as { name: string }).name)).toEqual(names);

        const back = await start(environment, old);
        expect(back.printed(), "the oldest release starts").toContain("Ctrl-C stops.");
        expect(await tag(back.url)).toEqual(account);
        const { body: webhooks } = await rest(back.url, "/webhooks", { key });
        expect(webhooks.webhooks).toMatchObject([{ id: webhook.webhook.id }]);
        await back.end("SIGTERM");

        const again = await start(environment);
        expect(await tag(again.url)).toEqual(account);
        await again.end("SIGTERM");
        const compact = (...more: string[]) =>
          spawnSync(process.execPath, ["server/bin/reelscript-admin.js", "database", "compact", ...more], {
            cwd: root,
            env: { ...plainEnvironment(), DATABASE_URL: databaseUrl, DATA_DIR: directory },
            encoding: "utf8",
          });
        expect(compact().stderr, "it says before it begins that there is no way back").toContain("--no-way-back");
        await askOnce(databaseUrl, "delete from machine_clock");
        expect(compact("--no-way-back").status).toBe(0);
        const refused = await start(environment, old);
        expect(refused.printed()).toContain("set up by a newer release");
        expect(await refused.end("SIGKILL")).toMatchObject({ code: 1 });
      });
    },
  );
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryDatabase } from "../database/opened-stores.ts";
import { testDatabaseUrl } from "../database/test-database-url.ts";
import { ask } from "../harness/ask.ts";
import { signIn } from "../harness/sign-in.ts";
import { startTestService, type TestService } from "../harness/start-test-service.ts";

describe.skipIf(!testDatabaseUrl)("bio pages of two processes (runs with TEST_DATABASE_URL)", () => {
  let one: TestService;
  let other: TestService;
  const closers: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const { databaseUrl, drop } = await temporaryDatabase(testDatabaseUrl ?? "");
    closers.push(drop);
    for (let count = 0; count < 2; count += 1) {
      const service = await startTestService({ databaseUrl, transcriber: null });
      closers.push(() => service.close());
      other = one;
      one = service;
    }
  });
  afterAll(async () => {
    for (const close of closers.toReversed()) await close();
  });

  test("a page that one process shows all the time is changed, taken down and renamed by the other", async () => {
    const person = await signIn(one, { email: "nodes@example.com" });
    await person.api("claimBioHandle", { handle: "two.nodes" });
    const page = (path = "/@two.nodes") => ask(other.url, path);
    const shows = async (check: (answer: Awaited<ReturnType<typeof page>>) => boolean): Promise<void> => {
      await expect.poll(async () => check(await page()), { interval: 20, timeout: 60_000 }).toBe(true);
    };
    await person.api("updateBioPage", { displayName: "Ana before" });
    await shows(({ text }) => text.includes("Ana before"));
    await person.api("updateBioPage", { displayName: "Ana after" });
    await shows(({ text }) => text.includes("Ana after"));
    const decision = { by: "ada", reason: "test", now: one.clock.now() };
    await one.store.moderation.takeDownPage({ handle: "two.nodes" }, decision);
    await shows(({ status }) => status === 410);
    await one.store.moderation.restorePage({ handle: "two.nodes" }, decision);
    await shows(({ status }) => status === 200);
    await person.api("claimBioHandle", { handle: "two.nodes.now" });
    await shows(({ status, headers }) => status === 301 && headers.location === "/@two.nodes.now");
    expect((await page("/@two.nodes.now")).text).toContain("Ana after");
  }, 240_000);
});

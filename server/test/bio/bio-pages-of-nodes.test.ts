import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migratedDatabase } from "../database/opened-stores.ts";
import { testDatabaseUrl } from "../database/test-database-url.ts";
import { ask } from "../harness/ask.ts";
import { signIn } from "../harness/sign-in.ts";
import { startTestService, type TestService } from "../harness/start-test-service.ts";
import { createTestClock, type TestClock } from "../harness/test-clock.ts";

describe.skipIf(!testDatabaseUrl)("bio pages of two processes (runs with TEST_DATABASE_URL)", () => {
  let one: TestService;
  let other: TestService;
  const closers: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    const { databaseUrl, drop } = await migratedDatabase(testDatabaseUrl ?? "");
    closers.push(drop);
    const start = async (clock?: TestClock): Promise<TestService> => {
      const service = await startTestService({ databaseUrl, transcriber: null, ...(clock && { clock }) });
      closers.push(() => service.close());
      return service;
    };
    // To it a kept page is always new, so it looks again only when it hears of a change.
    const since = new Date();
    other = await start({ ...createTestClock(), now: () => since });
    one = await start();
  });
  afterAll(async () => {
    for (const close of closers.toReversed()) await close();
  });

  test("another process's change, takedown, rename or removal of a shown page appears", async () => {
    const person = await signIn(one, { email: "nodes@example.com" });
    await person.api("claimBioHandle", { handle: "two.nodes" });
    const page = (path = "/@two.nodes") => ask(other.url, path);
    const shows = async (
      check: (answer: Awaited<ReturnType<typeof page>>) => boolean,
      path?: string,
    ): Promise<void> => {
      await expect.poll(async () => check(await page(path))).toBe(true);
    };
    let signals = 0;
    const unsubscribe = other.store.subscribe("bioPages", () => (signals += 1));
    const hears = async (): Promise<number> => {
      await person.api("updateBioPage", { displayName: "Ana" });
      return signals;
    };
    await expect.poll(hears, { interval: 200 }).toBeGreaterThan(0);
    unsubscribe();
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
    const renamed = await page("/@two.nodes.now");
    expect(renamed.text).toContain("Ana after");
    expect((await page("/@two.nodes.now")).text, "it is kept").toBe(renamed.text);
    expect((await person.api("deleteAccount", { confirm: "nodes@example.com" })).status).toBe(200);
    await shows(({ status }) => status === 404, "/@two.nodes.now");
  });
});

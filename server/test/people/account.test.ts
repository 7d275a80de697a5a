import { describe, expect, onTestFinished, test, vi } from "vitest";
import { transcribe } from "../database/conformance/fixtures.ts";
import { rest } from "../harness/rest.ts";
import { press } from "../billing/payer.ts";
import { signIn, type SignedIn } from "../harness/sign-in.ts";
import { serviceOfTest, serviceOfTests } from "../harness/start-test-service.ts";
import { sixteenReels } from "../reports/golden.ts";
import { createGatedTranscriber } from "../harness/gated-transcriber.ts";

const transcriber = createGatedTranscriber();
const service = serviceOfTests({ transcriber });

const newReel = (): string => service.newReel({ handle: "cook.daily" });

/** A person who has some of everything. */
async function aFullPerson(email: string) {
  const person = await signIn(service, { email });
  const { key, secret } = (await person.api("createKey", { name: "Notebook" })).body;
  await person.api("createKey", { name: "Old" });
  const old = (await person.api("listKeys")).body.keys[1];
  await person.api("revokeKey", { id: old.id });
  const urls = [newReel(), newReel()];
  for (const url of urls) expect((await person.api("transcribeReel", { url })).status).toBe(200);
  const [, first] = (await person.api("searchMyScripts")).body.scripts;
  await person.api("setScriptTags", { id: first.id, tags: ["series", "Hooks"] });
  await person.api("saveSearch", { name: "Hooks of 2026", search: { tag: "Hooks", postedAfter: "2026-01-01" } });
  const report = (await person.api("importReport", sixteenReels)).body;
  await person.api("updateBioPage", { displayName: "Lena", links: [{ title: "Shop", url: "https://shop.example/" }] });
  return { person, key, secret, old, urls, report };
}

const exported = (person: SignedIn, query = "") => person.jar.fetch(`${service.url}/app/api/account/export${query}`);

describe("the export of an account", () => {
  test("has everything, whole, and no secret; as a file when asked for", async () => {
    const { person, key, secret, old, urls, report } = await aFullPerson("lena@example.com");
    const answer = await exported(person);
    expect(answer.headers.get("content-disposition")).toBeNull();
    const text = await answer.text();
    const all = JSON.parse(text);
    expect(all.account).toEqual((await person.api("getSession")).body.account);
    expect(all.keys).toEqual([
      { ...key, revokedAt: null },
      {
        id: old.id,
        name: "Old",
        lastFour: old.lastFour,
        createdAt: old.createdAt,
        lastUsedAt: null,
        expiresAt: null,
        readOnly: false,
        revokedAt: expect.any(String),
      },
    ]);
    expect(text).not.toContain(secret);
    expect(all.scripts.map(({ reelUrl }: { reelUrl: string }) => reelUrl)).toEqual(urls.toReversed());
    for (const script of all.scripts) {
      expect(script).toEqual((await person.api("getScript", { id: script.id })).body);
      expect(script.segments).toEqual([{ start: 0, end: 2, text: "The same sentence for every reel." }]);
    }
    expect(all.scripts.map(({ tags }: { tags?: string[] }) => tags)).toEqual([undefined, ["Hooks", "series"]]);
    expect(all.tags).toEqual((await person.api("listTags")).body.tags);
    expect(all.savedSearches).toEqual((await person.api("listSavedSearches")).body.searches);
    expect([all.tags.length, all.savedSearches.length]).toEqual([2, 1]);
    expect(all.reports).toEqual([report]);
    expect(all.bioPage).toEqual((await person.api("getMyBioPage")).body);

    const file = await exported(person, "?format=json");
    expect(file.headers.get("content-disposition")).toMatch(
      /^attachment; filename="reelscript-\d{4}-\d\d-\d\d\.json"$/,
    );
    expect(file.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect({ ...(await file.json()), exportedAt: 0 }).toEqual({ ...all, exportedAt: 0 });
    expect((await exported(person, "?format=xml")).status).toBe(400);
  });

  test("goes past every page of scripts and reports", async () => {
    const quiet = await serviceOfTest({ transcriber: null });
    const { accountId, jar } = await signIn(quiet, { email: "many@example.com" });
    const findings = { metrics: {}, topReels: [], insights: [] };
    const texts = Array.from({ length: 53 }, (_, index) => `script ${index}`);
    for (const [index, text] of texts.entries()) {
      const createdAt = new Date(Date.UTC(2026, 0, 1, 0, index));
      await transcribe(quiet.store, accountId, { text }, createdAt);
      const report = { handle: "h", createdAt, reelsAnalyzed: 1, timezone: "UTC", findings };
      await quiet.store.reports.add({ accountId, period: "lifetime", limit: null }, report);
    }
    const { scripts, reports } = await (await jar.fetch(`${quiet.url}/app/api/account/export`)).json();
    expect(scripts.map(({ transcript }: { transcript: string }) => transcript)).toEqual(texts.toReversed());
    expect(new Set(reports.map(({ id }: { id: string }) => id)).size).toBe(53);
  });
});

/** Somebody whose export has several pages: texts as long as they may be, which compress well. */
async function aPersonOfManyWords(scripts: number) {
  const email = `${newReel().split("/").at(-2)}@example.com`.toLowerCase();
  const person = await signIn(service, { email });
  const text = "The dough rests for an hour. ".repeat(3_400).trimEnd();
  for (let index = 0; index < scripts; index += 1)
    await transcribe(service.store, person.accountId, { text }, new Date(Date.UTC(2026, 0, 1, 0, index)));
  return person;
}

describe("an export that takes its time", () => {
  test("is one per account; the next begins after the first was read", async () => {
    const person = await aPersonOfManyWords(25);
    const first = await exported(person);
    const second = await exported(person);
    expect(second.status).toBe(429);
    expect(Number(second.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(second.headers.get("x-error-reason")).toBe("tooManyRequests");
    expect((await second.json()).error.code).toBe("rateLimited");
    expect((await first.json()).scripts).toHaveLength(25);
    const again = await exported(person);
    expect(again.status).toBe(200);
    expect((await again.json()).scripts).toHaveLength(25);
  });

  test("reads only the pages that its reader takes, and then stops", async () => {
    const person = await aPersonOfManyWords(60);
    const read = vi.spyOn(service.store.scripts, "listUnread");
    onTestFinished(() => read.mockRestore());
    const gone = new AbortController();
    const answer = await person.jar.fetch(`${service.url}/app/api/account/export`, { signal: gone.signal });
    const reader = answer.body!.getReader();
    await reader.read();
    // A page is behind the first byte; what sockets hold in between is less than all.
    await expect.poll(async () => read.mock.results.length).toBeGreaterThan(0);
    gone.abort();
    await expect.poll(async () => (await exported(person)).status).toBe(200);
    const pagesOfAll = 60 / 10;
    expect(read.mock.calls.length).toBeLessThan(2 * pagesOfAll);
  });

  test("that fails midway ends in a broken connection, never a partial file", async () => {
    const person = await aPersonOfManyWords(25);
    const read = vi.spyOn(service.store.scripts, "listUnread");
    const first = await service.store.scripts.listUnread(person.accountId);
    read.mockResolvedValueOnce(first).mockRejectedValueOnce(new Error("the disk is on fire"));
    onTestFinished(() => read.mockRestore());
    const answer = await exported(person);
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow("terminated");
    expect(service.faults.splice(0)).toMatchObject([{ error: { message: "the disk is on fire" } }]);
    read.mockRestore();
    expect((await exported(person)).status).toBe(200);
  });

  test("of an account that is deleted meanwhile breaks off", async () => {
    const person = await aPersonOfManyWords(60);
    const answer = await exported(person);
    const reader = answer.body!.getReader();
    await reader.read();
    expect(
      (await person.api("deleteAccount", { confirm: (await person.api("getSession")).body.account.email })).status,
    ).toBe(200);
    await expect(
      (async () => {
        while (!(await reader.read()).done);
      })(),
    ).rejects.toThrow("terminated");
  });
});

describe("deleting an account", () => {
  test("needs its address, and ends sessions, keys and everything else immediately", async () => {
    const { person, secret, report, urls } = await aFullPerson("gone@example.com");
    const bystander = await aFullPerson("stays@example.com");
    const elsewhere = await signIn(service, { email: "gone@example.com" });
    for (const confirm of ["", "yes", "stays@example.com", "gone@example.co"])
      expect(await person.api("deleteAccount", { confirm })).toMatchObject({
        status: 400,
        body: { error: { code: "invalidRequest", message: expect.stringContaining("`confirm`") } },
      });
    expect((await rest(service.url, "/usage", { key: secret })).status).toBe(200);

    expect(await person.api("deleteAccount", { confirm: " Gone@Example.COM " })).toMatchObject({
      status: 200,
      body: { id: person.accountId },
    });
    expect((await rest(service.url, "/usage", { key: secret })).status).toBe(401);
    for (const signedIn of [person, elsewhere]) expect((await signedIn.api("getSession")).status).toBe(401);
    expect(await service.store.accounts.find(person.accountId)).toBeUndefined();

    // A person who signs in again is a new account, and finds only the transcripts of the shared cache.
    const again = await signIn(service, { email: "gone@example.com" });
    expect(again.accountId).not.toBe(person.accountId);
    expect((await again.api("getCompetitorReport", { id: report.id })).status).toBe(404);
    expect((await again.api("listScriptAccounts")).body.total).toBe(0);
    expect((await again.api("getMyBioPage")).body.revision).toBe(0);
    expect((await again.api("transcribeReel", { url: urls[0] })).body.cached).toBe(true);

    const keptData = await (await exported(bystander.person)).json();
    expect([keptData.scripts.length, keptData.reports.length, keptData.bioPage.displayName]).toEqual([2, 1, "Lena"]);
    expect((await rest(service.url, "/usage", { key: bystander.secret })).status).toBe(200);
  });

  test("lets a transcription under way end for everybody else", async () => {
    const person = await signIn(service, { email: "hasty@example.com" });
    const url = newReel();
    transcriber.close();
    const answer = person.api("transcribeReel", { url });
    await expect.poll(async () => (await service.store.transcriptions.queueLength()) === 1).toBe(true);
    expect((await person.api("deleteAccount", { confirm: "hasty@example.com" })).status).toBe(200);
    const other = await signIn(service, { email: "patient@example.com" });
    expect((await other.api("transcribeReel", { url })).status).toBe(409);
    transcriber.open();
    expect((await answer).status).toBe(401);
    await expect.poll(async () => service.store.transcriptions.queueLength()).toBe(0);
    expect(await other.api("transcribeReel", { url })).toMatchObject({
      status: 200,
      body: { cached: true, transcript: "The same sentence for every reel." },
    });
    expect(await service.store.accounts.find(person.accountId)).toBeUndefined();
    expect((await service.store.scripts.search(person.accountId, { sort: "date", limit: 1 })).total).toBe(0);
  });
});

const usage = async (person: SignedIn) => {
  const { plan, transcriptions, posts } = (await person.api("getUsage")).body;
  return { plan, units: transcriptions.used, limit: transcriptions.limit, posts: posts.used };
};

const transcribeReels = async (person: SignedIn, times: number): Promise<void> => {
  for (let time = 0; time < times; time += 1)
    expect((await person.api("transcribeReel", { url: newReel() })).status).toBe(200);
};

test("the sample reel is free; other reels and keys are charged", async () => {
  const person = await signIn(service, { email: "first-visit@example.com" });
  const { sampleReelUrl: url } = (await person.api("getSession")).body;
  expect((await person.api("transcribeReel", { url })).body).toMatchObject({
    cached: false,
    transcript: "The same sentence for every reel.",
    usage: { used: 0 },
  });
  expect(await usage(person)).toMatchObject({ units: 0 });
  await transcribeReels(person, 1);
  expect(await usage(person)).toMatchObject({ units: 1 });
});

const leave = async (person: SignedIn, email: string): Promise<void> => {
  expect((await person.api("deleteAccount", { confirm: email })).status).toBe(200);
};

test("a returning person keeps the deleted account's usage", async () => {
  const email = "again@example.com";
  const first = await signIn(service, { email });
  await transcribeReels(first, 3);
  expect((await first.api("importReport", sixteenReels)).status).toBe(200);
  const { secret } = (await first.api("createKey", { name: "Notebook" })).body;
  const byKey = await rest(service.url, "/transcribe", { method: "POST", key: secret, body: { url: newReel() } });
  expect(byKey.status).toBe(200);
  expect((await first.api("claimBioHandle", { handle: "cups.and.more" })).status).toBe(200);
  const free = { plan: "free", units: 3, limit: 10, posts: 16 };
  expect(await usage(first)).toEqual(free);
  await leave(first, email);

  const bystander = await signIn(service, { email: "new@example.com" });
  expect(await usage(bystander)).toEqual({ ...free, units: 0, posts: 0 });
  expect((await bystander.api("claimBioHandle", { handle: "cups.and.more" })).body.error.message).toContain("is taken");

  const second = await signIn(service, { email });
  expect(second.accountId).not.toBe(first.accountId);
  expect(await usage(second)).toEqual(free);
  const { secret: newSecret } = (await second.api("createKey", { name: "Notebook" })).body;
  expect((await rest(service.url, "/usage", { key: newSecret })).body.transcriptions).toMatchObject({ used: 1 });

  const paying = (await second.api("startCheckout", { plan: "hobby" })).body.url;
  await press(paying, "pay");
  await transcribeReels(second, 2);
  expect(await usage(second)).toMatchObject({ plan: "hobby", units: 2, limit: 250 });
  await leave(second, email);

  const third = await signIn(service, { email });
  expect(await usage(third)).toEqual(free);
  await transcribeReels(third, 7);
  const refused = await third.api("transcribeReel", { url: newReel() });
  expect([refused.status, refused.body.error.code]).toEqual([403, "limitReached"]);
  await leave(third, email);
  expect(await usage(await signIn(service, { email }))).toEqual({ ...free, units: 10 });
  expect(await usage(bystander)).toEqual({ ...free, units: 0, posts: 0 });
});

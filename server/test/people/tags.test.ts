import { expect, test } from "vitest";
import { transcribe } from "../database/conformance/fixtures.ts";
import { signInNew } from "../harness/sign-in.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";
import { sixteenReels } from "../reports/golden.ts";

const service = serviceOfTests({ transcriber: null });
/** Eleven UTF-16 units, and one character to people. */
const family = "👩‍👩‍👧‍👦";

test("names and titles are counted in characters that people see", async () => {
  const owner = await signInNew(service);
  await transcribe(service.store, owner.accountId);
  const [{ id }] = (await owner.api("searchMyScripts")).body.scripts;
  const { id: report } = (await owner.api("importReport", sixteenReels)).body;
  const search = { tag: "Hooks" };
  for (const [most, statusOf] of [
    [40, async (name: string) => (await owner.api("setScriptTags", { id, tags: [name] })).status],
    [60, async (name: string) => (await owner.api("saveSearch", { name, search })).status],
    [120, async (title: string) => (await owner.api("createReportLink", { id: report, title })).status],
  ] as const)
    for (const character of [family, "🇵🇹", "e\u0301\u0323", "x"])
      expect([await statusOf(character.repeat(most)), await statusOf(character.repeat(most + 1))]).toEqual([200, 400]);
});

test("tags are nobody else's, and searches get names", async () => {
  const owner = await signInNew(service);
  const stranger = await signInNew(service);
  await transcribe(service.store, owner.accountId);
  const [{ id }] = (await owner.api("searchMyScripts")).body.scripts;
  expect((await owner.api("tagScripts", { ids: [id], add: ["Hooks"] })).body).toEqual({ scripts: 1 });
  expect((await stranger.api("tagScripts", { ids: [id], add: ["Theirs"] })).body).toEqual({
    scripts: 0,
    unknownIds: [id],
  });
  expect((await owner.api("listTags")).body).toEqual({ tags: [{ name: "Hooks", scripts: 1 }], limit: 20 });
  expect((await stranger.api("listTags")).body.tags).toEqual([]);
  const search = { tag: "Hooks", sort: "likes" } as const;
  const saved = await owner.api("saveSearch", { name: " Best hooks ", search });
  expect(saved).toMatchObject({ status: 200, body: { name: "Best hooks", search } });
  await owner.api("saveSearch", { name: "BEST HOOKS", search: { query: "salt" } });
  expect((await owner.api("listSavedSearches")).body.searches).toMatchObject([{ search: { query: "salt" } }]);
  for (let count = 1; count < 20; count += 1) await owner.api("saveSearch", { name: `Search ${count}`, search });
  expect(await owner.api("saveSearch", { name: "One more", search })).toMatchObject({
    status: 403,
    body: { error: { code: "limitReached" } },
  });
  expect((await stranger.api("deleteSavedSearch", { id: saved.body.id })).status).toBe(404);
  expect((await owner.api("deleteSavedSearch", { id: saved.body.id })).status).toBe(200);
  expect((await owner.api("listSavedSearches")).body.searches).toHaveLength(19);
});

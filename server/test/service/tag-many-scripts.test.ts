import { expect, test } from "vitest";
import { transcribe } from "../database/conformance/fixtures.ts";
import { connectAgent } from "../harness/connect-mcp.ts";
import { rest } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const service = serviceOfTests({ transcriber: null });

async function libraryOf(texts: readonly string[]) {
  const { accountId, key } = await service.createCaller();
  for (const text of texts) await transcribe(service.store, accountId, { text });
  const { scripts } = (await rest(service.url, "/scripts?limit=50", { key })).body;
  const tagsOf = async (): Promise<Record<string, string[]>> =>
    Object.fromEntries(
      (await rest(service.url, "/scripts?limit=50", { key })).body.scripts.map(
        ({ transcript, tags = [] }: { transcript: string; tags?: string[] }) => [transcript, tags],
      ),
    );
  return { key, ids: scripts.map(({ id }: { id: string }) => id) as string[], tagsOf };
}

const patch = (key: string, body: object) => rest(service.url, "/scripts", { key, method: "PATCH", body });

test("many scripts are tagged by ids or by a search, and keep their other tags", async () => {
  const { key, ids, tagsOf } = await libraryOf(["Salt the dough.", "Salt the pan.", "Ride a bicycle."]);
  expect(await patch(key, { ids, add: ["Old", "Best"] })).toMatchObject({ status: 200, body: { scripts: 3 } });
  expect((await patch(key, { search: { query: "salt" }, add: ["Cooking"], remove: ["old"] })).body.scripts).toBe(2);
  expect(await tagsOf()).toEqual({
    "Salt the dough.": ["Best", "Cooking"],
    "Salt the pan.": ["Best", "Cooking"],
    "Ride a bicycle.": ["Best", "Old"],
  });
  expect((await patch(key, { search: { tag: "best" }, remove: ["Best"] })).body.scripts).toBe(3);
  expect((await patch(key, { search: { query: "nowhere" }, add: ["None"] })).body.scripts).toBe(0);
  const stranger = await libraryOf(["Salt the soup."]);
  expect((await patch(stranger.key, { ids: [...ids, ids[0]], add: ["Theirs"] })).body).toEqual({
    scripts: 0,
    unknownIds: ids,
  });
  for (const body of [{ add: ["x"] }, { ids, search: {}, add: ["x"] }, { search: { acount: "ana" }, add: ["x"] }])
    expect((await patch(key, body)).status, JSON.stringify(body)).toBe(400);
});

test("scripts that are named by id are whole, and ids of none are named in the answer", async () => {
  const { key, ids } = await libraryOf(["Salt the dough."]);
  const { body } = await rest(service.url, `/scripts?ids=scr_other, ${ids[0]},scr_other&limit=5`, { key });
  expect([body.scripts.length, body.total, body.unknownIds]).toEqual([1, 1, ["scr_other"]]);
  const { call, close } = await connectAgent(service.url, key);
  const list = await call("list_my_scripts", { ids: [ids[0]!, "rep_1"] });
  expect([list.text, list.data]).toEqual([
    expect.stringContaining("Not ids of scripts in the library: rep_1"),
    expect.objectContaining({ unknownIds: ["rep_1"] }),
  ]);
  for (const more of [{ tag: "Old" }, { csv: true }, { deleted: true }, { subtitles: "srt", account: "ana" }])
    expect((await call("list_my_scripts", { ids: [ids[0]!], ...more })).text).toMatch(/^\[invalidRequest\].*`ids`/);
  await close();
});

test("a query without a word tags nothing, also where a list shows the whole library", async () => {
  const { key, tagsOf } = await libraryOf(["Salt the dough.", "Ride a bicycle."]);
  for (const query of ["", "  ", "…", '""', "?! -"]) {
    const refused = await patch(key, { search: { query }, add: ["Everything"] });
    expect([refused.status, refused.body.error.message], query).toEqual([400, expect.stringMatching(/`query`.*word/)]);
  }
  expect((await rest(service.url, "/scripts?query=%20", { key })).body.total).toBe(2);
  expect(await tagsOf()).toEqual({ "Salt the dough.": [], "Ride a bicycle.": [] });
});

test("an agent tags all about cooking in one call", async () => {
  const { key, ids, tagsOf } = await libraryOf(["Salt the dough.", "Salt the pan.", "Ride a bicycle."]);
  const { call, close } = await connectAgent(service.url, key);
  await call("update_script", { id: ids[0]!, tags: ["Mine"] });
  const { text, data } = await call("update_script", { query: "salt", add: ["Cooking"] });
  expect([text, data]).toEqual(["2 scripts now have Cooking. Other tags stay.", { scripts: 2 }]);
  expect((await call("update_script", { ids, add: ["All"], remove: ["Cooking"] })).data).toEqual({ scripts: 3 });
  const mixed = await call("update_script", { ids: [ids[2]!, "scr_nowhere"], remove: ["Nothing"] });
  expect(mixed.text).toBe(
    "1 script no longer has Nothing. Other tags stay.\nNot ids of scripts in the library: scr_nowhere",
  );
  expect(
    Object.values(await tagsOf())
      .flat()
      .toSorted(),
  ).toEqual(["All", "All", "All", "Mine"]);
  for (const wrong of [
    { ids, tags: [] },
    { query: "salt", deleted: true },
    { add: ["x"] },
    { id: ids[0]!, ids, add: [] },
  ])
    expect((await call("update_script", wrong)).text).toMatch(/^\[invalidRequest\] .*needs/);
  await close();
});

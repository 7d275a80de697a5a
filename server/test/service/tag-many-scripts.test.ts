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
  expect((await patch(stranger.key, { ids, add: ["Theirs"] })).body.scripts).toBe(0);
  for (const body of [{ add: ["x"] }, { ids, search: {}, add: ["x"] }, { search: { acount: "ana" }, add: ["x"] }])
    expect((await patch(key, body)).status, JSON.stringify(body)).toBe(400);
});

test("an agent tags all about cooking in one call", async () => {
  const { key, ids, tagsOf } = await libraryOf(["Salt the dough.", "Salt the pan.", "Ride a bicycle."]);
  const { call, close } = await connectAgent(service.url, key);
  await call("update_script", { id: ids[0]!, tags: ["Mine"] });
  const { text, data } = await call("update_script", { query: "salt", add: ["Cooking"] });
  expect([text, data]).toEqual(["2 scripts now have Cooking. Their other tags stay.", { scripts: 2 }]);
  expect((await call("update_script", { ids, add: ["All"], remove: ["Cooking"] })).data).toEqual({ scripts: 3 });
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

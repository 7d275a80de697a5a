import { describe, expect, test } from "vitest";
import { after, transcribe } from "../database/conformance/fixtures.ts";
import { connectAgent } from "../harness/connect-mcp.ts";
import { rest } from "../harness/rest.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

const service = serviceOfTests({ transcriber: null });

const texts = [
  "Two weasels ran, and the weasels slept.",
  "One touch tone phone.",
  "A node.js course, and the weasels.",
  "Herr Müller kocht.",
];

async function createLibrary() {
  const { accountId, key } = await service.createCaller();
  for (const [place, text] of texts.entries())
    await transcribe(
      service.store,
      accountId,
      { text, caption: null, handle: "office.bloopers", displayName: "Funny Desk" },
      after(place, service.clock.now()),
    );
  return { key };
}

describe("a search that nothing matches", () => {
  test.each([
    ["weasles", "weasels", 2],
    ["weasles slept", "weasels slept", 1],
    ["Two, Weasles!", "Two, weasels!", 1],
    ["touchtone", '"touch tone"', 1],
    ["@ofice.bloopers", "@office.bloopers", 4],
    ["mullerr kocht", "muller kocht", 1],
  ])("%j answers with the matches of %j", async (query, instead, total) => {
    const { key } = await createLibrary();
    const { body } = await rest(service.url, `/scripts?query=${encodeURIComponent(query)}`, { key });
    expect(body).toMatchObject({ instead, total });
    expect(body.scripts).toHaveLength(total);
  });

  test.each(["weasels", "zebras", '"weasles"', "two phone", "ran!", "one"])(
    "%j needs or has no other words",
    async (query) => {
      const { key } = await createLibrary();
      const { body } = await rest(service.url, `/scripts?query=${encodeURIComponent(query)}`, { key });
      expect(body).not.toHaveProperty("instead");
    },
  );

  test("continues with the same words on the next page, and marks them", async () => {
    const { key } = await createLibrary();
    const first = (await rest(service.url, "/scripts?query=weasles&limit=1", { key })).body;
    const next = await rest(service.url, `/scripts?query=weasles&limit=1&cursor=${first.nextCursor}`, { key });
    expect(next.body).toMatchObject({ instead: "weasels", total: 2, scripts: [{ transcript: texts[0] }] });
    expect(first.scripts[0].snippet).toContainEqual({ text: "weasels", hit: true });
  });

  test("says so to agents", async () => {
    const { key } = await createLibrary();
    const { call, close } = await connectAgent(service.url, key);
    expect((await call("search_my_scripts", { query: "weasles" })).data).toMatchObject({
      instead: "weasels",
      total: 2,
    });
    await close();
  });
});

test.each([
  ["nodejs", "node.js"],
  ["touchtone phone", "phone"],
  ["mueller", "Müller"],
])("the snippet of %j marks %j", async (query, text) => {
  const { key } = await createLibrary();
  const { body } = await rest(service.url, `/scripts?query=${encodeURIComponent(query)}`, { key });
  expect(body.scripts[0].snippet).toContainEqual({ text, hit: true });
});

import { beforeAll, expect, test } from "vitest";
import { transcribe } from "../database/conformance/fixtures.ts";
import { ingestCollection } from "../../src/features/reports/ingest-collection.ts";
import { connectAgent } from "../harness/connect-mcp.ts";
import { serviceOfTests } from "../harness/start-test-service.ts";

/** Each of these jobs, which people give to agents, takes at most so many calls of tools, and none is refused. */
const mostCalls = 3;

const service = serviceOfTests({ transcriber: null });
let key: string;

beforeAll(async () => {
  const caller = await service.createCaller({ plan: "creator" });
  ({ key } = caller);
  const now = service.clock.now();
  for (const [index, topic] of ["cooking", "coffee", "bread", "cooking"].entries()) {
    const text = `Nobody tells you this about ${topic}. Then we wait, and it costs nothing at all.`;
    const said = { text, caption: topic, handle: "ana.coffee", views: 1_000 * (index + 1), likes: 10, comments: 1 };
    // oxlint-disable-next-line no-await-in-loop -- scripts are listed in the order in which they were added
    await transcribe(service.store, caller.accountId, said, now, {
      segments: [{ start: index, end: index + 9, text }],
    });
  }
  const account = (await service.store.accounts.find(caller.accountId))!;
  const take = ingestCollection({ reports: service.store.reports, clock: service.clock });
  for (const handle of ["ana.coffee", "cook.daily"]) {
    const reels = Array.from({ length: 12 }, (_, index) => ({
      url: `https://www.instagram.com/reel/DLlGZ${handle.length}${String(index).padStart(5, "0")}/`,
      views: 1_000 + index * 500,
      likes: 40,
      comments: 4,
      postedAt: new Date(now.getTime() - (index + 5) * 86_400_000).toISOString(),
    }));
    // oxlint-disable-next-line no-await-in-loop -- an account's reports are stored one after another
    await take(account, { handle, timezone: "UTC", collectedAt: now.toISOString(), reels });
  }
});

type Call = Awaited<ReturnType<typeof connectAgent>>["call"];

const jobs: Readonly<Record<string, (call: Call) => Promise<void>>> = {
  "hooks of the best reels as CSV": async (call) => {
    const { data } = await call("list_my_scripts", { account: "ana.coffee", sort: "views", csv: true });
    const table = await (await fetch(data.url)).text();
    expect(table).toContain("Nobody tells you this about bread.");
  },
  "the second at which a word is said": async (call) => {
    expect((await call("search_my_scripts", { query: "bread" })).data.scripts[0].at).toBeGreaterThanOrEqual(2);
  },
  "why a competitor's post worked": async (call) => {
    const { data } = await call("get_competitor_report", { handle: "cook.daily" });
    expect(data.topReels.length).toBeGreaterThan(0);
  },
  "a bio page of five links": async (call) => {
    const links = ["one", "two", "three", "four", "five"].map((title) => ({
      title,
      url: `https://example.com/${title}`,
    }));
    expect((await call("update_bio_page", { displayName: "Ana", links })).data.links).toHaveLength(5);
  },
  "the quota and its reset": async (call) => {
    expect((await call("get_my_usage")).data).toMatchObject({ transcriptions: { limit: expect.any(Number) } });
  },
  "the transcripts of several reels": async (call) => {
    const { data } = await call("list_my_scripts", { detail: "full", limit: 3 });
    expect(data.scripts).toHaveLength(3);
  },
  "a deletion undone": async (call) => {
    const [{ id }] = (await call("list_my_scripts", { limit: 1 })).data.scripts;
    await call("update_script", { id, deleted: true });
    await call("update_script", { id, deleted: false });
  },
  "subtitles of 32 letters a line": async (call) => {
    const [{ id }] = (await call("list_my_scripts", { limit: 1 })).data.scripts;
    const { text } = await call("list_my_scripts", { ids: [id], subtitles: "srt", maxLineLength: 32 });
    for (const line of text.split("\n").filter((one) => !one.includes("-->"))) expect(line.length).toBeLessThan(33);
  },
  "two accounts compared": async (call) => {
    const reports = await Promise.all(
      ["ana.coffee", "cook.daily"].map((handle) => call("get_competitor_report", { handle })),
    );
    for (const { data } of reports) expect(data.metrics.avgViews).toBeGreaterThan(0);
  },
  "all scripts about cooking tagged": async (call) => {
    expect((await call("update_script", { query: "cooking", add: ["Cooking"] })).data.scripts).toBe(2);
  },
};

test.each(Object.entries(jobs))("%s", async (_, work) => {
  const { call, close } = await connectAgent(service.url, key);
  let calls = 0;
  await work(async (name, input) => {
    calls += 1;
    const answer = await call(name, input);
    expect(answer.isError, answer.text).toBe(false);
    return answer;
  });
  await close();
  expect(calls).toBeLessThanOrEqual(mostCalls);
});

/** Bare Fastify routes that run given statements on the same database, and nothing else. */
import Fastify from "fastify";
import { openEmbeddedEngine } from "../../server/dist/adapters/database/engine/embedded/embedded-engine.js";
import { answerParent } from "./child.mjs";

let engine;
let app;

answerParent({
  /** `cached` and `searches` are `[what the request names, its statements]`; dates among their values become now. */
  async open({ dataDirectory, cached, searches }) {
    engine = await openEmbeddedEngine(dataDirectory);
    const statementsOfReel = new Map(cached);
    const statementsOfSearch = new Map(searches);
    app = Fastify();
    app.post("/transcribe", async (request) => {
      const rows = await runAll(statementsOfReel.get(request.body.url));
      const { text, language } = rows.find((row) => "text" in row);
      const { used } = rows.find((row) => "used" in row) ?? { used: 0 };
      return { transcript: text, language, cached: true, usage: { used, limit: 1_000 } };
    });
    app.get("/scripts", async (request) => {
      const rows = (await runAll(statementsOfSearch.get(request.query.query))).filter((row) => "text" in row);
      const scripts = rows.map(({ id, reel, text, language, created_at: createdAt }) => ({
        id,
        reelUrl: reel.url,
        account: reel.author.handle,
        caption: reel.caption,
        transcript: text,
        language,
        views: reel.views,
        likes: reel.likes,
        comments: reel.comments,
        engagementRate: ((reel.likes + reel.comments) / reel.views) * 100,
        postedAt: reel.postedAt,
        transcribedAt: createdAt.toISOString(),
      }));
      return { scripts, total: rows[0]?.total ?? 0 };
    });
    await app.listen({ host: "127.0.0.1", port: 0 });
    return { port: app.server.address().port };
  },
  cpuMilliseconds() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  async close() {
    await app.close();
    await engine.close();
  },
});

async function runAll(statements) {
  if (statements === undefined) throw new Error("no statements are known for this request");
  const rows = [];
  for (const { name, text, values } of statements) {
    const current = values.map((value) => (value instanceof Date ? new Date() : value));
    rows.push(...(await engine.pool.query({ name, text, values: current })).rows);
  }
  return rows;
}

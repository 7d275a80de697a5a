/** Bare Fastify routes that run given statements on the same database, and nothing else. */
import type { AddressInfo } from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import { type EmbeddedEngine, openEmbeddedEngine } from "#server/adapters/database/engine/embedded/embedded-engine.ts";
import { answerParent } from "./child.ts";
import { cpuMilliseconds } from "./process-times.ts";
import type { Statement } from "./slow-statements.ts";

let engine: EmbeddedEngine;
let app: FastifyInstance;

/** What a request names, and its statements; dates among their values become now. */
export type NotedRequest = readonly [string, readonly Statement[]];

const methods = {
  async open({
    dataDirectory,
    cached,
    searches,
  }: {
    readonly dataDirectory: string;
    readonly cached: readonly NotedRequest[];
    readonly searches: readonly NotedRequest[];
  }) {
    engine = await openEmbeddedEngine(dataDirectory);
    const statementsOfReel = new Map(cached);
    const statementsOfSearch = new Map(searches);
    app = Fastify();
    app.post<{ Body: { url: string } }>("/transcribe", async (request) => {
      const rows = await runAll(statementsOfReel.get(request.body.url));
      const { text, language } = rows.find((row) => "text" in row)!;
      const { used } = rows.find((row) => "used" in row) ?? { used: 0 };
      return { transcript: text, language, cached: true, usage: { used, limit: 1_000 } };
    });
    app.get<{ Querystring: { query: string } }>("/scripts", async (request) => {
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
    return { port: (app.server.address() as AddressInfo).port };
  },
  cpuMilliseconds,
  async close() {
    await app.close();
    await engine.close();
  },
};
export type BareRouteMethods = typeof methods;
answerParent(methods);

// oxlint-disable-next-line typescript/no-explicit-any -- rows of whatever the service asks
async function runAll(statements: readonly Statement[] | undefined): Promise<Record<string, any>[]> {
  if (statements === undefined) throw new Error("no statements are known for this request");
  const rows: object[] = [];
  for (const { name, text, values = [] } of statements) {
    const current = values.map((value) => (value instanceof Date ? new Date() : value));
    rows.push(...(await engine.pool.query({ name, text, values: current })).rows);
  }
  return rows;
}

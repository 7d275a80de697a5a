/** Bare Fastify routes that run given statements on the same database, or answer given bytes, and nothing else. */
import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { type EmbeddedEngine, openEmbeddedEngine } from "#server/adapters/database/engine/embedded/embedded-engine.ts";
import type { Statement } from "./probe.ts";

/** A request's name and its statements; dates among their values become the current time. */
export type NotedRequest = readonly [string, readonly Statement[]];

export interface BareRoutes {
  readonly dataDirectory: string;
  readonly cached: readonly NotedRequest[];
  readonly searches: readonly NotedRequest[];
  readonly page: {
    readonly path: string;
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
    readonly body: Uint8Array;
  };
}

process.once("message", (routes: BareRoutes) => void serve(routes));
// A terminal's Ctrl-C reaches the whole group; the parent ends its children.
process.on("SIGINT", () => undefined);

async function serve({ dataDirectory, cached, searches, page }: BareRoutes): Promise<void> {
  const engine = await openEmbeddedEngine({ dataDirectory });
  const statementsOfReel = new Map(cached);
  const statementsOfSearch = new Map(searches);
  const app = Fastify();
  app.post<{ Body: { url: string } }>("/transcribe", async (request) => {
    const rows = await runAll(engine, statementsOfReel.get(request.body.url));
    const { text, language } = rows.find((row) => "text" in row)!;
    const { used } = rows.find((row) => "used" in row) ?? { used: 0 };
    return { transcript: text, language, cached: true, usage: { used, limit: 1_000 } };
  });
  app.get<{ Querystring: { query: string } }>("/scripts", async (request) => {
    const rows = (await runAll(engine, statementsOfSearch.get(request.query.query))).filter((row) => "text" in row);
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
  const bytes = Buffer.from(page.body);
  app.get(page.path, async (_request, reply) => reply.headers(page.headers).send(bytes));
  await app.listen({ host: "127.0.0.1", port: 0 });
  process.on("disconnect", () => {
    void app
      .close()
      .then(() => engine.close())
      .finally(() => process.exit());
  });
  process.send!((app.server.address() as AddressInfo).port);
}

// oxlint-disable-next-line typescript/no-explicit-any -- rows of whatever the service asks
async function runAll(engine: EmbeddedEngine, statements: readonly Statement[] = []): Promise<Record<string, any>[]> {
  const rows: object[] = [];
  for (const { name, text, values } of statements) {
    const current = values.map((value) => (value instanceof Date ? new Date() : value));
    rows.push(...(await engine.pool.query({ name, text, values: current })).rows);
  }
  return rows;
}

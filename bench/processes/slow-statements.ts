import pg from "pg";

/** As the service sets them. */
const settings = "set enable_seqscan = off; set jit = off; set work_mem = '16MB'; set timezone = 'UTC'";
const mostLines = 4;

/** As `pg` is given it. */
export interface Statement {
  readonly name?: string | undefined;
  readonly text: string;
  readonly values?: unknown[] | undefined;
}
type Slowest = Map<string, Statement & { readonly took: number }>;
type Query = (this: pg.Client, config: Statement | string, ...others: unknown[]) => unknown;

/** Has every query of this process pass by `watch`, which gets it as it is and runs it. */
export function passQueriesBy(
  watch: (config: Statement | string, run: () => unknown, values: unknown) => unknown,
): void {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  prototype.query = function passed(config, ...others) {
    return watch(config, () => query.call(this, config, ...others), others[0]);
  };
}

/** Notes the slowest run of each statement of this process that takes longer than `milliseconds`, by name. */
export function watchStatements(milliseconds: number): Slowest {
  const slowest: Slowest = new Map();
  passQueriesBy((config, run) => {
    const answer = run();
    if (typeof config === "string" || config.name === undefined || !(answer instanceof Promise)) return answer;
    const { name } = config;
    const from = performance.now();
    return answer.then((result: unknown) => {
      const took = performance.now() - from;
      if (took > milliseconds && took > (slowest.get(name)?.took ?? 0)) slowest.set(name, { ...config, took });
      return result;
    });
  });
  return slowest;
}

/** How long it takes and the first nodes of its plan; undefined for all but queries that only read. */
export async function explain(
  client: pg.Client,
  { text, values = [] }: Statement,
): Promise<{ milliseconds: number; lines: string[] } | undefined> {
  if (!/^\s*(?:select|with)\b/i.test(text) || /\b(?:insert into|delete from|update) /i.test(text)) return undefined;
  await client.query(settings);
  const { rows } = await client.query<{ "QUERY PLAN": string }>({ text: `explain (analyze, buffers) ${text}`, values });
  const lines = rows.map((row) => row["QUERY PLAN"]);
  return {
    milliseconds: Number(/[\d.]+/.exec(lines.at(-1) ?? "")?.[0]),
    lines: lines.filter((line) => line.includes("actual")).slice(0, mostLines),
  };
}

import { readFile } from "node:fs/promises";
import type pg from "pg";
import type { OpenedStore } from "#server/adapters/database/open-store.ts";
import { type AccountsBySize, wordOf } from "./fill-libraries.ts";
import type { Report } from "./report.ts";
import { median, p99 } from "./statistics.ts";

const smallAim = 5;
const largeAim = 100;

type Search = Parameters<OpenedStore["scripts"]["search"]>[1];
type SearchResult = Awaited<ReturnType<OpenedStore["scripts"]["search"]>>;
interface Time {
  readonly wall: number;
  readonly processor: number;
}

const top = wordOf(0);
const common = wordOf(8);
const medium = wordOf(100);
const rare = wordOf(3_500);
/** A space after a word means that the word is complete. */
const kinds: Readonly<Record<string, Partial<Search>>> = {
  "list by date": { sort: "date" },
  "list by views": { sort: "views" },
  "list by engagement": { sort: "engagement" },
  "most frequent word": { query: `${top} ` },
  "common word, by views": { query: `${common} `, sort: "views" },
  "medium word": { query: `${medium} ` },
  "rare word": { query: `${rare} ` },
  "prefix of 2 letters": { query: common.slice(0, 2) },
  "prefix of 4, by engagement": { query: common.slice(0, 4), sort: "engagement" },
  "word and prefix": { query: `${medium} ${common.slice(0, 4)}` },
  "phrase of frequent words": { query: `"${top} ${wordOf(1)}"` },
  "one handle": { handle: "creator.7" },
};

/** Measures every kind of list and search in libraries of `sizes`, the largest last, at most `most` of each size. */
export async function measureSearches(
  report: Report,
  client: pg.Client,
  {
    store,
    accounts,
    sizes,
    rounds,
    most,
  }: {
    readonly store: OpenedStore;
    readonly accounts: AccountsBySize;
    readonly sizes: readonly number[];
    readonly rounds: number;
    readonly most: number;
  },
): Promise<void> {
  const processorTime = databaseClock(client);
  const rows: (Time & { readonly name: string; readonly size: number })[] = [];
  const timed = async (
    owner: string,
    search: Search,
    row: { readonly name: string; readonly size: number } | undefined,
  ) => {
    const before = await processorTime();
    const from = performance.now();
    const result = await store.scripts.search(owner, search);
    const wall = performance.now() - from;
    if (row) rows.push({ ...row, wall, processor: (await processorTime()) - before });
    return result;
  };
  for (const size of sizes) {
    const owners = accounts.get(size)!.slice(0, most);
    for (const [name, kind] of Object.entries(kinds))
      for (let round = -owners.length; round < rounds && owners.length > 0; round += 1) {
        const owner = owners[(round + owners.length) % owners.length]!;
        const search: Search = { sort: "date", limit: 20, ...kind };
        const { next } = await timed(owner, search, round < 0 ? undefined : { name, size });
        if (name === "common word, by views" && next !== undefined)
          await timed(
            owner,
            { ...search, after: lastPage(next) },
            round < 0 ? undefined : { name: "its last page", size },
          );
      }
  }
  const valuesOf = (part: keyof Time, name: string, size: number): number[] =>
    rows.filter((row) => row.name === name && row.size === size).map((row) => row[part]);
  const names = [...new Set(rows.map(({ name }) => name))];
  for (const part of ["wall", "processor"] as const) {
    const cell = (values: readonly number[]): string =>
      values.length > 0 ? `${median(values).toFixed(1)} / ${p99(values).toFixed(1)}` : "–";
    report.table(
      [`${part} time, p50 / p99 in ms`, ...sizes.map((size) => `${size} scripts`)],
      names.map((name) => [name, ...sizes.map((size) => cell(valuesOf(part, name, size)))]),
    );
  }
  report.figures(
    sizes.map((size) => ({
      what: `slowest kind in libraries of ${size}, p50 of wall time`,
      value: Math.max(
        ...names
          .map((name) => valuesOf("wall", name, size))
          .filter((values) => values.length > 0)
          .map((values) => median(values)),
      ),
      unit: "ms" as const,
      digits: 1,
      atMost: size === sizes.at(-1) ? largeAim : smallAim,
    })),
  );
}

/**
 * Milliseconds that the server's processes for services have computed, including those that ended; 0 if the system does not
 * say.
 */
export function databaseClock(client: pg.Client): () => Promise<number> {
  const times = new Map<number, number>();
  return async () => {
    const { rows } = await client.query<{ pid: number }>(
      "select pid from pg_stat_activity where application_name = 'reelscript'",
    );
    for (const { pid } of rows) {
      const text = await readFile(`/proc/${pid}/schedstat`, "utf8").catch(() => undefined);
      if (text !== undefined) times.set(pid, Number(text.split(" ")[0]) / 1e6);
    }
    return [...times.values()].reduce((sum, time) => sum + time, 0);
  };
}

/** Near the end of a list by views, whose values are evenly distributed below a million. */
const lastPage = (next: NonNullable<SearchResult["next"]>): NonNullable<SearchResult["next"]> => ({
  ...next,
  sortedBy: 200,
  number: Number.MAX_SAFE_INTEGER,
});

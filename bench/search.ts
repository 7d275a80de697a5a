import type { OpenedStore } from "#server/adapters/database/open-store.ts";
import type { Report } from "./report.ts";
import { wordOf } from "./libraries/seed-library.ts";
import type { AccountsBySize } from "./libraries/seed-server-library.ts";
import { median, p99 } from "./statistics.ts";

const smallAim = 5;
const largeAim = 100;

type Search = Parameters<OpenedStore["scripts"]["search"]>[1];
type Found = Awaited<ReturnType<OpenedStore["scripts"]["search"]>>;
interface Time {
  readonly wall: number;
  readonly processor: number;
}

const [top, common, medium, rare] = [wordOf(0), wordOf(8), wordOf(100), wordOf(3_500)];
/** A space behind a word: it is finished. */
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

/** Every kind of list and search in libraries of `sizes`, the largest last. */
export async function measureSearches({
  report,
  store,
  accounts,
  sizes,
  rounds,
  most,
  processorTime,
}: {
  readonly report: Report;
  readonly store: OpenedStore;
  readonly accounts: AccountsBySize;
  readonly sizes: readonly number[];
  readonly rounds: number;
  /** Libraries of each size. */
  readonly most: number;
  readonly processorTime: () => Promise<number>;
}): Promise<void> {
  const largest = sizes.at(-1)!;
  const times = new Map(sizes.map((size) => [size, new Map<string, Time[]>()]));
  const timesOf = (size: number): Map<string, Time[]> => times.get(size)!;
  const timed = async (work: () => Promise<Found>): Promise<Time & { readonly found: Found }> => {
    const before = await processorTime();
    const from = performance.now();
    const found = await work();
    const wall = performance.now() - from;
    return { found, wall, processor: (await processorTime()) - before };
  };
  for (const size of sizes) {
    const owners = (accounts.get(size) ?? []).slice(0, most);
    if (owners.length === 0) continue;
    const add = (name: string, one: Time) => timesOf(size).set(name, [...(timesOf(size).get(name) ?? []), one]);
    for (const [name, kind] of Object.entries(kinds))
      for (let round = -owners.length; round < rounds; round += 1) {
        const owner = owners[(round + owners.length) % owners.length]!;
        const asked: Search = { sort: "date", limit: 20, ...kind };
        const first = await timed(() => store.scripts.search(owner, asked));
        if (round >= 0) add(name, first);
        const { next } = first.found;
        if (name !== "common word, by views" || next === undefined) continue;
        const last = await timed(() => store.scripts.search(owner, { ...asked, after: lastPage(next) }));
        if (round >= 0) add("its last page", last);
      }
  }
  const names = [...timesOf(largest).keys()];
  for (const part of ["wall", "processor"] as const) {
    const cell = (all: readonly Time[] | undefined): string => {
      const values = all?.map((one) => one[part]);
      return values ? `${median(values).toFixed(1)} / ${p99(values).toFixed(1)}` : "–";
    };
    report.table(
      [`${part} time, p50 / p99 in ms`, ...sizes.map((size) => `${size} scripts`)],
      names.map((name) => [name, ...sizes.map((size) => cell(timesOf(size).get(name)))]),
    );
  }
  const slowest = (part: keyof Time, ofSizes: readonly number[]): number =>
    Math.max(
      ...ofSizes.flatMap((size) => [...timesOf(size).values()].map((all) => median(all.map((one) => one[part])))),
    );
  report.figures(
    [
      { whose: "libraries of at most 1,000 scripts", ofSizes: sizes.slice(0, -1), limit: smallAim },
      { whose: `the library of ${largest}`, ofSizes: [largest], limit: largeAim },
    ].flatMap(({ whose, ofSizes, limit }) =>
      (["wall", "processor"] as const).map((part) => ({
        what: `slowest kind in ${whose}, p50 of ${part} time`,
        value: slowest(part, ofSizes),
        unit: "ms" as const,
        digits: 1,
        ...(part === "wall" && { atMost: limit }),
      })),
    ),
  );
}

/** Near the end of a list by views, whose values are spread evenly below a million. */
const lastPage = (next: NonNullable<Found["next"]>): NonNullable<Found["next"]> => ({
  ...next,
  sortedBy: 200,
  number: Number.MAX_SAFE_INTEGER,
});

import { openStore } from "../server/dist/adapters/database/open-store.js";
import { createNewId } from "../server/dist/callers/api-key.js";
import { largestShare, startLibraryServer } from "./libraries/library-server.mjs";
import { processorClock } from "./processes/process-times.mjs";
import { atMost } from "./report.mjs";
import { wordOf } from "./libraries/seed-library.mjs";
import { smallSizes } from "./libraries/seed-server-library.mjs";
import { median } from "./statistics.mjs";

const smallAim = 5;
const largeAim = 100;

const [top, common, medium, rare] = [0, 8, 100, 3_500].map(wordOf);
/** A space behind a word: it is finished. */
const kinds = {
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

/** Every kind of search in libraries of all sizes, on a PostgreSQL server that holds many more of others. */
export async function benchSearch({ report, folder, quick, transcripts }) {
  const rounds = quick ? 5 : 100;
  const owners = quick ? 3 : 20;
  const largest = Math.round(transcripts * largestShare);
  report.section(
    "Search at scale",
    `${transcripts} transcripts on a PostgreSQL server, one library of ${largest} scripts, the others of ${smallSizes.join(", ")}, all mixed.`,
    `Each kind ${rounds} times, one after the other, in ${owners} libraries of each size in turn; through the port of the database, 20 scripts a page.`,
    "The processor time is that of the server's processes alone; the aims are for wall time on two idle cores, which is little more.",
  );
  const server = await startLibraryServer({ folder, transcripts });
  if (!server) return report.note("left out: no PostgreSQL is installed here, and DATABASE_URL names none");
  const { databaseUrl, accounts } = server;
  const store = await openStore({ databaseUrl, dataDirectory: "unused", newId: createNewId() });
  try {
    await measure({
      report,
      store,
      accounts,
      largest,
      rounds,
      most: owners,
      processorTime: await processorClock(databaseUrl),
    });
  } finally {
    await store.close();
    await server.stop();
  }
}

async function measure({ report, store, accounts, largest, rounds, most, processorTime }) {
  const sizes = [...smallSizes, largest];
  const times = new Map(sizes.map((size) => [size, new Map()]));
  const timed = async (work) => {
    const before = await processorTime();
    const from = performance.now();
    const found = await work();
    const wall = performance.now() - from;
    return { found, wall, processor: (await processorTime()) - before };
  };
  for (const size of sizes) {
    const owners = (accounts.get(size) ?? []).slice(0, most);
    if (owners.length === 0) continue;
    const add = (name, one) => times.get(size).set(name, [...(times.get(size).get(name) ?? []), one]);
    for (const [name, kind] of Object.entries(kinds))
      for (let round = -owners.length; round < rounds; round += 1) {
        const owner = owners[(round + owners.length) % owners.length];
        const asked = { sort: "date", limit: 20, ...kind };
        const first = await timed(() => store.scripts.search(owner, asked));
        if (round >= 0) add(name, first);
        if (name !== "common word, by views" || first.found.next === undefined) continue;
        const last = await timed(() => store.scripts.search(owner, { ...asked, after: lastPage(first.found.next) }));
        if (round >= 0) add("its last page", last);
      }
  }
  const names = [...times.get(largest).keys()];
  for (const part of ["wall", "processor"]) {
    const cell = (all) => {
      const values = all?.map((one) => one[part]);
      return values ? `${median(values).toFixed(1)} / ${percentile(values, 0.99).toFixed(1)}` : "–";
    };
    report.table(
      [`${part} time, p50 / p99 in ms`, ...sizes.map((size) => `${size} scripts`)],
      names.map((name) => [name, ...sizes.map((size) => cell(times.get(size).get(name)))]),
    );
  }
  const slowest = (part, ofSizes) =>
    Math.max(
      ...ofSizes.flatMap((size) => [...times.get(size).values()].map((all) => median(all.map((one) => one[part])))),
    );
  report.figures(
    [
      { whose: "libraries below 1,000 scripts", ofSizes: smallSizes, limit: smallAim },
      { whose: `the library of ${largest}`, ofSizes: [largest], limit: largeAim },
    ].flatMap(({ whose, ofSizes, limit }) =>
      ["wall", "processor"].map((part) => {
        const figure = slowest(part, ofSizes);
        return {
          what: `slowest kind in ${whose}, p50 of ${part} time`,
          figure: `${figure.toFixed(1)} ms`,
          ...(part === "wall" && { aim: atMost(figure, limit, " ms") }),
        };
      }),
    ),
  );
}

/** Near the end of a list by views, whose values are spread evenly below a million. */
const lastPage = (next) => ({ ...next, sortedBy: 200, number: Number.MAX_SAFE_INTEGER });

const percentile = (values, part) => values.toSorted((one, other) => one - other)[Math.ceil(values.length * part) - 1];

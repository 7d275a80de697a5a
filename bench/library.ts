import { existsSync } from "node:fs";
import path from "node:path";
import { openEmbeddedEngine } from "#server/adapters/database/engine/embedded/embedded-engine.ts";
import type { OpenedStore } from "#server/adapters/database/open-store.ts";
import { createNewId } from "#server/rules/new-id.ts";
import { createSecret, hashOf, sessionValue } from "#server/sign-in/secret.ts";
import { fillLibraries } from "./fill-libraries.ts";
import { askWell } from "./load.ts";
import { openPhone, type PageTimes } from "./library-page.ts";
import { processorTimeOf } from "../scripts/processes/process-table.ts";
import { createCaller, withStore } from "../scripts/processes/start-program.ts";
import { type Extent, type Figure, type Needs, formatFigure } from "./report.ts";
import { type Service, startService } from "./processes/start-service.ts";
import { median } from "./statistics.ts";

/** The smallest library is the baseline of the others: its first page is as long as theirs. */
const libraries = {
  whole: { scripts: [30, 500, 2_000], tables: 15, pages: 7 },
  quick: { scripts: [30, 500, 2_000], tables: 5, pages: 3 },
  smallest: { scripts: [30, 40, 60], tables: 1, pages: 1 },
} as const satisfies Record<Extent, unknown>;
type Sizes = (typeof libraries)[Extent]["scripts"];
const day = 86_400_000;
/** Linux counts processor time in steps of so many milliseconds. */
const leastMilliseconds = 10;

/** The owner of a library, at both doors. */
interface Owner {
  readonly scripts: number;
  readonly key: string;
  /** The value of the cookie of a session. */
  readonly session: string;
}

/** Measures libraries of several sizes: the page on a slow phone, and all scripts as a table. */
export async function benchLibrary(needs: Needs): Promise<void> {
  const { folder, extent, started } = needs;
  const dataDirectory = path.join(folder, "library");
  const owners = await fill(dataDirectory, libraries[extent].scripts);
  const service = await started(startService({ environment: { DATA_DIR: dataDirectory, NODE_ENV: "development" } }));
  await measureTables(needs, service, owners);
  await measurePages(needs, service, owners);
}

async function fill(dataDirectory: string, sizes: Sizes): Promise<readonly Owner[]> {
  await withStore({ dataDirectory }, async () => undefined);
  const engine = await openEmbeddedEngine({ dataDirectory });
  const [small, middle, large] = sizes;
  const accounts = await fillLibraries(engine.pool, {
    transcripts: small + middle + large,
    largest: large,
    others: [small, middle],
  });
  await engine.close();
  return await withStore({ dataDirectory }, async (store) => {
    const owners: Owner[] = [];
    for (const scripts of sizes) {
      const accountId = accounts.get(scripts)![0]!;
      const { key } = await createCaller(store, { accountId });
      owners.push({ scripts, key, session: await createSession(store, accountId) });
    }
    return owners;
  });
}

async function createSession({ sessions }: OpenedStore, accountId: string): Promise<string> {
  const now = new Date();
  const id = createNewId()("ses");
  const value = sessionValue(id, createSecret());
  const expiresAt = new Date(now.getTime() + day);
  await sessions.create({ id, accountId, hash: hashOf(value), browser: null, idToken: null, expiresAt, now });
  return value;
}

/** GET /scripts?format=csv of each library, in turn. */
async function measureTables({ report, extent }: Needs, service: Service, owners: readonly Owner[]): Promise<void> {
  const { tables: rounds, scripts: sizes } = libraries[extent];
  report.section(
    "A library as a table",
    `GET /scripts?format=csv from the first byte asked to the last one read: ${rounds} rounds after one to warm up, in turn.`,
    "Embedded database. The machine's other work lengthens all of them, so the best time counts, and the processor time of the service.",
  );
  for (const [what, filter] of tables) await measureTable({ report, service, owners, sizes, rounds, what, filter });
}

/** A list that an index has in order, and searches that read every script; each finds all of them. */
const tables = [
  ["all scripts", ""],
  ["scripts in English", "&language=en"],
  ["scripts by likes, of reels posted since 2020", "&sort=likes&postedAfter=2020-01-01"],
] as const;

interface Table {
  readonly report: Needs["report"];
  readonly service: Service;
  readonly owners: readonly Owner[];
  readonly sizes: Sizes;
  readonly rounds: number;
  readonly what: string;
  readonly filter: string;
}

async function measureTable({ report, service, owners, sizes, rounds, what, filter }: Table): Promise<void> {
  const times = new Map<number, number[]>();
  const lengths = new Map<number, number>();
  const computed = new Map<number, number>();
  for (let round = -1; round < rounds; round += 1)
    for (const { scripts, key } of owners) {
      const before = processorTimeOf(service.processId);
      const from = performance.now();
      const { body } = await askWell(service.url, {
        path: `/api/v1/scripts?format=csv${filter}`,
        headers: { authorization: `Bearer ${key}` },
      });
      lengths.set(scripts, body.length);
      if (round < 0) continue;
      times.set(scripts, [...(times.get(scripts) ?? []), performance.now() - from]);
      const time = Math.max(processorTimeOf(service.processId) - before, leastMilliseconds);
      computed.set(scripts, (computed.get(scripts) ?? 0) + time);
    }
  const best = (scripts: number): number => Math.min(...times.get(scripts)!);
  report.table(
    [what, "best", "median", "processor time", "megabytes"],
    sizes.map((scripts) => [
      scripts,
      formatFigure(best(scripts), "ms"),
      formatFigure(median(times.get(scripts)!), "ms"),
      formatFigure(computed.get(scripts)! / rounds, "ms"),
      (lengths.get(scripts)! / 1e6).toFixed(2),
    ]),
  );
  const [, middle, large] = sizes;
  report.figures([
    { what: `${large} scripts`, value: best(large) / 1_000, unit: "s", digits: 2, atMost: 2 },
    {
      what: `processor time of a script among ${large} to one among ${middle}`,
      value: computed.get(large)! / large / (computed.get(middle)! / middle),
      unit: "x",
      digits: 2,
      atMost: 1.25,
    },
  ]);
}

/** Measures the page of each library on a slow phone, in turn. */
async function measurePages(
  { report, extent, started }: Needs,
  service: Service,
  owners: readonly Owner[],
): Promise<void> {
  const { pages: rounds, scripts: sizes } = libraries[extent];
  report.section(
    "The library's page",
    `Chromium, 390 x 844 pixels, processor slowed ${slowdown} times, nothing in the cache: ${rounds} rounds, in turn; the best of each counts.`,
    `Select is pressed with ${rowsBeforeSelect} rows loaded, or all there are. Task, script, style and layout are time of the slowed main thread.`,
    "Processor time is that of the page's process on a processor that isn't slowed; other work on the machine changes it least.",
  );
  const program = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
  if (!existsSync(program)) return report.note("left out: no Chromium is installed here, and CHROMIUM names none");
  const phone = await started(openPhone(program, { slowdown, rowsBeforeSelect }));
  const all = new Map<number, PageTimes[]>(sizes.map((scripts) => [scripts, []]));
  const computed = new Map<number, number[]>(sizes.map((scripts) => [scripts, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const { scripts, session } of owners) {
      computed.get(scripts)!.push(await phone.compute(service.url, session));
      all.get(scripts)!.push(await phone.visit(service.url, session));
    }
  const best = (scripts: number, part: keyof PageTimes): number =>
    Math.min(...all.get(scripts)!.map((times) => times[part]));
  const leastComputed = (scripts: number): number => Math.min(...computed.get(scripts)!);
  report.table(
    [
      "scripts",
      "largest paint",
      "blocking",
      "Select",
      "task",
      "script",
      "style, layout",
      "processor time",
      "rows drawn",
    ],
    sizes.map((scripts) => [
      scripts,
      ...shownParts.map((part) => formatFigure(best(scripts, part), "ms")),
      formatFigure(leastComputed(scripts), "ms"),
      best(scripts, "rows"),
    ]),
  );
  report.note(
    `a loop of 50 million turns, to compare machines by: ${formatFigure(best(sizes[0], "loop"), "ms")} on this phone`,
  );
  const [small, ...others] = sizes;
  report.figures(
    others.flatMap((scripts) => [
      seconds(`largest paint, ${scripts} scripts`, best(scripts, "paint"), 2),
      seconds("blocking", best(scripts, "blocking"), 0.3),
      seconds("Select to the next paint", best(scripts, "select"), 0.2),
      { what: "layout shift", value: best(scripts, "shift"), digits: 3, atMost: 0 },
      {
        what: `processor time to that of ${small} scripts`,
        value: leastComputed(scripts) / leastComputed(small),
        unit: "x" as const,
        digits: 2,
        atMost: 1.25,
      },
    ]),
  );
}

const slowdown = 4;
const rowsBeforeSelect = 260;
const shownParts = ["paint", "blocking", "select", "task", "script", "layout"] as const;

const seconds = (what: string, milliseconds: number, atMost: number): Figure => ({
  what,
  value: milliseconds / 1_000,
  unit: "s",
  digits: 2,
  atMost,
});

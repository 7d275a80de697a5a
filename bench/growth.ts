import { randomUUID } from "node:crypto";
import { BioContent } from "@reelscript/contract";
import type pg from "pg";
import type { OpenedStore } from "#server/adapters/database/open-store.ts";
import type { BioVisit } from "#server/ports.ts";
import { sentence, transcriptOf } from "./fill-libraries.ts";
import type { Figure } from "./report.ts";
import { numbers } from "./statistics.ts";

/** Words of a spoken minute. */
const wordsOfReel = 130;
/** More than the bench ever queues. */
const manyReels = 1_000_000;
const hour = 3_600_000;
const day = 24 * hour;
const referrers = 40;
const countries = ["BR", "US", "IN", "DE", "PT"];
const devices = ["mobile", "desktop", "tablet"] as const;
const visitsOfVisitor = 3;

interface Growth {
  readonly client: pg.Client;
  readonly store: OpenedStore;
  readonly reels: number;
  readonly visits: number;
}

/** Measures the bytes that a database writes for each reel and each visit, the rows that stay, and the time of cleaning up. */
export async function measureGrowth({ client, store, reels, visits }: Growth): Promise<Figure[]> {
  const walOf = async (work: () => Promise<unknown>): Promise<number> => {
    // Otherwise the figure depends on how long ago the last one was.
    await client.query("checkpoint");
    const before = await position(client);
    await work();
    return (await position(client)) - before;
  };
  const walOfReels = await walOf(() => transcribeReels(store, reels));
  const page = await aPage(store);
  const walOfVisits = await walOf(() => visitPage(store, page, visits));
  const rows = await rowsOfVisits(client, page.bioId);
  return [
    { what: "log of a reel, from its request to its script", value: walOfReels / reels / 1_000, unit: "KB", digits: 1 },
    { what: "log of a visit, folded", value: walOfVisits / visits / 1_000, unit: "KB", digits: 2 },
    { what: `rows of a page's day with ${visits} visits, kept`, value: rows.kept },
    { what: "rows of it for two days", value: rows.ofVisitors },
    ...(await vacuumTimes(client)),
  ];
}

async function position(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes");
  return Number(rows[0]!.bytes);
}

/** Requests reels, and completes as many that waited. */
async function transcribeReels({ accounts, transcriptions }: OpenedStore, count: number): Promise<void> {
  const next = numbers(7);
  const now = new Date();
  const { id: accountId } = await accounts.create({ email: "bench@example.com", plan: "creator", now });
  for (let index = 0; index < count; index += 1) {
    const mediaId = `growth-${index}`;
    const outcome = await transcriptions.request({
      reel: { platform: "standin", mediaId, shortcode: mediaId, url: `https://reels.test/reel/${mediaId}` },
      languageHint: null,
      allowance: { subject: { accountId, slot: 1 }, period: "lifetime", limit: count + 1, resetsAt: null },
      model: "whisper-base",
      queueLimit: manyReels,
      queueLimitPerAccount: manyReels,
      now,
    });
    if (outcome.kind !== "started") throw new Error(`a request ended as ${outcome.kind}`);
    const claim = await transcriptions.claim("bench-growth", 30, now);
    if (claim === undefined) throw new Error("nothing was claimed");
    const transcript = transcriptOf(index, sentence(next, wordsOfReel));
    const reel = { ...transcript.reel, ...claim.reel };
    if (!(await transcriptions.complete(claim, { ...transcript, reel }, true, now)))
      throw new Error("a result was not stored");
  }
}

interface BusyPage {
  readonly bioId: string;
  readonly linkIds: readonly string[];
}

const linksOfPage = 5;

async function aPage({ accounts, bioPages }: OpenedStore): Promise<BusyPage> {
  const now = new Date();
  const { id } = await accounts.create({ email: "bench@example.com", plan: "creator", now });
  const linkIds = Array.from({ length: linksOfPage }, (_, index) => `lnk_growth_${index}`);
  const links = linkIds.map((linkId, index) => ({ id: linkId, title: `Link ${index}`, url: "https://example.com/" }));
  const page = await bioPages.change(id, () => BioContent.parse({ links }), now);
  if (page.id === undefined) throw new Error("the page has no id");
  return { bioId: page.id, linkIds };
}

/** Records the visits of one day, half of them clicks, as the service does each second, and folds them. */
async function visitPage({ bioEvents }: OpenedStore, { bioId, linkIds }: BusyPage, count: number): Promise<void> {
  const begin = Math.floor(Date.now() / day) * day;
  const ofBatch = 100;
  for (let from = 0; from < count; from += ofBatch) {
    const visits = Array.from({ length: Math.min(ofBatch, count - from) }, (_, at): BioVisit => {
      const index = from + at;
      return {
        bioId,
        linkId: index % 2 === 0 ? null : linkIds[index % linkIds.length]!,
        visitor: visitorOf(Math.floor(index / visitsOfVisitor)),
        at: new Date(begin + Math.floor((index / count) * hour)),
        referrer: `site-${index % referrers}.example`,
        country: countries[index % countries.length]!,
        device: devices[index % devices.length]!,
      };
    });
    await bioEvents.write({ id: randomUUID(), visits, excluded: [] }, new Date(begin + hour));
  }
  // Visitors of the day stay, because more of them may come.
  while (await bioEvents.fold(new Date(begin + 3 * hour)));
}

const visitorOf = (number: number): Uint8Array => new Uint8Array(new BigUint64Array([BigInt(number)]).buffer);

async function rowsOfVisits(client: pg.Client, bioId: string): Promise<{ kept: number; ofVisitors: number }> {
  const { rows } = await client.query<{ kept: number; ofVisitors: number }>(
    `select (select count(*) from bio_day where bio_id = $1)::integer
        + (select count(*) from bio_day_link where bio_id = $1)::integer
        + (select count(*) from bio_day_view where bio_id = $1)::integer as kept,
      (select count(*) from bio_visitor where bio_id = $1)::integer as "ofVisitors"`,
    [bioId],
  );
  return rows[0]!;
}

/** How long the slowest table takes, once all writes above are done, and what waited in it. */
async function vacuumTimes(client: pg.Client): Promise<Figure[]> {
  const { rows } = await client.query<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  );
  const times: number[] = [];
  for (const { name } of rows) {
    const from = performance.now();
    await client.query(`vacuum "${name}"`);
    times.push(performance.now() - from);
  }
  return [
    { what: "vacuum of all tables", value: times.reduce((sum, one) => sum + one, 0), unit: "ms" },
    { what: "vacuum, the slowest table", value: Math.max(...times), unit: "ms" },
  ];
}

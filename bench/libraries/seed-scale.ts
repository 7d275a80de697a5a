import { reelAddress } from "#server/adapters/platforms/platform.ts";
import { standinPlatform } from "#server/adapters/platforms/platforms.ts";
import { onServer } from "../processes/throwaway-postgres.ts";
import { codeOf, seededPlatform } from "./seed-library.ts";

export const waiting = 50_000;
const waitingAccounts = 2_500;
export const visits = 10_000_000;
export const visitedHandle = "bench.visited";

/** A queue of `waiting` reels and nothing else, whatever a run before has left. */
export const refillQueue = (databaseUrl: string): Promise<void> =>
  onServer(databaseUrl, async (client) => {
    await client.query("delete from hold; delete from transcription; update allowance set held = 0");
    await client.query(`
      insert into account (id, email, plan, created_at)
      select 'acc_waiting_' || n, 'bench@example.com', 'free', now() from generate_series(1, ${waitingAccounts}) as n
      on conflict do nothing`);
    await client.query(`
      insert into transcription (id, account_id, platform, media_id, shortcode, url, queued_at)
      select 'trn_waiting_' || n, 'acc_waiting_' || 1 + n % ${waitingAccounts}, 'waiting', n, n, 'https://reels.test/reel/' || n, now()
      from generate_series(1, ${waiting}) as n`);
    await client.query("vacuum analyze transcription, hold, queue_account, queue_length, allowance");
  });

/** Whether a page has visits that were folded. */
export const hasVisits = (databaseUrl: string, bioId: string): Promise<boolean> =>
  onServer(databaseUrl, async (client) => {
    const { rowCount } = await client.query("select from bio_day where bio_id = $1 limit 1", [bioId]);
    return rowCount !== 0;
  });

/** `count` visits of the page, spread over the last `hours`, that are not folded yet. */
export const addVisits = (
  databaseUrl: string,
  bioId: string,
  { count, hours }: { readonly count: number; readonly hours: number },
): Promise<void> =>
  onServer(databaseUrl, async (client) => {
    await client.query("set session_replication_role = replica; set synchronous_commit = off; set timezone = 'UTC'");
    await client.query(
      `insert into bio_event (bio_id, link_id, day, at, visitor, referrer, country, device)
       select $1, case when n % 5 = 0 then l.id end, at::date, at, decode(md5((n / 3)::text), 'hex'),
         'site' || n % 200 || '.example', (array['US', 'BR', 'IN', 'DE', 'FR'])[1 + n % 5], (array['mobile', 'desktop'])[1 + n % 2]
       from generate_series($2::integer, 1, -1) as n
         cross join lateral (select now() - make_interval(secs => 3600 * $3::float8 * n / $2) as at) as moment
         join (select id, row_number() over (order by number) as place from bio_link where bio_id = $1) as l
           on l.place = 1 + n % 12`,
      [bioId, count, hours],
    );
    await client.query("vacuum analyze bio_event");
  });

/** Addresses of cached reels: some transcripts get the ids of reels that can be named. */
export async function cachedReels(databaseUrl: string): Promise<string[]> {
  const platform = standinPlatform(seededPlatform);
  const reels = Array.from({ length: 50 }, (_, index) => reelAddress(platform, codeOf(index))!);
  await onServer(databaseUrl, async (client) => {
    for (const [index, { mediaId }] of reels.entries())
      await client.query("update transcript set media_id = $1 where platform = 'standin' and media_id = $2", [
        mediaId,
        `seeded${index + 1}`,
      ]);
  });
  return reels.map(({ url }) => url);
}

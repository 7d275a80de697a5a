import { type ErrorReason, filePlatform, longestSentence, mostOpenBatches } from "@reelscript/contract";
import type { Batches, NewBatchLink, NewId, StoredBatch, StoredBatchLink } from "../../../ports.ts";
import { lockToChange } from "../accounts/accounts.ts";
import { accountDeleted } from "../../../rules/refusals.ts";
import { isBoolean, isBytes, isListOf, isMoment, isNumber, isOneOf, isText, orNull } from "../engine/columns.ts";
import { statement, transaction, type RowOf, type Transaction } from "../engine/statement.ts";
import { isFailure } from "../queue/transcription-states.ts";
import type { Engine } from "../engine/engine.ts";
import { isSegment, openingTimes, wholeText } from "../transcripts/transcript-row.ts";
import { readBeginningOfTimes } from "../transcripts/transcript-times.ts";
import { failureMeanings } from "../../platforms/source-failure.ts";
import { createBatchWork } from "./batch-work.ts";

/** A started link has the state of its transcription; without the transcription it counts as failed. A file waits until it has one. */
const linkState = `case when l.state = 'begun' then coalesce(t.state, 'failed')
  when l.state = 'waiting' and l.file_id is not null then coalesce(t.state, 'waiting') else l.state end` as const;

const joinedWork = `
  left join file as f on f.id = l.file_id
  left join transcription as t on t.id = coalesce(l.transcription_id, f.transcription_id)` as const;

/** Reasons of failures that a retry can't fix. */
const hopelessReasons: readonly ErrorReason[] = [
  ...Object.values(failureMeanings).flatMap(({ isLasting, reason }) => (isLasting ? [reason] : [])),
  "notAReel",
  "platformOff",
  "noAudio",
  "unreadableMedia",
  "unsupportedLanguage",
  "speechNotRecognized",
  "reelTakenDown",
  "shareLinkDead",
];
const hopeless = hopelessReasons.map((reason) => `'${reason}'`).join(", ");

/** The bytes of a file are gone when it has failed or was canceled. */
const mayWork = `l.file_id is null and coalesce(coalesce(l.failure, t.failure) ->> 'reason', '') not in (${hopeless})`;

const batchRow = {
  id: isText,
  number: isNumber,
  createdAt: isMoment,
  since: isMoment,
  finishedAt: orNull(isMoment),
  duplicates: isNumber,
  waitingFor: orNull(isOneOf("rateLimit", "quota", "queue", "platform")),
  nextAt: isMoment,
  total: isNumber,
  waiting: isNumber,
  underWay: isNumber,
  receiving: isNumber,
  done: isNumber,
  failed: isNumber,
  canceled: isNumber,
  retryable: isNumber,
  transcribedLinks: isNumber,
  runningShares: isNumber,
};

const batchColumns = `b.id, b.number, b.created_at, b.since, b.finished_at, b.duplicates, b.waiting_for, b.next_at, counted.*`;

const counted = `
  left join lateral (
    select count(*)::integer as total,
      count(*) filter (where link.state = 'waiting')::integer as waiting,
      count(*) filter (where link.state in ('queued', 'running'))::integer as under_way,
      count(*) filter (where link.state = 'waiting' and link.is_receiving)::integer as receiving,
      count(*) filter (where link.state = 'done')::integer as done,
      count(*) filter (where link.state = 'failed')::integer as failed,
      count(*) filter (where link.state = 'canceled')::integer as canceled,
      count(*) filter (where link.state in ('canceled', 'failed') and link.may_work)::integer as retryable,
      count(*) filter (where link.finished_at >= b.since)::integer as transcribed_links,
      coalesce(sum(link.progress) filter (where link.state = 'running'), 0)::float8 as running_shares
    from (
      select ${linkState} as state, ${mayWork} as may_work, t.finished_at, t.progress,
        f.ended_at is null and f.received < f.size as is_receiving
      from batch_link as l ${joinedWork}
      where l.batch_id = b.id
    ) as link
  ) as counted on true` as const;

const countOpen = statement(
  "select count(*)::integer as open from batch where account_id = :accountId and finished_at is null",
).reading({ open: isNumber });

const findSame = statement(`
  select id from batch
  where account_id = :accountId and finished_at is null and slot = :slot and fingerprint = :fingerprint
  order by number desc limit 1`).reading({ id: isText });

const insertBatch = statement(`
  insert into batch (id, account_id, slot, key_id, language_hint, fingerprint, duplicates, created_at, since, next_at, locate_at)
  values (:id, :accountId, :slot, :keyId, :languageHint, :fingerprint, :duplicates, :now::timestamptz,
    :now::timestamptz, :nextAt, case when :hasShareLinks::boolean then :now::timestamptz end)`);

const insertLinks = statement(`
  insert into batch_link (batch_id, position, url, platform, media_id, shortcode, reel_url, failure, file_id, state)
  select :id, link.position, link.url, link.platform, link.media_id, link.shortcode, link.reel_url, link.failure::json,
    link.file_id, case when link.failure is null then 'waiting' else 'failed' end
  from unnest(:urls::text[], :platforms::text[], :mediaIds::text[], :shortcodes::text[], :reelUrls::text[],
    :failures::text[], :fileIds::text[]) with ordinality
    as link (url, platform, media_id, shortcode, reel_url, failure, file_id, position)`);

const findBatch = statement(`
  select ${batchColumns} from batch as b ${counted} where b.account_id = :accountId and b.id = :id`).reading(batchRow);

/** Characters of a script that a batch reads: those of the longest first sentence, twice. */
const beginningCharacters = 2 * longestSentence;

const listLinks = statement(`
  select l.url, l.file_id, f.title, l.reel_url, ${linkState} as state, l.cached,
    coalesce(l.transcription_id, f.transcription_id) as transcription_id, coalesce(l.failure, t.failure) as failure,
    case when t.state in ('queued', 'running') then t.progress end as progress,
    script.id as script_id, script.text, script.segments, script.times
  from batch as b join batch_link as l on l.batch_id = b.id ${joinedWork}
  left join lateral (
    select s.id, left(${wholeText}, ${beginningCharacters}) as text, ${openingTimes}
    from transcript as t join script as s on s.transcript_id = t.id left join script_correction as c on c.script_number = s.number
    where (l.state in ('begun', 'done') or l.file_id is not null) and s.account_id = b.account_id and t.platform = l.platform
      and t.media_id = coalesce(l.media_id, f.media_id) and (t.owner is null or t.owner = b.account_id)
    order by t.owner nulls last limit 1
  ) as script on true
  where b.account_id = :accountId and b.id = :id order by l.position`).reading({
  url: isText,
  fileId: orNull(isText),
  title: orNull(isText),
  reelUrl: orNull(isText),
  state: isOneOf("waiting", "queued", "running", "done", "failed", "canceled"),
  cached: isBoolean,
  transcriptionId: orNull(isText),
  failure: orNull(isFailure),
  progress: orNull(isNumber),
  scriptId: orNull(isText),
  text: orNull(isText),
  segments: orNull(isListOf(isSegment)),
  times: orNull(isBytes),
});

type LinkRow = NonNullable<Awaited<ReturnType<typeof listLinks.row>>>;

const toLink = ({ text, segments, times, ...link }: LinkRow): StoredBatchLink => ({
  ...link,
  beginning:
    text === null
      ? null
      : { text, segments: readBeginningOfTimes({ text, segments: segments ?? [], words: null, times }).segments },
});

const listBatches = statement(`
  select ${batchColumns} from batch as b ${counted}
  where b.account_id = :accountId and b.created_at > :since
    and (:open::boolean is null or (b.finished_at is null) = :open)
    and (:createdAt::timestamptz is null or (b.created_at, b.number) < (:createdAt, :number::bigint))
  order by b.created_at desc, b.number desc limit :limit::integer + 1`).reading(batchRow);

const findCached = statement(`
  select exists (
    select from transcript
    where platform = reel.platform and media_id = reel.media_id
      and (owner is null or :own::boolean and owner = :accountId::text)
  ) as is_cached
  from unnest(:platforms::text[], :mediaIds::text[]) with ordinality as reel (platform, media_id, position)
  order by reel.position`).reading({ isCached: isBoolean });

/** Locks the batch first, like every other change of its links. */
const retryLinks = statement(`
  with retried as (
    update batch set finished_at = null, since = :now::timestamptz, next_at = :now::timestamptz, waiting_for = null, locate_at = :now::timestamptz
    where account_id = :accountId and id = :id returning id
  ), links as (
    update batch_link as l set state = 'waiting', failure = null, transcription_id = null, tries = 0,
      ask_at = null
    from retried where l.batch_id = retried.id and l.file_id is null and (
      l.state = 'canceled' or l.state = 'failed' and coalesce(l.failure ->> 'reason', '') not in (${hopeless})
    )
  )
  select id from retried`);

const cancelLinks = statement(`
  with canceled as (
    update batch set next_at = :now::timestamptz, waiting_for = null
    where account_id = :accountId and id = :id returning id
  ), links as (
    update batch_link as l set state = 'canceled' from canceled
    where l.batch_id = canceled.id and l.state = 'waiting' and not exists (
      select from file as f join transcription as t on t.id = f.transcription_id and t.state = 'running' where f.id = l.file_id
    )
    returning l.file_id
  )
  select array(
    select links.file_id from links where links.file_id is not null and not exists (
      select from batch as other join batch_link as l on l.batch_id = other.id and l.state = 'waiting'
      where other.account_id = :accountId and other.finished_at is null and other.id <> :id and l.file_id = links.file_id
    )
  ) as file_ids from canceled`).reading({ fileIds: isListOf(isText) });

function toBatch(row: RowOf<typeof batchRow>): StoredBatch {
  return {
    id: row.id,
    createdAt: row.createdAt,
    since: row.since,
    finishedAt: row.finishedAt,
    duplicates: row.duplicates,
    waitingFor: row.waitingFor,
    nextAt: row.nextAt,
    total: row.total,
    waiting: row.waiting,
    underWay: row.underWay,
    receiving: row.receiving,
    done: row.done,
    failed: row.failed,
    canceled: row.canceled,
    retryable: row.retryable,
    transcribedLinks: row.transcribedLinks,
    runningShares: row.runningShares,
  };
}

async function storeLinks(inside: Transaction, id: string, links: readonly NewBatchLink[]): Promise<void> {
  await insertLinks.run(inside, {
    id,
    urls: links.map(({ url }) => url),
    // Without a platform it would count as a share link.
    platforms: links.map(({ reel, fileId }) => reel?.platform ?? (fileId === null ? null : filePlatform)),
    mediaIds: links.map(({ reel }) => reel?.mediaId ?? null),
    shortcodes: links.map(({ reel }) => reel?.shortcode ?? null),
    reelUrls: links.map(({ reel }) => reel?.url ?? null),
    failures: links.map(({ failure }) => failure && JSON.stringify(failure)),
    fileIds: links.map(({ fileId }) => fileId),
  });
}

export function createBatches(engine: Engine, newId: NewId): Batches {
  const { pool: database } = engine;
  const work = createBatchWork(engine);
  return {
    create: ({ owner: { accountId, slot, keyId }, languageHint, fingerprint, links, duplicates, nextAt, now }) =>
      transaction(database, async (inside) => {
        if ((await lockToChange.run(inside, { accountId })) === 0) throw accountDeleted();
        const same = await findSame.row(inside, { accountId, slot, fingerprint });
        if (same !== undefined) return { id: same.id, isNew: false };
        const { open } = await countOpen.onlyRow(inside, { accountId });
        if (open >= mostOpenBatches) return undefined;
        const id = newId("bat");
        await insertBatch.run(inside, {
          id,
          accountId,
          slot,
          keyId,
          languageHint,
          fingerprint,
          duplicates,
          nextAt,
          hasShareLinks: links.some(
            ({ reel, failure, fileId }) => reel === null && failure === null && fileId === null,
          ),
          now,
        });
        await storeLinks(inside, id, links);
        return { id, isNew: true };
      }),
    findOpen: async ({ accountId, slot }, fingerprint) =>
      (await findSame.row(database, { accountId, slot, fingerprint }))?.id,
    async find(accountId, id) {
      const row = await findBatch.row(database, { accountId, id });
      if (row === undefined) return undefined;
      const links = await listLinks.rows(database, { accountId, id });
      return { batch: toBatch(row), links: links.map(toLink) };
    },
    async list(accountId, { since, open = null, limit, after }) {
      const createdAt = after ? new Date(after.sortedBy ?? 0) : null;
      const number = after?.number ?? null;
      const rows = await listBatches.rows(database, { accountId, since, open, limit, createdAt, number });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        batches: page.map(toBatch),
        ...(last && rows.length > limit && { next: { sortedBy: last.createdAt.getTime(), number: last.number } }),
      };
    },
    async areCached(reels, accountId, isOwn) {
      const platforms = reels.map(({ platform }) => platform);
      const mediaIds = reels.map(({ mediaId }) => mediaId);
      const rows = await findCached.rows(database, { platforms, mediaIds, accountId, own: isOwn });
      return rows.map(({ isCached }) => isCached);
    },
    retry: (accountId, id, now) =>
      transaction(database, async (inside) => {
        if ((await lockToChange.run(inside, { accountId })) === 0) return "missing";
        const batch = await findBatch.row(inside, { accountId, id });
        if (batch === undefined) return "missing";
        if (batch.retryable === 0) return "retried";
        const { open } = await countOpen.onlyRow(inside, { accountId });
        if (batch.finishedAt !== null && open >= mostOpenBatches) return "full";
        await retryLinks.run(inside, { accountId, id, now });
        return "retried";
      }),
    async cancel(accountId, id, failure, now) {
      // A file that is done already isn't canceled.
      await work.settle(now);
      const canceled = await cancelLinks.row(database, { accountId, id, now });
      if (canceled === undefined) return undefined;
      await work.endCanceled(accountId, id, failure, now);
      return canceled.fileIds;
    },
    ...work,
  };
}

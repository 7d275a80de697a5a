import { mostBatchLinks } from "@reelscript/contract";
import type { BatchLinkOutcome, BatchWork, DueBatch, LookOutcome, UnlocatedLink, WaitingLink } from "../../../ports.ts";
import { fileUrlStart } from "../../../ports/files.ts";
import { isMoment, isNumber, isText, orNull } from "../engine/columns.ts";
import type { Engine } from "../engine/engine.ts";
import { jsonOf, statement, type Database } from "../engine/statement.ts";

const settleLinks = statement(`
  with ended as (
    select l.batch_id, l.position, t.state, t.failure
    from batch as b join batch_link as l on l.batch_id = b.id and l.state = 'begun'
    join transcription as t on t.id = l.transcription_id and t.state in ('done', 'failed')
    where b.finished_at is null
  ), settled as (
    update batch_link as l set state = ended.state, failure = ended.failure
    from ended where l.batch_id = ended.batch_id and l.position = ended.position and l.state = 'begun'
    returning l.batch_id
  )
  update batch set next_at = :now::timestamptz
  where finished_at is null and id in (select batch_id from settled)`);

/** A file that was forgotten, or ended without a script, was deleted before it was transcribed. */
const settleFiles = statement(`
  with ended as (
    select l.batch_id, l.position, f.transcription_id, f.media_id, coalesce(f.failure, t.failure) as failure,
      f.transcription_id is not null or exists (
        select from transcript as own join script as s on s.transcript_id = own.id and s.account_id = b.account_id
        where own.platform = 'file' and own.media_id = f.media_id and own.owner = b.account_id
      ) as is_done
    from batch as b join batch_link as l on l.batch_id = b.id and l.state = 'waiting' and l.file_id is not null
    left join file as f on f.id = l.file_id left join transcription as t on t.id = f.transcription_id
    where b.finished_at is null and (f.id is null or f.ended_at is not null)
  ), settled as (
    update batch_link as l set failure = ended.failure, transcription_id = ended.transcription_id,
      state = case when ended.failure is not null then 'failed' when ended.is_done then 'done' else 'canceled' end,
      cached = ended.failure is null and ended.is_done and ended.transcription_id is null,
      media_id = ended.media_id, shortcode = ended.media_id, reel_url = :urlStart::text || ended.media_id
    from ended where l.batch_id = ended.batch_id and l.position = ended.position and l.state = 'waiting'
    returning l.batch_id
  )
  update batch set next_at = :now::timestamptz
  where finished_at is null and id in (select batch_id from settled)`);

/** Waits for endpoints that are being deleted and leaves them out, by the same lock as for transcriptions. */
const finishBatches = statement(`
  with finished as (
    update batch as b set finished_at = :now::timestamptz, waiting_for = null, finishes = finishes + 1
    where b.finished_at is null and b.next_at <= :now::timestamptz and (:id::text is null or b.id = :id) and not exists (
      select from batch_link as l where l.batch_id = b.id and l.state in ('waiting', 'begun')
    )
    returning b.id, b.account_id, b.finishes
  ), endpoint as (
    select w.id, w.account_id from webhook as w join account as a on a.id = w.account_id
    where a.suspended_at is null and w.account_id in (select account_id from finished)
    order by w.number for key share of w
  )
  insert into webhook_delivery (id, webhook_id, event, batch_id, created_at, due_at)
  select 'msg_' || split_part(finished.id, '_', 2) || finished.finishes || '_' || split_part(endpoint.id, '_', 2),
    endpoint.id, 'batch.finished', finished.id, :now::timestamptz, :now::timestamptz
  from finished join endpoint on endpoint.account_id = finished.account_id
  on conflict (id) do nothing`);

const findDue = statement(`
  select b.id, b.account_id, b.slot, b.key_id, b.language_hint, b.since, b.next_at, (
    select count(*)::integer from batch as other join batch_link as l on l.batch_id = other.id and l.state = 'begun'
    where other.account_id = b.account_id and other.finished_at is null
  ) as under_way
  from batch as b
  where b.finished_at is null and (b.next_at <= :now::timestamptz and :id::text is null or b.id = :id)
  order by row_number() over (partition by b.account_id order by b.next_at, b.number), b.next_at limit :most::integer`).reading(
  {
    id: isText,
    accountId: isText,
    slot: isNumber,
    keyId: orNull(isText),
    languageHint: orNull(isText),
    since: isMoment,
    nextAt: isMoment,
    underWay: isNumber,
  },
);

const listWaiting = statement(`
  select batch_id, position, url, platform, media_id, shortcode, reel_url, ask_at
  from batch_link where batch_id = any(:ids::text[]) and state = 'waiting' and file_id is null order by position`).reading(
  {
    batchId: isText,
    position: isNumber,
    url: isText,
    platform: orNull(isText),
    mediaId: orNull(isText),
    shortcode: orNull(isText),
    reelUrl: orNull(isText),
    askAt: orNull(isMoment),
  },
);

/** The account's own transcription comes first. */
const findBegun = statement(`
  (
    select id as own_id from transcription
    where account_id = :accountId and queued_at >= :since and platform = :platform and media_id = :mediaId
      and retranscribes is null and translates is null
    order by queued_at desc, number desc limit 1
  ) union all (
    select case when account_id = :accountId then id end from transcription
    where platform = :platform and media_id = :mediaId and owner is null and state in ('queued', 'running')
      and translates is null
    limit 1
  ) limit 1`).reading({ ownId: orNull(isText) });

const noteBegun = statement(`
  update batch_link set state = 'begun', transcription_id = :transcriptionId
  where batch_id = :id and position = :position and state = 'waiting'`);

const noteCached = statement(`
  update batch_link set state = 'done', cached = true
  where batch_id = :id and position = :position and state = 'waiting'`);

const noteFailed = statement(`
  update batch_link set state = 'failed', failure = :failure
  where batch_id = :id and position = :position and state = 'waiting'`);

/** Leaves out a reel that the batch already has under another link. */
const noteLocated = statement(`
  with other as (
    select position from batch_link
    where batch_id = :id and position <> :position and platform = :platform and media_id = :mediaId limit 1
  ), left_out as (
    delete from batch_link using other where batch_link.batch_id = :id and batch_link.position = :position
    returning batch_link.batch_id
  ), counted as (
    update batch set duplicates = duplicates + 1 where id in (select batch_id from left_out)
  )
  update batch_link set platform = :platform, media_id = :mediaId, shortcode = :shortcode, reel_url = :url
  where batch_id = :id and position = :position and state = 'waiting' and not exists (select from other)`);

const noteNotLocated = statement(`
  update batch_link set tries = tries + 1, ask_at = :askAt where batch_id = :id and position = :position and state = 'waiting'`);

const failWaiting = statement(`
  update batch_link set state = 'failed', failure = :failure
  where batch_id = :id and state = 'waiting' and file_id is null`);

/** Enough to find one whose turn it is. */
const mostAccounts = 200;

const listAccountsToLocate = statement(`
  select account_id from (
    select distinct on (account_id) account_id, locate_at from batch
    where finished_at is null and locate_at <= :now and account_id <> all(:without::text[])
    order by account_id, locate_at
  ) as due
  order by locate_at limit ${mostAccounts}`).reading({ accountId: isText });

/** If none of the batch's share links is due, this notes when the next one is. */
const nextShareLink = statement(`
  with due_batch as (
    select id from batch where account_id = :accountId and finished_at is null and locate_at <= :now::timestamptz
    order by locate_at, number limit 1
  ), next as (
    select l.batch_id, l.position, l.url, l.tries from due_batch join batch_link as l on l.batch_id = due_batch.id
    where l.state = 'waiting' and l.platform is null and (l.ask_at is null or l.ask_at <= :now::timestamptz)
    order by l.position limit 1
  ), later as (
    update batch set locate_at = (
      select min(ask_at) from batch_link where batch_id = batch.id and state = 'waiting' and platform is null
    )
    where id in (select id from due_batch) and not exists (select from next)
  )
  select batch_id, position, url, tries from next`).reading({
  batchId: isText,
  position: isNumber,
  url: isText,
  tries: isNumber,
});

/** The next look is that of a batch which has waited longer. */
const noteLooked = statement(`
  update batch set locate_at = :now::timestamptz, next_at = :now::timestamptz
  where id = :id and finished_at is null`);

const pauseLocating = statement(`
  update batch set locate_at = :until where account_id = :accountId and finished_at is null and locate_at is not null`);

/**
 * A batch stays due if it became due again since this check began. Share links that nobody looks at are those of a process of
 * the release before, or of one that died.
 */
const putOff = statement(`
  update batch set waiting_for = :waitingFor, next_at = case
      when exists (select from batch_link where batch_id = :id and state in ('waiting', 'begun')) then :nextAt::timestamptz
      else :now::timestamptz
    end,
    locate_at = coalesce(locate_at, case
      when exists (select from batch_link where batch_id = :id and state = 'waiting' and platform is null) then :now::timestamptz
    end)
  where id = :id and next_at = :seenNextAt and finished_at is null`);

/** One at a time, like every end of transcriptions that wait. */
const endOneCanceled = statement(`
  with unwanted as (
    select t.id
    from batch as b join batch_link as l on l.batch_id = b.id and l.state in ('begun', 'canceled')
    join transcription as t on t.platform = l.platform and t.media_id = l.media_id and t.owner is null
      and t.state = 'queued' and t.account_id = b.account_id and t.is_batched
    where b.id = :id and b.account_id = :accountId and not exists (
      select from batch as other join batch_link as l on l.batch_id = other.id
      where other.account_id = b.account_id and other.finished_at is null and other.id <> b.id
        and l.platform = t.platform and l.media_id = t.media_id and l.state in ('waiting', 'begun')
    )
    order by t.queued_at, t.number
    limit 1
    for update of t skip locked
  ), ended as (
    select of_batch.id from unwanted, end_transcription(
      ended_id => unwanted.id, of_attempt => null, moment => :now::timestamptz, reason => :failure::json, charged => false) as of_batch
  ), canceled as (
    update batch_link as l set state = 'canceled', transcription_id = null from ended
    where l.batch_id = :id and l.transcription_id = ended.id and l.state = 'begun'
    returning l.batch_id
  ), due as (
    update batch set next_at = :now::timestamptz where finished_at is null and id in (select batch_id from canceled)
  )
  select id from ended`).reading({ id: isText });

/** The part of `Batches` that starts links and ends batches. */
export const createBatchWork = ({ pool: database, signals }: Engine): BatchWork => ({
  async settle(now) {
    await settleLinks.run(database, { now });
    await settleFiles.run(database, { now, urlStart: fileUrlStart });
  },
  async finish(now, id) {
    await finishBatches.run(database, { now, id: id ?? null });
  },
  async due(most, now, id) {
    const batches = await findDue.rows(database, { most, now, id: id ?? null });
    if (batches.length === 0) return [];
    const waiting = new Map<string, WaitingLink[]>(batches.map((batch) => [batch.id, []]));
    for (const link of await listWaiting.rows(database, { ids: batches.map((batch) => batch.id) })) {
      const { platform, mediaId, shortcode, reelUrl, position, url, askAt } = link;
      const isKnown = platform !== null && mediaId !== null && shortcode !== null && reelUrl !== null;
      const reel = isKnown ? { platform, mediaId, shortcode, url: reelUrl } : null;
      waiting.get(link.batchId)?.push({ position, url, reel, askAt });
    }
    return batches.map((batch): DueBatch => ({
      id: batch.id,
      owner: { accountId: batch.accountId, slot: batch.slot, keyId: batch.keyId },
      languageHint: batch.languageHint,
      since: batch.since,
      nextAt: batch.nextAt,
      underWay: batch.underWay,
      links: waiting.get(batch.id) ?? [],
    }));
  },
  findBegun: (accountId, { platform, mediaId }, since) =>
    findBegun.row(database, { accountId, platform, mediaId, since }),
  note: async (id, position, outcome) => (await note(database, id, position, outcome)) > 0,
  async endCanceled(accountId, id, failure, now) {
    for (let ended = 0; ended < mostBatchLinks; ended += 1) {
      const row = await endOneCanceled.row(database, { accountId, id, failure: jsonOf(failure), now });
      if (row === undefined) return;
      signals.announce("finished", row.id);
    }
  },
  accountsToLocate: async (without, now) =>
    (await listAccountsToLocate.rows(database, { without, now })).map(({ accountId }) => accountId),
  nextShareLink: (accountId, now) => nextShareLink.row(database, { accountId, now }),
  async noteLook(link, outcome, now) {
    await noteLook(database, link, outcome);
    await noteLooked.run(database, { id: link.batchId, now });
  },
  async pauseLocating(accountId, until) {
    await pauseLocating.run(database, { accountId, until });
  },
  async failWaiting(id, failure) {
    await failWaiting.run(database, { id, failure: JSON.stringify(failure) });
  },
  async putOff({ id, nextAt: seenNextAt }, { nextAt, waitingFor, now }) {
    await putOff.run(database, { id, seenNextAt, nextAt, waitingFor, now });
  },
});

/** The number of links that were still waiting, 0 or 1. */
function note(database: Database, id: string, position: number, outcome: BatchLinkOutcome): Promise<number> {
  switch (outcome.kind) {
    case "begun":
      return noteBegun.run(database, { id, position, transcriptionId: outcome.transcriptionId });
    case "cached":
      return noteCached.run(database, { id, position });
    case "failed":
      return noteFailed.run(database, { id, position, failure: JSON.stringify(outcome.failure) });
  }
}

async function noteLook(database: Database, link: UnlocatedLink, outcome: LookOutcome): Promise<void> {
  const { batchId: id, position } = link;
  switch (outcome.kind) {
    case "failed":
      await noteFailed.run(database, { id, position, failure: JSON.stringify(outcome.failure) });
      return;
    case "located": {
      const { platform, mediaId, shortcode, url } = outcome.reel;
      await noteLocated.run(database, { id, position, platform, mediaId, shortcode, url });
      return;
    }
    case "notLocated":
      await noteNotLocated.run(database, { id, position, askAt: outcome.askAt });
  }
}

import type { Engine } from "../engine/engine.ts";
import { isBoolean, isMoment, isNumber, isOneOf, isText, orNull } from "../engine/columns.ts";
import { columnsOf, jsonOf, statement, transaction } from "../engine/statement.ts";
import type { OperatorQueue } from "../../../ports.ts";
import { noteAction } from "../moderation/operator-notes.ts";
import { addressRow } from "./claims.ts";

const workRow = {
  id: isText,
  state: isOneOf("queued", "running", "failed"),
  accountId: orNull(isText),
  url: isText,
  queuedAt: isMoment,
  attempt: isNumber,
  progress: isNumber,
  resumeAt: orNull(isMoment),
  failure: orNull(isText),
};

const listOpen = statement(`
  select id, state, account_id, url, queued_at, attempt, progress, resume_at, null as failure
  from transcription
  where state in ('queued', 'running') and (:accountId::text is null or account_id = :accountId)
    and (:after::text is null or number > (select number from transcription where id = :after))
  order by number limit :limit::integer`).reading(workRow);

/** Failed ones have no index, so only the latest are read. */
const mostLookedAt = 10_000;

const listFailed = statement(`
  select id, state, account_id, url, queued_at, attempt, progress, resume_at, failure ->> 'code' as failure
  from (
    select * from transcription
    where (:after::text is null or number < (select number from transcription where id = :after))
    order by number desc limit ${mostLookedAt}
  ) as latest
  where state = 'failed' and (:accountId::text is null or account_id = :accountId)
  order by number desc limit :limit::integer`).reading(workRow);

const listFailedOf = statement(`
  select id, state, account_id, url, queued_at, attempt, progress, resume_at, failure ->> 'code' as failure
  from (
    select * from transcription
    where account_id = :accountId::text
      and (:after::text is null or (queued_at, number) < (select queued_at, number from transcription where id = :after))
    order by queued_at desc, number desc limit ${mostLookedAt}
  ) as latest
  where state = 'failed'
  order by number desc limit :limit::integer`).reading(workRow);

const readDrain = statement("select since from queue_drain").reading({ since: isMoment });
const beginDrain = statement("insert into queue_drain (since) values (:now) on conflict (one) do nothing");
const endDrain = statement("delete from queue_drain");

const cancelOne = statement(`
  select id from end_transcription(
    ended_id => :id, of_attempt => null, moment => :now, reason => :failure::json, charged => false)`);

const hurryOne = statement(`
  update transcription set resume_at = null, avoid_worker = null, avoid_until = null
  where id = :id and state = 'queued'`);

const findFailed = statement(`
  select t.platform, t.media_id, t.shortcode, t.url, t.language_hint, t.account_id, t.owner is not null as is_sent, h.slot
  from transcription as t left join hold as h on h.transcription_id = t.id
  where t.id = :id and t.state = 'failed' and t.translates is null`).reading({
  ...addressRow,
  languageHint: orNull(isText),
  accountId: orNull(isText),
  isSent: isBoolean,
  slot: orNull(isNumber),
});

const forgetRefusals = statement(
  "delete from refusal where platform = :platform and media_id = :mediaId and owner is null",
);

/** Audit entries name this if they are about the queue as a whole. */
const wholeQueue = "queue";

export const createOperatorQueue = ({ pool, signals }: Engine): OperatorQueue => ({
  list({ state, accountId, after, limit }) {
    if (state === "open") return listOpen.rows(pool, { accountId, after, limit });
    if (accountId === null) return listFailed.rows(pool, { accountId, after, limit });
    return listFailedOf.rows(pool, { accountId, after, limit });
  },
  drainedSince: async () => (await readDrain.row(pool))?.since,
  drain: (decision) =>
    transaction(pool, async (inside) => {
      if ((await beginDrain.run(inside, { now: decision.now })) === 0) return false;
      await noteAction(inside, "drainQueue", wholeQueue, decision);
      return true;
    }),
  async resume(decision) {
    const isResumed = await transaction(pool, async (inside) => {
      if ((await endDrain.run(inside)) === 0) return false;
      await noteAction(inside, "resumeQueue", wholeQueue, decision);
      return true;
    });
    signals.announce("queued");
    return isResumed;
  },
  async cancel(id, failure, decision) {
    const isCanceled = await transaction(pool, async (inside) => {
      if ((await cancelOne.run(inside, { id, failure: jsonOf(failure), now: decision.now })) === 0) return false;
      await noteAction(inside, "cancelTranscription", id, decision);
      return true;
    });
    if (isCanceled) signals.announce("finished", id);
    return isCanceled;
  },
  async hurry(id, decision) {
    const isHurried = await transaction(pool, async (inside) => {
      if ((await hurryOne.run(inside, { id })) === 0) return false;
      await noteAction(inside, "retryTranscription", id, decision);
      return true;
    });
    if (isHurried) signals.announce("queued");
    return isHurried;
  },
  async findFailed(id) {
    const row = await findFailed.row(pool, { id });
    if (row === undefined) return undefined;
    const { languageHint, accountId, isSent, slot } = row;
    return { reel: columnsOf(row, addressRow), languageHint, accountId, isSent, slot };
  },
  forgetRefusals: (id, { platform, mediaId }, decision) =>
    transaction(pool, async (inside) => {
      await forgetRefusals.run(inside, { platform, mediaId });
      await noteAction(inside, "retryTranscription", id, decision);
    }),
});

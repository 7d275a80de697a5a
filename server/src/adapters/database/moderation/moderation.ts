import { ServiceError } from "@reelscript/contract";
import type { Decision, Moderation, ModerationAction, NamedBioPage } from "../../../ports.ts";
import { suspended, takenDown } from "../../../rules/refusals.ts";
import type { Engine } from "../engine/engine.ts";
import { isMoment, isNumber, isText, orNull } from "../engine/columns.ts";
import { statement, transaction, type Transaction, jsonOf } from "../engine/statement.ts";
import { codeOf } from "../engine/unavailable.ts";

/** A writer that hangs must not hold up all others behind this lock. */
const waitShortly = statement("select set_config('lock_timeout', '3s', true)");
const lockNotAvailable = "55P03";

/** Writers wait until this transaction ends, and then the tables refuse them. */
const stopWriters = statement("lock table transcription, transcript, script, thumbnail in share row exclusive mode");

const writeAudit = statement(
  "insert into audit (at, actor, action, subject, reason) values (:now, :by, :action, :subject, :reason)",
);

/** A newer release may write actions that this one doesn't know; they are shown by their names. */
const listAudit = statement(`
  select entry.at, entry.actor as by, entry.action, entry.subject, nullif(a.email, '') as email, entry.reason from (
    select at, number, actor, action, subject, reason from audit
    union all
    select at, number, actor, 'changePlan', account_id || ' to ' || plan, reason from plan_change
    union all
    select at, number, actor, case when is_reset then 'resetPassword' else 'inviteAccount' end, account_id, reason
    from invitation_note
    union all
    select at, number, actor, action, subject, reason from operator_note
  ) as entry
  left join account as a on a.id = split_part(entry.subject, ' ', 1)
  order by entry.at desc, entry.number desc limit :most`).reading({
  at: isMoment,
  by: isText,
  action: isText,
  subject: isText,
  email: orNull(isText),
  reason: isText,
});

const addTakedown = statement(`
  insert into takedown (platform, media_id) values (:platform, :mediaId)
  on conflict (platform, media_id) do nothing`);

const removeTakedown = statement("delete from takedown where platform = :platform and media_id = :mediaId");

const findTakedown = statement("select 1 from takedown where platform = :platform and media_id = :mediaId");

const listTakedowns = statement(`
  select platform, media_id from takedown
  join unnest(:platforms::text[], :mediaIds::text[]) as reel (platform, media_id) using (platform, media_id)`).reading({
  platform: isText,
  mediaId: isText,
});

/** Also matches media that accounts sent. */
const ofReel = "platform = :platform and media_id = :mediaId";

const endOne = <const Whose extends string>(whose: Whose) =>
  `
    with due as (
      select id from transcription where state in ('queued', 'running') and ${whose} order by queued_at limit 1 for update
    )
    select ended.id from due, end_transcription(
      ended_id => due.id, of_attempt => null, moment => :now, reason => :failure::json, charged => false) as ended` as const;

/** One at a time, because statements that settle several allowances at once could wait for one another in a circle. */
const endOfReel = statement(endOne(ofReel));
const endOfAccount = statement(endOne("account_id = :accountId"));

/** Sends no webhook: the transcription has ended before. */
const endFinished = statement(`
  update transcription set state = 'failed', failure = :failure::json
  where ${ofReel} and state = 'done'`);

/** These go with their scripts: transcripts by the trigger `script_removed_owned`, corrections by the rule of their table. */
const findOwnTexts = statement(`
  select text from transcript where ${ofReel} and owner is not null
  union all
  select c.text from script_correction as c join script as s on s.number = c.script_number join transcript as t on t.id = s.transcript_id
  where t.platform = :platform and t.media_id = :mediaId`).reading({ text: isText });

const removeScripts = statement(`
  with removed as (
    delete from script using transcript as t
    where script.transcript_id = t.id and t.platform = :platform and t.media_id = :mediaId returning script.id
  )
  select count(*)::integer as scripts from removed`).reading({ scripts: isNumber });

const removeTranscript = statement(`delete from transcript where ${ofReel} returning text`).reading({ text: isText });

/** The text in JSON form: kept answers may contain characters that the database can't read in any other way. */
const removeAnswers = statement(
  "delete from idempotent_answer where output is not null and position(:text in output::text) > 0",
);

/** The trigger `thumbnail_object_removed` queues the object in `removed_object`, from which a periodic task removes it. */
const removeThumbnail = statement("delete from thumbnail where platform = :platform and media_id = :mediaId");

const suspendAccount = statement("update account set suspended_at = :now where id = :id and suspended_at is null");

const unsuspendAccount = statement(
  "update account set suspended_at = null where id = :id and suspended_at is not null",
);

const findPage = statement(`
  select id, handle, taken_down_at from bio_page
  where id = :id or handle = :handle or account_id = (
    select account_id from bio_former_handle where handle = :handle and held_until > :now
  )
  for update`).reading({ id: isText, handle: orNull(isText), takenDownAt: orNull(isMoment) });

const markPage = statement("update bio_page set taken_down_at = :takenDownAt where id = :id");

/** Throws `unavailable` if a writer doesn't finish. */
async function stopAll(inside: Transaction): Promise<void> {
  await waitShortly.run(inside);
  await stopWriters.run(inside).catch((error: unknown) => {
    throw codeOf(error) === lockNotAvailable
      ? new ServiceError("unavailable", "another change is taking too long; try again", {
          retryAfter: 5,
          cause: error,
        })
      : error;
  });
}

/** Translates an error that the tables raise because of a concurrent decision; other errors are returned unchanged. */
export function refusalIn(error: unknown): unknown {
  const code = codeOf(error);
  const failure = code === "RS001" ? takenDown : code === "RS002" ? suspended : undefined;
  return failure ? new ServiceError(failure.code, failure.message, { reason: failure.reason, cause: error }) : error;
}

const write = (inside: Transaction, action: ModerationAction, subject: string, { by, reason, now }: Decision) =>
  writeAudit.run(inside, { now, by, action, subject, reason });

export function createModeration({ pool, signals }: Engine): Moderation {
  const moderate = async (action: "takeDownPage" | "restorePage", page: NamedBioPage, decision: Decision) => {
    const outcome = await transaction(pool, async (inside) => {
      const { now } = decision;
      const id = "id" in page ? page.id : null;
      const handle = "handle" in page ? page.handle : null;
      const bioPage = await findPage.row(inside, { id, handle, now });
      if (bioPage === undefined) return "unknown";
      const takenDownAt = action === "takeDownPage" ? now : null;
      if ((bioPage.takenDownAt === null) === (takenDownAt === null)) return "already";
      await markPage.run(inside, { id: bioPage.id, takenDownAt });
      await write(inside, action, bioPage.handle === null ? bioPage.id : `${bioPage.id} @${bioPage.handle}`, decision);
      return { id: bioPage.id, handle: bioPage.handle };
    });
    signals.announce("bioPages");
    return outcome;
  };

  return {
    async takeDown(reel, decision) {
      const { platform, mediaId } = reel;
      const ended = { platform, mediaId, failure: jsonOf(takenDown), now: decision.now };
      const scripts = await transaction(pool, async (inside) => {
        await stopAll(inside);
        await addTakedown.run(inside, reel);
        while ((await endOfReel.run(inside, ended)) > 0);
        await endFinished.run(inside, ended);
        const ownTexts = await findOwnTexts.rows(inside, reel);
        const removed = await removeScripts.onlyRow(inside, reel);
        const transcripts = [...ownTexts, ...(await removeTranscript.rows(inside, reel))];
        for (const { text } of transcripts)
          if (text !== "") await removeAnswers.run(inside, { text: jsonOf(text).slice(1, -1) });
        await removeThumbnail.run(inside, reel);
        await write(inside, "takeDownReel", reel.url, decision);
        return removed.scripts;
      });
      signals.announce("finished");
      return { scripts };
    },
    allow: (reel, decision) =>
      transaction(pool, async (inside) => {
        if ((await removeTakedown.run(inside, reel)) === 0) return false;
        await write(inside, "allowReel", reel.url, decision);
        return true;
      }),
    isTakenDown: async (reel) => (await findTakedown.run(pool, reel)) > 0,
    listTakenDown: (reels) =>
      listTakedowns.rows(pool, {
        platforms: reels.map(({ platform }) => platform),
        mediaIds: reels.map(({ mediaId }) => mediaId),
      }),
    async suspend(accountId, decision) {
      const { now } = decision;
      const done = await transaction(pool, async (inside) => {
        await stopAll(inside);
        if ((await suspendAccount.run(inside, { id: accountId, now })) === 0) return false;
        const ended = { accountId, failure: jsonOf(suspended), now };
        while ((await endOfAccount.run(inside, ended)) > 0);
        await write(inside, "suspendAccount", accountId, decision);
        return true;
      });
      if (done) signals.announce("finished");
      return done;
    },
    unsuspend: (accountId, decision) =>
      transaction(pool, async (inside) => {
        if ((await unsuspendAccount.run(inside, { id: accountId })) === 0) return false;
        await write(inside, "unsuspendAccount", accountId, decision);
        return true;
      }),
    takeDownPage: (page, decision) => moderate("takeDownPage", page, decision),
    restorePage: (page, decision) => moderate("restorePage", page, decision),
    audit: (limit) => listAudit.rows(pool, { most: limit }),
  };
}

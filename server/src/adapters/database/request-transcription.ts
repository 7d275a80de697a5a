import type { Pool } from "pg";
import type { Failure, NewId, TranscriptionRequest, Transcriptions } from "../../ports.ts";
import { takeCachedTranscript } from "./library.ts";
import { locks } from "./locks.ts";
import { rowsOf, transaction, type Statement } from "./statement.ts";
import { storable } from "./storable.ts";

const lookAround: Statement = {
  name: "look-around",
  text: `
    select
      exists (select from transcript where platform = $1 and media_id = $2) as cached,
      (
        select json_build_object('id', id, 'own', account_id = $3)
        from transcription where platform = $1 and media_id = $2 and state in ('queued', 'running')
      ) as in_progress,
      coalesce((select used + held from allowance where account_id = $3 and slot = $4 and period = $5), 0) as taken,
      (select failure from refusal where platform = $1 and media_id = $2 and model = $6 and until > $7) as failure,
      (select count(*) from transcription where state in ('queued', 'running')) as queue_length`,
};

const startTranscription: Statement = {
  name: "start-transcription",
  text: `
    with unit as (
      insert into allowance as a (account_id, slot, period, held) values ($1, $2, $3, 1)
      on conflict (account_id, slot, period) do update set held = a.held + 1 where a.used + a.held < $4
      returning account_id, slot, period
    ), started as (
      insert into transcription (id, account_id, platform, media_id, shortcode, url, language_hint, queued_at)
      select $5, account_id, $6, $7, $8, $9, $10, $11 from unit
      returning id
    )
    insert into hold (transcription_id, account_id, slot, period, held_at)
    select started.id, unit.account_id, unit.slot, unit.period, $11 from started, unit
    returning transcription_id`,
};

interface Surroundings {
  cached: boolean;
  in_progress: { id: string; own: boolean } | null;
  taken: number;
  failure: Failure | null;
  queue_length: number;
}

/** Starters follow one another, so that what one has looked at still holds when it writes; workers are not held up. */
export const requestTranscription =
  (pool: Pool, newId: NewId): Transcriptions["request"] =>
  async ({ reel, languageHint, allowance, model, queueLimit, now }) =>
    transaction(pool, async (client): Promise<TranscriptionRequest> => {
      await client.query("select pg_advisory_xact_lock($1)", [locks.startTranscription]);
      const { accountId, slot } = allowance.subject;
      const identity = [storable(reel.platform), storable(reel.mediaId)];
      const [around] = await rowsOf<Surroundings>(client, lookAround, [
        ...identity,
        accountId,
        slot,
        allowance.period,
        storable(model),
        now,
      ]);
      if (!around) throw new Error("The database answered nothing");
      if (around.cached) {
        const transcript = await takeCachedTranscript(client, newId, reel, accountId, now);
        if (!transcript) throw new Error("A cached transcript vanished");
        return { kind: "cached", transcript };
      }
      if (around.in_progress)
        return { kind: "inProgress", ...(around.in_progress.own && { transcriptionId: around.in_progress.id }) };
      if (around.taken >= allowance.limit) return { kind: "limitReached" };
      if (around.failure) return { kind: "refused", failure: around.failure };
      if (around.queue_length >= queueLimit) return { kind: "queueFull" };

      const [started] = await rowsOf<{ transcription_id: string }>(client, startTranscription, [
        accountId,
        slot,
        allowance.period,
        allowance.limit,
        newId("trn"),
        ...identity,
        storable(reel.shortcode),
        storable(reel.url),
        languageHint === null ? null : storable(languageHint),
        now,
      ]);
      return started ? { kind: "started", transcriptionId: started.transcription_id } : { kind: "limitReached" };
    });

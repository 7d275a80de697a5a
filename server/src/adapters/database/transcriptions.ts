import type { Claim, Failure, NewId, Transcriptions, TranscriptionState } from "../../ports.ts";
import { completeTranscription, settleHold } from "./complete-transcription.ts";
import type { Engine } from "./engine.ts";
import { findOwnTranscription } from "./find-own-transcription.ts";
import { takeCachedTranscript } from "./library.ts";
import { requestTranscription } from "./request-transcription.ts";
import { rowsOf, type Statement } from "./statement.ts";
import { storable } from "./storable.ts";
import { transcriptValues } from "./transcript-row.ts";

const findTranscription: Statement = {
  name: "find-transcription",
  text: "select state, progress, failure from transcription where id = $1",
};

const isCached: Statement = {
  name: "is-cached",
  text: "select 1 from transcript where platform = $1 and media_id = $2",
};

const claimNext: Statement = {
  name: "claim-next",
  text: `
    update transcription
    set state = 'running', attempt = attempt + 1, tries_left = tries_left - 1, progress = 0, worker = $1,
      lease_until = $3::timestamptz + make_interval(secs => $2)
    where id = (
      select id from transcription
      where state in ('queued', 'running') and tries_left > 0 and (state = 'queued' or lease_until <= $3::timestamptz)
      order by queued_at, number
      limit 1
      for update skip locked
    )
    returning id, attempt, tries_left, platform, media_id, shortcode, url, language_hint`,
};

const extendLease: Statement = {
  name: "extend-lease",
  text: `
    update transcription
    set lease_until = $4::timestamptz + make_interval(secs => $3), progress = least(greatest($5::float8, progress), 1)
    where id = $1 and attempt = $2 and state = 'running'
    returning id`,
};

const failTranscription: Statement = {
  name: "fail-transcription",
  text: `
    with ended as (
      update transcription
      set state = 'failed', failure = $3::json, lease_until = null, worker = null, finished_at = $4::timestamptz
      where id = $1 and attempt = $2 and state = 'running'
      returning id, platform, media_id
    ), refused as (
      insert into refusal (platform, media_id, model, until, failure)
      select platform, media_id, $5::text, $6::timestamptz, $3::json from ended where $5::text is not null
      on conflict (platform, media_id, model) do update set until = excluded.until, failure = excluded.failure
    ), ${settleHold("false", "$4::timestamptz")}
    select id from ended`,
};

const releaseTranscription: Statement = {
  name: "release-transcription",
  text: `
    update transcription
    set state = 'queued', lease_until = null, worker = null, progress = 0, tries_left = tries_left + $3::integer
    where id = $1 and attempt = $2 and state = 'running'
    returning id`,
};

/** One at a time: statements that settle several allowances at once could wait for one another in a circle. */
const reapOne: Statement = {
  name: "reap-one",
  text: `
    with due as (
      select id from transcription
      where state in ('queued', 'running') and tries_left = 0 and (state = 'queued' or lease_until <= $2::timestamptz)
      order by queued_at, number
      limit 1
      for update skip locked
    ), ended as (
      update transcription as t
      set state = 'failed', failure = $1::json, lease_until = null, worker = null, finished_at = $2::timestamptz
      from due where t.id = due.id
      returning t.id
    ), ${settleHold("false", "$2::timestamptz")}
    select id from ended`,
};

const expireLeases: Statement = {
  name: "expire-leases",
  text: "update transcription set lease_until = $1 where state = 'running'",
};

const queueLength: Statement = {
  name: "queue-length",
  text: "select count(*) as length from transcription where state in ('queued', 'running')",
};

interface ClaimRow {
  id: string;
  attempt: number;
  tries_left: number;
  platform: string;
  media_id: string;
  shortcode: string;
  url: string;
  language_hint: string | null;
}

type StateRow =
  | { state: "queued" | "running"; progress: number }
  | { state: "done" }
  | { state: "failed"; failure: Failure };

const toState = (row: StateRow): TranscriptionState => {
  switch (row.state) {
    case "queued":
    case "running":
      return { state: row.state, progress: row.progress };
    case "done":
      return { state: row.state };
    case "failed":
      return { state: row.state, failure: row.failure };
  }
};

const fence = (claim: Claim) => [claim.transcriptionId, claim.attempt];

export function createTranscriptions(
  { pool, signals }: Pick<Engine, "pool" | "signals">,
  newId: NewId,
): Transcriptions {
  const request = requestTranscription(pool, newId);
  const changesOne = async (statement: Statement, values: readonly unknown[]) =>
    (await rowsOf(pool, statement, values)).length > 0;

  return {
    takeCached: (reel, accountId, now) => takeCachedTranscript(pool, newId, reel, accountId, now),
    async isCached(reel) {
      return (await rowsOf(pool, isCached, [storable(reel.platform), storable(reel.mediaId)])).length > 0;
    },
    async request(asked) {
      const answer = await request(asked);
      if (answer.kind === "started") signals.announce("queued");
      return answer;
    },
    async find(transcriptionId) {
      const [row] = await rowsOf<StateRow>(pool, findTranscription, [storable(transcriptionId)]);
      return row && toState(row);
    },
    findOwn: (accountId, transcriptionId) => findOwnTranscription(pool, accountId, transcriptionId),
    async claim(worker, leaseSeconds, now) {
      const [row] = await rowsOf<ClaimRow>(pool, claimNext, [storable(worker), leaseSeconds, now]);
      return (
        row && {
          transcriptionId: row.id,
          attempt: row.attempt,
          reel: { platform: row.platform, mediaId: row.media_id, shortcode: row.shortcode, url: row.url },
          languageHint: row.language_hint,
          mayRetry: row.tries_left > 0,
        }
      );
    },
    extend: (claim, progress, leaseSeconds, now) =>
      changesOne(extendLease, [...fence(claim), leaseSeconds, now, progress]),
    async complete(claim, transcript, charge, now) {
      const values = [...fence(claim), now, newId("scr"), charge, ...transcriptValues(transcript)];
      const completed = await changesOne(completeTranscription, values);
      if (completed) signals.announce("finished");
      return completed;
    },
    async fail(claim, failure, { now, refuse }) {
      const refusal = refuse ? [storable(refuse.model), refuse.until] : [null, null];
      const failed = await changesOne(failTranscription, [...fence(claim), JSON.stringify(failure), now, ...refusal]);
      if (failed) signals.announce("finished");
      return failed;
    },
    async release(claim, countAttempt) {
      const released = await changesOne(releaseTranscription, [...fence(claim), countAttempt ? 0 : 1]);
      if (released) signals.announce("queued");
      return released;
    },
    async reap(failure, now) {
      let reaped = 0;
      while (await changesOne(reapOne, [JSON.stringify(failure), now])) reaped += 1;
      if (reaped > 0) signals.announce("finished");
      return reaped;
    },
    async expireLeases(now) {
      await rowsOf(pool, expireLeases, [now]);
    },
    async queueLength() {
      const [row] = await rowsOf<{ length: number }>(pool, queueLength, []);
      return row?.length ?? 0;
    },
  };
}

import type { NewId, RepairOutcome, RepairRequest, Repairs } from "../../../ports.ts";
import { mayHearMore } from "../../../recognition/recognizer-key.ts";
import type { Engine } from "../engine/engine.ts";
import { advisoryLockOf } from "../engine/advisory-lock.ts";
import { isBoolean, isListOf, isNumber, isObjectOf, isText, orNull } from "../engine/columns.ts";
import { isRepairOutcome, repairedColumns, repairedRow, repairedValues } from "./repaired-reel.ts";
import { createRepairRuns } from "./repair-runs.ts";
import { execute, rowOf, statement } from "../engine/statement.ts";
import { transaction } from "../engine/transaction.ts";

interface InProgress {
  readonly id: string;
  readonly own: boolean | null;
}

interface Unanswered {
  readonly id: string;
  readonly outcome: RepairOutcome;
}

const lookAtScript = statement(
  "look-at-script",
  `
    select ${repairedColumns}, t.revision, t.heard_by, t.owner is not null as sent,
      (
        select json_build_object('id', id, 'own', account_id = :accountId)
        from transcription
        where platform = t.platform and media_id = t.media_id and state in ('queued', 'running')
      ) as in_progress,
      (
        select json_build_object('id', id, 'outcome', repair_outcome)
        from transcription
        where repairs = t.id and account_id = :accountId and state = 'done' and not repair_answered
        order by number desc
        limit 1
      ) as unanswered,
      (select sum(open) from queue_part) as queue_length,
      coalesce((select waiting from queue_account where account_id = :accountId), 0) as account_waiting
    from script as s join transcript as t on t.id = s.transcript_id
    where s.account_id = :accountId and s.id = :scriptId`,
  {
    ...repairedRow,
    revision: orNull(isNumber),
    heard_by: isListOf(isText),
    sent: isBoolean,
    in_progress: orNull(isObjectOf<InProgress>({ id: isText, own: orNull(isBoolean) })),
    unanswered: orNull(isObjectOf<Unanswered>({ id: isText, outcome: isRepairOutcome })),
    queue_length: orNull(isNumber),
    account_waiting: isNumber,
  },
);

const startRepair = statement(
  "start-repair",
  `
    insert into transcription (id, account_id, queued_at, repairs, platform, media_id, shortcode, url, language_hint)
    values (:id, :accountId, :now, :transcriptId, :platform, :mediaId, :shortcode, :url, :languageHint)
    on conflict (platform, media_id) where state in ('queued', 'running') do nothing
    returning id`,
);

const takeOutcome = statement(
  "take-repair-outcome",
  `
    update transcription set repair_answered = true where id = :id and repair_outcome is not null
    returning repair_outcome`,
  { repair_outcome: isRepairOutcome },
);

export function createRepairs({ pool, signals }: Pick<Engine, "pool" | "signals">, newId: NewId): Repairs {
  const request = ({
    accountId,
    scriptId,
    recognizer,
    queueLimit,
    queueLimitPerAccount,
    now,
  }: Parameters<Repairs["request"]>[0]) =>
    transaction(pool, async (inside): Promise<RepairRequest> => {
      // Whoever deletes the account takes this lock alone.
      await advisoryLockOf(inside, "startOfAccount", accountId, { shared: true });
      const found = await rowOf(inside, lookAtScript, { accountId, scriptId });
      if (found === undefined) return { kind: "noScript" };
      const { in_progress: inProgress, unanswered } = found;
      // Its media are gone. Transcribing the reel by its link fetches it again, free.
      if (found.sent) return { kind: "current" };
      if (inProgress) return { kind: "inProgress", ...(inProgress.own && { transcriptionId: inProgress.id }) };
      if (!mayHearMore(recognizer, { revision: found.revision, heardBy: found.heard_by }))
        return unanswered
          ? { kind: "finished", transcriptionId: unanswered.id, outcome: unanswered.outcome }
          : { kind: "current" };
      if (found.account_waiting >= queueLimitPerAccount) return { kind: "accountQueueFull" };
      if ((found.queue_length ?? 0) >= queueLimit) return { kind: "queueFull" };
      const transcriptionId = newId("trn");
      const repair = { id: transcriptionId, accountId, now, ...repairedValues(found) };
      // Someone else may have begun with the same reel at the same moment.
      return (await execute(inside, startRepair, repair)) > 0
        ? { kind: "started", transcriptionId }
        : { kind: "inProgress" };
    });
  return {
    ...createRepairRuns(pool, newId),
    async request(asked) {
      const answer = await request(asked);
      if (answer.kind === "started") signals.announce("queued");
      return answer;
    },
    takeOutcome: async (transcriptionId) => (await rowOf(pool, takeOutcome, { id: transcriptionId }))?.repair_outcome,
  };
}

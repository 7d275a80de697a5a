import type { Engine } from "../engine/engine.ts";
import { isBoolean, isMoment, isNumber, isOneOf, isText, orNull } from "../engine/columns.ts";
import { columnsOf, jsonOf, statement } from "../engine/statement.ts";
import type { Failure, ReelAddress } from "../../../ports.ts";
import { addressRow } from "./claims.ts";

export interface QueuedWork {
  readonly id: string;
  readonly state: "queued" | "running" | "failed";
  readonly accountId: string | null;
  readonly url: string;
  readonly queuedAt: Date;
  readonly attempt: number;
  readonly progress: number;
  /** No worker can claim it before then, because its platform or recognizer is unavailable. */
  readonly resumeAt: Date | null;
  /** The code of the failure. */
  readonly failure: string | null;
}

/** The facts about a failed transcription that are needed to restart it. */
export interface FailedWork {
  readonly reel: ReelAddress;
  readonly languageHint: string | null;
  /** `null` when the account is gone. */
  readonly accountId: string | null;
  /** The slot of the key that provided the unit; `null` if none was held. */
  readonly slot: number | null;
  /** True if the account sent its media, which are deleted by now. */
  readonly isSent: boolean;
}

/** The queue as an operator sees and changes it. */
export interface OperatorQueue {
  /** Lists queued and running transcriptions, the oldest first, or failed ones, the newest first. */
  list(selection: {
    readonly state: "open" | "failed";
    readonly accountId: string | null;
    readonly limit: number;
  }): Promise<QueuedWork[]>;
  /** Since when workers must not claim anything; `undefined` if they may. */
  drainedSince(): Promise<Date | undefined>;
  /** From now on workers claim nothing. False if they already had to stop. */
  drain(now: Date): Promise<boolean>;
  /** Lets workers claim again. False if the queue wasn't drained. */
  resume(): Promise<boolean>;
  /** Ends a queued or running transcription and returns its unit. False if there is none with this id. */
  cancel(id: string, failure: Failure, now: Date): Promise<boolean>;
  /** Lets workers claim a transcription that waits for its platform or recognizer. False if there is none with this id. */
  hurry(id: string): Promise<boolean>;
  findFailed(id: string): Promise<FailedWork | undefined>;
  /** Removes a remembered refusal of the reel, so that it can be tried before the refusal expires. */
  forgetRefusals(reel: ReelAddress): Promise<void>;
}

const listWork = statement(`
  select id, state, account_id, url, queued_at, attempt, progress, resume_at, failure ->> 'code' as failure
  from transcription
  where (case when :failed::boolean then state = 'failed' else state in ('queued', 'running') end)
    and (:accountId::text is null or account_id = :accountId)
  order by case when :failed::boolean then -number else number end
  limit :limit`).reading({
  id: isText,
  state: isOneOf("queued", "running", "failed"),
  accountId: orNull(isText),
  url: isText,
  queuedAt: isMoment,
  attempt: isNumber,
  progress: isNumber,
  resumeAt: orNull(isMoment),
  failure: orNull(isText),
});

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

export const createOperatorQueue = ({ pool, signals }: Engine): OperatorQueue => ({
  list: ({ state, accountId, limit }) => listWork.rows(pool, { failed: state === "failed", accountId, limit }),
  drainedSince: async () => (await readDrain.row(pool))?.since,
  drain: async (now) => (await beginDrain.run(pool, { now })) > 0,
  async resume() {
    const ended = await endDrain.run(pool);
    signals.announce("queued");
    return ended > 0;
  },
  async cancel(id, failure, now) {
    const ended = await cancelOne.run(pool, { id, failure: jsonOf(failure), now });
    if (ended > 0) signals.announce("finished", id);
    return ended > 0;
  },
  async hurry(id) {
    const changed = await hurryOne.run(pool, { id });
    if (changed > 0) signals.announce("queued");
    return changed > 0;
  },
  async findFailed(id) {
    const row = await findFailed.row(pool, { id });
    if (row === undefined) return undefined;
    const { languageHint, accountId, isSent, slot } = row;
    return { reel: columnsOf(row, addressRow), languageHint, accountId, isSent, slot };
  },
  forgetRefusals: async ({ platform, mediaId }) => void (await forgetRefusals.run(pool, { platform, mediaId })),
});

import * as z from "zod";
import type { Failure } from "../ports.ts";
import type { FailedWork, QueuedWork } from "../adapters/database/queue/operator-queue.ts";
import { refusalKey } from "../recognition/recognizer-of.ts";
import { allowanceOf } from "../rules/allowance.ts";
import { AdminError, printable } from "./admin-error.ts";
import { alignedTable, field, moment, storeCommand, type StoreTools } from "./command.ts";

const transcription = field("transcription id", "Its id, as queue list shows it", z.string().min(1).max(64));

const noneWaits = (id: string): AdminError =>
  new AdminError("refused", `no transcription with the id ${printable(id)} waits or runs; queue list shows their ids`);

const canceled: Failure = {
  code: "unavailable",
  status: 503,
  message: "The operator of this service canceled the transcription. You weren't charged.",
};

/** The limits for callers don't apply to the operator. */
const noLimit = 1_000_000;

function stateOf({ state, progress, resumeAt, failure }: QueuedWork): string {
  if (state === "failed") return failure ?? "failed";
  if (state === "running") return `running ${Math.round(progress * 100)} %`;
  return resumeAt === null ? "queued" : `waits until ${moment(resumeAt)}`;
}

/** Restarts a failed transcription for the account and the key that requested it. */
async function startAgain({ store, clock, recognizer }: StoreTools, id: string, work: FailedWork): Promise<string> {
  const { reel, languageHint, accountId, slot, isSent } = work;
  if (isSent) throw new AdminError("refused", "its media were sent by a browser and are gone; it must be sent again");
  const account = accountId === null ? undefined : await store.accounts.find(accountId);
  if (account === undefined) throw new AdminError("refused", "its account is gone");
  if (slot === null)
    throw new AdminError("refused", "it was a retranscription, which its account can begin again at any time");
  await store.operatorQueue.forgetRefusals(reel);
  const outcome = await store.transcriptions.request({
    reel,
    languageHint,
    // The slot is the one that the quota's scope chose at the first start.
    allowance: allowanceOf(account, slot, "key", clock.now()),
    model: refusalKey(recognizer, languageHint),
    queueLimit: noLimit,
    queueLimitPerAccount: noLimit,
    now: clock.now(),
  });
  switch (outcome.kind) {
    case "started":
      return outcome.transcriptionId;
    case "cached":
      throw new AdminError("refused", "the reel has been transcribed since; it is in the account's library");
    case "inProgress":
      throw new AdminError("refused", "the reel is being transcribed already");
    case "limitReached":
      throw new AdminError(
        "refused",
        `the account has no transcriptions left; account usage ${account.id} shows its use`,
      );
    case "refused":
      throw new AdminError("refused", outcome.failure.message);
    case "accountQueueFull":
    case "queueFull":
      throw new AdminError("refused", `${printable(id)} can't be queued: the queue is full`);
  }
}

/** The operator's commands on the queue. */
export const queueCommands = [
  storeCommand({
    words: "queue list",
    summary: "List queued and running transcriptions, oldest first, or with --failed the failed ones, newest first",
    fields: {
      account: field("id", "Only this account's", z.string().min(1).max(64).optional()),
      failed: field(undefined, "What failed instead", z.literal("true").optional()),
      limit: field(
        "count",
        "Transcriptions (default 50, maximum 1000)",
        z.coerce.number().int().min(1).max(1_000).default(50),
      ),
    },
    example: "queue list --limit 20",
    async run({ account = null, failed, limit }, { store }) {
      const state = failed === undefined ? "open" : "failed";
      const [transcriptions, drainedSince, length] = await Promise.all([
        store.operatorQueue.list({ state, accountId: account, limit }),
        store.operatorQueue.drainedSince(),
        store.transcriptions.queueLength(),
      ]);
      return { length, drainedSince: drainedSince ?? null, transcriptions };
    },
    text: ({ length, drainedSince, transcriptions }) =>
      [
        `${length} in the queue.${drainedSince === null ? "" : ` Workers claim nothing since ${moment(drainedSince)}; queue resume ends that.`}`,
        ...(transcriptions.length === 0
          ? []
          : [
              alignedTable(
                ["ID", "STATE", "TRY", "SINCE", "ACCOUNT", "REEL"],
                transcriptions.map((work) => [
                  work.id,
                  stateOf(work),
                  String(work.attempt),
                  moment(work.queuedAt),
                  work.accountId ?? "(gone)",
                  work.url,
                ]),
              ),
            ]),
      ].join("\n\n"),
  }),
  storeCommand({
    words: "queue retry",
    summary: "Retry a transcription now that waits for an outage or failed; its id is alone on the last line",
    fields: { transcription },
    operand: "transcription",
    example: "queue retry trn_…",
    async run({ transcription: id }, tools) {
      const { operatorQueue } = tools.store;
      if (await operatorQueue.hurry(id)) return { id, started: false };
      const failed = await operatorQueue.findFailed(id);
      if (failed === undefined)
        throw new AdminError("refused", `no transcription with the id ${printable(id)} waits or failed`);
      return { id: await startAgain(tools, id, failed), started: true };
    },
    text: ({ id, started }) =>
      `${started ? "It is in the queue again, under a new id:" : "Any worker may take it now:"}\n\n${id}`,
  }),
  storeCommand({
    words: "queue cancel",
    summary: "End a queued or running transcription; its unit is returned",
    fields: { transcription },
    operand: "transcription",
    example: "queue cancel trn_…",
    async run({ transcription: id }, { store, clock }) {
      if (await store.operatorQueue.cancel(id, canceled, clock.now())) return { id };
      throw noneWaits(id);
    },
    text: ({ id }) => `${id} is canceled. Its unit is given back.`,
  }),
  storeCommand({
    words: "queue drain",
    summary: "Let workers finish their reels and claim no more until queue resume",
    fields: {},
    example: "queue drain",
    async run(_input, { store, clock }) {
      const isNew = await store.operatorQueue.drain(clock.now());
      const open = await store.operatorQueue.list({ state: "open", accountId: null, limit: 1_000 });
      return { isNew, running: open.filter(({ state }) => state === "running").length };
    },
    text: ({ isNew, running }) =>
      `Workers claim nothing${isNew ? " from now on" : "; that was so before"}. ${running === 0 ? "None has anything in hand." : `${running} in hand; run it again to see how many are left.`}\nReels still enter the queue. queue resume lets workers claim again.`,
  }),
  storeCommand({
    words: "queue resume",
    summary: "Let workers claim again after queue drain",
    fields: {},
    example: "queue resume",
    async run(_input, { store }) {
      if (await store.operatorQueue.resume()) return { resumed: true };
      throw new AdminError("refused", "workers may claim; the queue wasn't drained");
    },
    text: () => "Workers claim again.",
  }),
];

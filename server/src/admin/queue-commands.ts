import * as z from "zod";
import type { QueuedWork } from "../ports.ts";
import { canceledByOperator, retryTranscription } from "../features/operator/retry-transcription.ts";
import { AdminError, printable } from "./admin-error.ts";
import { alignedTable, field, lineField, moment, storeCommand } from "./command.ts";

const transcription = field("transcription id", "Its id, as queue list shows it", z.string().min(1).max(64));

const noneWaits = (id: string): AdminError =>
  new AdminError("refused", `no transcription with the id ${printable(id)} waits or runs; queue list shows their ids`);

/** For the audit; a person at the machine rarely has more to say. */
const decision = (reason: string) => ({
  by: field("name", "Name of the operator in the audit log (default: operator)", lineField(100).default("operator")),
  reason: field("text", "Why; kept in the audit log", lineField(500).default(reason)),
});

function stateOf({ state, progress, resumeAt, failure }: QueuedWork): string {
  if (state === "failed") return failure ?? "failed";
  if (state === "running") return `running ${Math.round(progress * 100)} %`;
  return resumeAt === null ? "queued" : `waits until ${moment(resumeAt)}`;
}

/** The operator's commands on the queue. */
export const queueCommands = [
  storeCommand({
    words: "queue list",
    summary: "List queued and running transcriptions, oldest first, or with --failed the failed ones, newest first",
    fields: {
      account: field("id", "Only this account's", z.string().min(1).max(64).optional()),
      failed: field(undefined, "What failed instead", z.literal("true").optional()),
      after: field(
        "id",
        "Continue after this transcription, the last one of the previous page",
        z.string().min(1).max(64).optional(),
      ),
      limit: field(
        "count",
        "Transcriptions (default 50, maximum 1000)",
        z.coerce.number().int().min(1).max(1_000).default(50),
      ),
    },
    example: "queue list --limit 20",
    async run({ account = null, failed, after = null, limit }, { store }) {
      const state = failed === undefined ? "open" : "failed";
      const [transcriptions, drainedSince, length] = await Promise.all([
        store.operatorQueue.list({ state, accountId: account, after, limit }),
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
    fields: { transcription, ...decision("retried") },
    operand: "transcription",
    example: "queue retry trn_…",
    async run({ transcription: id, ...why }, { store, clock, recognizer }) {
      const { accounts, operatorQueue, transcriptions } = store;
      const needs = { accounts, operatorQueue, transcriptions, clock, recognizer };
      const retried = await retryTranscription(needs, id, { ...why, now: clock.now() });
      switch (retried.kind) {
        case "hurried":
        case "started":
          return { id: retried.id, started: retried.kind === "started" };
        case "unknown":
          throw new AdminError("refused", `no transcription with the id ${printable(id)} waits or failed`);
        case "limitReached":
          throw new AdminError("refused", `${retried.message} See account usage.`);
        case "inProgress":
        case "impossible":
          throw new AdminError("refused", retried.message);
      }
    },
    text: ({ id, started }) =>
      `${started ? "It is in the queue again, under a new id:" : "Any worker may take it now:"}\n\n${id}`,
  }),
  storeCommand({
    words: "queue cancel",
    summary: "End a queued or running transcription; its unit is returned",
    fields: { transcription, ...decision("canceled") },
    operand: "transcription",
    example: "queue cancel trn_…",
    async run({ transcription: id, ...why }, { store, clock }) {
      if (await store.operatorQueue.cancel(id, canceledByOperator, { ...why, now: clock.now() })) return { id };
      throw noneWaits(id);
    },
    text: ({ id }) => `${id} is canceled. Its unit is given back.`,
  }),
  storeCommand({
    words: "queue drain",
    summary: "Let workers finish their reels and claim no more until queue resume",
    fields: decision("drained"),
    example: "queue drain",
    async run(why, { store, clock }) {
      const isNew = await store.operatorQueue.drain({ ...why, now: clock.now() });
      const open = await store.operatorQueue.list({ state: "open", accountId: null, after: null, limit: 1_000 });
      return { isNew, running: open.filter(({ state }) => state === "running").length };
    },
    text: ({ isNew, running }) =>
      `Workers claim nothing${isNew ? " from now on" : "; that was so before"}. ${running === 0 ? "None has anything in hand." : `${running} in hand; run it again to see how many are left.`}\nReels still enter the queue. queue resume lets workers claim again.`,
  }),
  storeCommand({
    words: "queue resume",
    summary: "Let workers claim again after queue drain",
    fields: decision("resumed"),
    example: "queue resume",
    async run(why, { store, clock }) {
      if (await store.operatorQueue.resume({ ...why, now: clock.now() })) return { resumed: true };
      throw new AdminError("refused", "workers may claim; the queue wasn't drained");
    },
    text: () => "Workers claim again.",
  }),
];

import { setTimeout as pause } from "node:timers/promises";
import type { WebhookPayload } from "@reelscript/contract";
import type { PeriodicTask, WebhookAttempt, WebhookAttempts, WebhookSender } from "../ports.ts";

const atATime = 16;
/** Longer than any attempt takes. */
const leaseSeconds = 30;
const limitSeconds = 600;
/** Leaves the last attempts time to end. */
const batchMilliseconds = (limitSeconds - 60) * 1_000;
const lookAgainMilliseconds = 1_000;
const minute = 60;
const hour = 60 * minute;

/** Seconds to wait after each failed attempt; after one more failure the delivery is given up. */
const retrySeconds = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 20 * hour];

/**
 * Each process sends due deliveries, several at a time but few of one account, so that slow endpoints hold up only their own
 * account.
 */
export const deliverWebhooks = (webhooks: WebhookAttempts, sender: WebhookSender, now: () => Date): PeriodicTask => ({
  name: "deliver-webhooks",
  everySeconds: 2,
  scope: "process",
  limitSeconds,
  async run(_begun, signal) {
    const began = performance.now();
    const inFlight = new Set<Promise<void>>();
    let failure: { readonly error: unknown } | undefined;
    for (;;) {
      const takesMore = failure === undefined && !signal.aborted && performance.now() - began < batchMilliseconds;
      const taken = takesMore ? await webhooks.take(atATime - inFlight.size, leaseSeconds, now()) : [];
      for (const attempt of taken) {
        const sending = deliver(attempt, { webhooks, sender, now, signal })
          .catch((error: unknown) => (failure ??= { error }))
          .then(() => void inFlight.delete(sending));
        inFlight.add(sending);
      }
      if (inFlight.size === 0) break;
      await Promise.race([...inFlight, pause(lookAgainMilliseconds, undefined, { ref: false })]);
    }
    // A delivery given up at shutdown is tried again as soon as its lease expires.
    if (failure !== undefined && !signal.aborted) throw failure.error;
    return performance.now() - began >= batchMilliseconds;
  },
});

async function deliver(
  attempt: WebhookAttempt,
  parts: {
    readonly webhooks: WebhookAttempts;
    readonly sender: WebhookSender;
    readonly now: () => Date;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { webhooks, sender, now, signal } = parts;
  const body = JSON.stringify(payloadOf(attempt));
  const message = { id: attempt.deliveryId, body, secrets: attempt.secrets, now: now() };
  const answer = await sender.send(new URL(attempt.url), message, signal);
  const gone = answer.status === 410;
  const wait =
    answer.problem === null || gone || attempt.event === "webhook.test" ? undefined : retrySeconds[attempt.attempt - 1];
  const noted = now();
  const nextAt = wait === undefined ? undefined : new Date(noted.getTime() + wait * 1_000);
  await webhooks.note(attempt, { ...answer, gone }, nextAt, noted);
}

function payloadOf({ event, createdAt, transcription, batch }: WebhookAttempt): WebhookPayload {
  const timestamp = createdAt.toISOString();
  if (event === "batch.finished" && batch !== null) {
    const { id: batchId, total, done, failed, canceled } = batch;
    return { type: event, timestamp, data: { batchId, total, done, failed, canceled } };
  }
  if (transcription === null || event === "webhook.test" || event === "batch.finished")
    return { type: "webhook.test", timestamp, data: {} };
  const { id, reelUrl, platform, scriptId, translation, failure } = transcription;
  const data = {
    transcriptionId: id,
    reelUrl,
    status: event === "transcription.done" ? ("done" as const) : ("failed" as const),
    ...(platform !== null && { platform }),
    ...(scriptId !== null && { scriptId }),
    ...(translation !== null && {
      translation: { language: "en" as const, status: translation, byMachine: true as const },
    }),
    ...(failure && { error: { code: failure.code, ...(failure.reason && { reason: failure.reason }) } }),
  };
  return { type: event, timestamp, data };
}

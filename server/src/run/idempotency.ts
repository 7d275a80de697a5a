import { createHash } from "node:crypto";
import { ServiceError } from "@reelscript/contract";
import type { Clock, IdempotentAnswer, IdempotentAnswers } from "../ports.ts";

/** Equal to a transcription's lease, so that both expire together after a process dies. */
const leaseSeconds = 30;
const renewMilliseconds = 5_000;
const retryAfter = 10;
const keyShape = /^[\x21-\x7e]{1,255}$/;

/** One call under a key that its caller chose. */
interface IdempotentCall {
  /** The calling key or person. Each has its own answers. */
  readonly subject: { readonly accountId: string; readonly slot: number };
  readonly key: string;
  /** SHA-256 of the operation and its input. */
  readonly request: Uint8Array;
}

/**
 * Answers each key once: the same request again gets the same answer, and work is not done twice. Work whose answer is lost is
 * repeated with the same `callId`, which no other request has.
 */
export type Idempotency = (
  call: IdempotentCall,
  work: (callId: string) => Promise<IdempotentAnswer>,
) => Promise<IdempotentAnswer & { readonly replayed: boolean }>;

interface IdempotencyNeeds {
  readonly idempotentAnswers: IdempotentAnswers;
  readonly clock: Clock;
  /** Receives failures of the store that don't affect the caller's answer or error. */
  readonly onFault: (error: unknown) => void;
}

export function createIdempotency(needs: IdempotencyNeeds): Idempotency {
  const { idempotentAnswers: answers, clock, onFault } = needs;
  const underWay = createRenewal(needs);
  return async ({ subject, key, request }, work) => {
    if (!keyShape.test(key))
      throw new ServiceError(
        "invalidRequest",
        "The header Idempotency-Key must be 1 to 255 visible ASCII characters without spaces.",
      );
    const begun = await answers.begin({ subject, key, request, leaseSeconds, now: clock.now() });
    switch (begun.kind) {
      case "answered":
        return { ...begun.answer, replayed: true };
      case "otherRequest":
        throw new ServiceError(
          "invalidRequest",
          "You used this Idempotency-Key with another body in the last 24 hours. Use a new key for a new request.",
          { reason: "idempotencyKeyReused" },
        );
      case "inFlight":
        throw new ServiceError(
          "inProgress",
          `A request with this Idempotency-Key is still in progress. Send it again in about ${retryAfter} seconds.`,
          { reason: "idempotencyKeyInUse", retryAfter },
        );
      case "begun":
    }
    let answer: IdempotentAnswer;
    underWay.add(begun.token);
    try {
      answer = await work(callIdOf(subject, key, request));
    } catch (error) {
      await answers.release(begun.token).catch(onFault);
      throw error;
    } finally {
      underWay.remove(begun.token);
    }
    await answers.keep(begun.token, answer, clock.now()).catch(onFault);
    return { ...answer, replayed: false };
  };
}

const callIdOf = ({ accountId, slot }: IdempotentCall["subject"], key: string, request: Uint8Array): string =>
  createHash("sha256")
    .update(JSON.stringify([accountId, slot, key, Buffer.from(request).toString("hex")]))
    .digest("hex")
    .slice(0, 32);

/** Renews all running calls together, as long as there are any. */
function createRenewal({ idempotentAnswers: answers, clock, onFault }: IdempotencyNeeds) {
  const tokens = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let renewing = false;
  function renew(): void {
    if (renewing) return;
    renewing = true;
    answers
      .renew([...tokens], clock.now())
      .catch(onFault)
      .finally(() => (renewing = false));
  }
  return {
    add(token: string): void {
      tokens.add(token);
      timer ??= setInterval(renew, renewMilliseconds).unref();
    },
    remove(token: string): void {
      tokens.delete(token);
      if (tokens.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
  };
}

import { createHash } from "node:crypto";
import { ServiceError } from "@reelscript/contract";
import type { Clock, IdempotentAnswer, IdempotentAnswers } from "./ports.ts";

/** Longer than any door waits. */
const leaseSeconds = 180;
const retryAfter = 10;
const keyShape = /^[\x21-\x7e]{1,255}$/;

/** One call under a key that its caller chose. */
interface IdempotentCall {
  readonly accountId: string;
  readonly key: string;
  readonly operation: string;
  /** As it was read, so that spelling the same request in another way changes nothing. */
  readonly input: Record<string, unknown>;
}

/** Answers each key once: the same request again gets the same answer, and work is not done twice. */
export type Idempotency = (
  call: IdempotentCall,
  work: () => Promise<IdempotentAnswer>,
) => Promise<IdempotentAnswer & { readonly replayed: boolean }>;

export function createIdempotency(needs: {
  readonly answers: IdempotentAnswers;
  readonly clock: Clock;
  /** Told when the store failed behind an answer or error that goes out all the same. */
  readonly onFault: (error: unknown) => void;
}): Idempotency {
  const { answers, clock, onFault } = needs;
  return async ({ accountId, key, operation, input }, work) => {
    if (!keyShape.test(key))
      throw new ServiceError(
        "invalidRequest",
        "The header Idempotency-Key must be 1 to 255 visible ASCII characters without spaces.",
      );
    const request = createHash("sha256")
      .update(JSON.stringify([operation, input]))
      .digest();
    const begun = await answers.begin({ accountId, key, request, leaseSeconds, now: clock.now() });
    switch (begun.kind) {
      case "answered":
        return { ...begun.answer, replayed: true };
      case "otherRequest":
        throw new ServiceError(
          "invalidRequest",
          "This Idempotency-Key was used with another body within the last 24 hours. Use a new key for a new request.",
          { status: 422 },
        );
      case "inFlight":
        throw new ServiceError(
          "inProgress",
          `A request with this Idempotency-Key is still being answered. Send it again in about ${retryAfter} seconds.`,
          { retryAfter },
        );
      case "begun":
    }
    let answer: IdempotentAnswer;
    try {
      answer = await work();
    } catch (error) {
      await answers.release(begun.token).catch(onFault);
      throw error;
    }
    await answers.keep(begun.token, answer, clock.now()).catch(onFault);
    return { ...answer, replayed: false };
  };
}

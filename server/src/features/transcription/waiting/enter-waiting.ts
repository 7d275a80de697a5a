import type { Entry } from "../../../run/handler.ts";
import type { Needs } from "../../../run/needs.ts";
import type { ReadNeeds } from "../own-transcriptions.ts";
import { createIsRepeat, renewAccepted } from "./repeats.ts";
import { beginWait, type CallerWait, type WaitingHandler } from "./waiting.ts";

export function enterTranscribeReel(
  needs: ReadNeeds & Needs<"rateLimits" | "locator">,
  handle: WaitingHandler<"transcribeReel">,
): Entry<"transcribeReel", CallerWait> {
  const isRepeat = createIsRepeat(needs);
  return {
    enter({ door, caller, receive, wait: callerWait }) {
      const wait = beginWait(door, callerWait);
      return {
        isRepeat: wait.waiter.repeatsCount ? undefined : () => isRepeat(receive, caller),
        handle: (call) => handle(call, wait),
        renew: (accepted, account) => renewAccepted(needs, String(accepted["id"]), account, wait.waiter),
      };
    },
  };
}

export const enterRetranscribeScript = (
  handle: WaitingHandler<"retranscribeScript">,
): Entry<"retranscribeScript", CallerWait> => ({
  enter({ door, wait: callerWait }) {
    const wait = beginWait(door, callerWait);
    return { handle: (call) => handle(call, wait) };
  },
});

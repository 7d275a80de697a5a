import type { Door, Entry } from "../../../run/handler.ts";
import type { Needs } from "../../../run/needs.ts";
import type { ReadNeeds } from "../own-transcriptions.ts";
import { createIsRepeat, renewAccepted } from "./repeats.ts";
import { type CallerWait, type Wait, type WaitingHandler, waits } from "./waiting.ts";

/** The entry of `transcribeReel`: repeats of a tool aren't counted, and kept answers of 202 are renewed. */
export function enterTranscribeReel(
  needs: ReadNeeds & Needs<"rateLimits" | "locator">,
  handle: WaitingHandler<"transcribeReel">,
): Entry<"transcribeReel", CallerWait> {
  const isRepeat = createIsRepeat(needs);
  return {
    enter({ door, caller, receive, wait: callerWait }) {
      const wait = beginWait(door, callerWait);
      return {
        isRepeat: door === "mcp" ? () => isRepeat(receive, caller) : undefined,
        handle: (call) => handle(call, wait),
        renew: (accepted, account) => renewAccepted(needs, String(accepted["id"]), account, wait.respondAsync),
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

function beginWait(door: Door, { respondAsync = false, onProgress }: CallerWait): Wait {
  const begun = performance.now();
  const seconds = door === "mcp" ? waits.tool : waits.request;
  const repeatSeconds = onProgress ? waits.watchingTool : waits.tool;
  return {
    deadline: begun + seconds * 1_000,
    repeatDeadline: door === "mcp" ? begun + repeatSeconds * 1_000 : undefined,
    respondAsync,
    onProgress,
  };
}

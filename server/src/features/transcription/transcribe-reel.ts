import { ServiceError, supportedLanguage } from "@reelscript/contract";
import type { OwnText, ReelLocator, RateLimits } from "../../ports.ts";
import { isRough } from "../../describe/describe-script.ts";
import { refusalKey } from "../../recognition/recognizer-of.ts";
import { Accepted, type Entry } from "../../run/handler.ts";
import type { AskPlatform } from "../../run/ask-platform.ts";
import { allowanceOfCaller } from "../../rules/allowance.ts";
import { describeQueued } from "./describe-transcription.ts";
import { type QueueNeeds, refuseUse, retryAfter } from "./refuse-start.ts";
import { acceptTranscription, enterTranscribeReel } from "./waiting/entries.ts";
import { type ReachedProgress, stillRunning, waitForWork } from "./waiting/wait-until-finished.ts";
import type { CallerWait } from "./waiting/waiting.ts";

interface TranscribeNeeds extends QueueNeeds {
  readonly askPlatform: AskPlatform;
  readonly locator: ReelLocator;
  readonly rateLimits: RateLimits;
}

export const transcribeReel = (needs: TranscribeNeeds): Entry<"transcribeReel", CallerWait> =>
  enterTranscribeReel(needs, async ({ input, caller, signal, whileWaiting }, wait) => {
    const { store, askPlatform, clock, quotaScope, recognizer, queueLimit, queueLimitPerAccount } = needs;
    const reel = await askPlatform.locate(input.url, { caller, signal, whileWaiting });
    const allowance = allowanceOfCaller(caller, quotaScope, clock.now());
    const answer = (found: OwnText, used: number, cached: boolean) => ({
      transcript: found.text,
      language: found.language,
      cached,
      ...(found.truncated && { truncated: true as const }),
      ...(isRough(found) && { rough: true as const }),
      usage: { used, limit: allowance.limit },
      ...(found.scriptId !== null && { scriptId: found.scriptId }),
    });

    const languageHint = input.languageHint === undefined ? null : (supportedLanguage(input.languageHint) ?? null);
    const isOwn = languageHint !== null;
    const cached = await store.transcriptions.takeCached(reel, allowance, clock.now(), { isOwn });
    if (cached) return answer(cached, cached.used, true);
    const now = clock.now();
    const started = await store.transcriptions.request({
      reel,
      languageHint,
      allowance,
      model: refusalKey(recognizer, languageHint),
      queueLimit,
      queueLimitPerAccount,
      now,
    });
    if (started.kind === "cached") return answer(started.transcript, started.transcript.used, true);
    if (started.kind === "limitReached") throw refuseUse(allowance, caller);
    const done = await waitForWork(needs, started, { signal, whileWaiting }, wait, {
      accept: async (id) =>
        started.kind === "started"
          ? new Accepted(describeQueued({ id, reelUrl: reel.url, queuedAt: now }))
          : acceptTranscription(needs, caller, id),
      late: tooLate,
    });
    if (done instanceof Accepted) return done;
    const transcript = await store.transcriptions.readText(reel, caller.account.id);
    if (!transcript) throw new Error(`transcription ${done} is done, but the cache has no transcript`);
    const { used } = await store.allowances.read(allowance.subject, allowance.period);
    return { ...answer(transcript, used, false), transcriptionId: done };
  });

const tooLate = (transcriptionId: string, reached: ReachedProgress | undefined): ServiceError =>
  new ServiceError(
    "inProgress",
    `${stillRunning(reached, "Call again with the same url")}; you'll then get it from the cache, and you're charged once only.`,
    { reason: "transcriptionRunning", retryAfter, transcriptionId },
  );

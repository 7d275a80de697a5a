import { ServiceError, supportedLanguage } from "@reelscript/contract";
import type { OwnText } from "../../ports.ts";
import { refusalKey } from "../../recognition/recognizer-of.ts";
import { type Handler, Accepted } from "../../run/handler.ts";
import type { Needs } from "../../run/needs.ts";
import { allowanceOfCaller } from "../../rules/allowance.ts";
import { type QueueNeeds, refuseStart, refuseUse, retryAfter } from "./refuse-start.ts";
import { acceptTranscription } from "./get-transcription.ts";
import { describeTranscription } from "./describe-transcription.ts";
import { type ReachedProgress, stillRunning, waitUntilDone } from "./wait-until-finished.ts";

export const transcribeReel =
  (needs: QueueNeeds & Needs<"askPlatform">): Handler<"transcribeReel"> =>
  async ({ input, caller, signal, deadline, repeatDeadline, respondAsync, onProgress, whileWaiting }) => {
    const { store, askPlatform, clock, quotaScope, recognizer, queueLimit, queueLimitPerAccount } = needs;
    const reel = await askPlatform.locate(input.url, { caller, signal, whileWaiting });
    const allowance = allowanceOfCaller(caller, quotaScope, clock.now());

    const answer = ({ text: transcript, language, truncated, scriptId }: OwnText, used: number, cached: boolean) => ({
      transcript,
      language,
      cached,
      ...(truncated && { truncated: true as const }),
      usage: { used, limit: allowance.limit },
      ...(scriptId !== null && { scriptId }),
    });

    const languageHint = input.languageHint === undefined ? null : (supportedLanguage(input.languageHint) ?? null);
    const own = languageHint !== null;
    const known = await store.transcriptions.takeCached(reel, allowance, clock.now(), { own });
    if (known) return answer(known, known.used, true);
    const model = refusalKey(recognizer, languageHint);
    const now = clock.now();
    const limits = { queueLimit, queueLimitPerAccount };
    const started = await store.transcriptions.request({ reel, languageHint, allowance, model, ...limits, now });
    const follow = async (transcriptionId: string, until: number) => {
      const late = (reached: ReachedProgress | undefined) =>
        new ServiceError(
          "inProgress",
          `${stillRunning(reached, "Call again with the same url")}; you'll then get it from the cache, and you're charged once only.`,
          { reason: "transcriptionRunning", retryAfter, transcriptionId },
        );
      await waitUntilDone(store, transcriptionId, { signal, deadline: until, whileWaiting, onProgress }, late);
      const transcript = await store.transcriptions.readText(reel, caller.account.id);
      if (!transcript) throw new Error(`transcription ${transcriptionId} is done, but the cache has no transcript`);
      const { used } = await store.allowances.read(allowance.subject, allowance.period);
      return { ...answer(transcript, used, false), transcriptionId };
    };
    if (started.kind === "cached") return answer(started.transcript, started.transcript.used, true);
    if (started.kind === "limitReached") throw refuseUse(allowance, caller);
    if (started.kind === "inProgress" && started.transcriptionId !== undefined) {
      if (respondAsync) return acceptTranscription(needs, caller, started.transcriptionId);
      if (repeatDeadline !== undefined) return follow(started.transcriptionId, repeatDeadline);
    }
    if (started.kind !== "started") throw refuseStart(started, needs);
    if (respondAsync) {
      const { transcriptionId: id, used } = started;
      const asked = { id, reelUrl: reel.url, queuedAt: now, state: "queued", progress: 0 } as const;
      return new Accepted(describeTranscription(asked, { used, limit: allowance.limit }));
    }
    return follow(started.transcriptionId, deadline);
  };

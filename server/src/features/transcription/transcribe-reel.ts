import { ServiceError, supportedLanguage } from "@reelscript/contract";
import type { Allowance, CachedTranscript, OwnText, RateLimits, ReelAddress, ReelLocator } from "../../ports.ts";
import { isRough } from "../../describe/describe-script.ts";
import { refusalKey } from "../../recognition/recognizer-of.ts";
import { Accepted, type Handler, type HandlerCall } from "../../run/handler.ts";
import type { AskPlatform } from "../../run/ask-platform.ts";
import { allowanceOfCaller } from "../../rules/allowance.ts";
import { describeQueued } from "./describe-transcription.ts";
import { acceptTranscription, follow, type ReachedProgress, stillRunning, type Work } from "./following/follow.ts";
import { type QueueNeeds, refuseUse, retryAfter } from "./refuse-start.ts";

interface TranscribeNeeds extends QueueNeeds {
  readonly askPlatform: AskPlatform;
  readonly locator: ReelLocator;
  readonly rateLimits: RateLimits;
}

export const transcribeReel =
  (needs: TranscribeNeeds): Handler<"transcribeReel"> =>
  async (call) => {
    const { store } = needs;
    const { caller } = call;
    const { reel, allowance, queuedAt, work } = await begin(needs, call);
    const answer = (found: OwnText, used: number, cached: boolean) => ({
      transcript: found.text,
      language: found.language,
      cached,
      ...(found.truncated && { truncated: true as const }),
      ...(isRough(found) && { rough: true as const }),
      usage: { used, limit: allowance.limit },
      ...(found.scriptId !== null && { scriptId: found.scriptId }),
    });
    if (work.kind === "cached") return answer(work.transcript, work.transcript.used, true);
    const done = await follow(needs, work, call, {
      accept: async (id) =>
        work.kind === "started"
          ? new Accepted(describeQueued({ id, reelUrl: reel.url, queuedAt }))
          : acceptTranscription(needs, caller, id),
      late: tooLate,
    });
    if (done instanceof Accepted) return done;
    const transcript = await store.transcriptions.readText(reel, caller.account.id);
    if (!transcript) throw new Error(`transcription ${done} is done, but the cache has no transcript`);
    const { used } = await store.allowances.read(allowance.subject, allowance.period);
    return { ...answer(transcript, used, false), transcriptionId: done };
  };

interface Begun {
  readonly reel: ReelAddress;
  readonly allowance: Allowance;
  readonly queuedAt: Date;
  readonly work: Work | { readonly kind: "cached"; readonly transcript: CachedTranscript };
}

/** Finds the reel in the cache, or puts it into the queue. */
async function begin(needs: TranscribeNeeds, call: HandlerCall<"transcribeReel">): Promise<Begun> {
  const { store, askPlatform, clock, quotaScope, recognizer, queueLimit, queueLimitPerAccount } = needs;
  const { input, caller, signal, whileWaiting } = call;
  const reel = await askPlatform.locate(input.url, { caller, signal, whileWaiting });
  const allowance = allowanceOfCaller(caller, quotaScope, clock.now());
  const languageHint = input.languageHint === undefined ? null : (supportedLanguage(input.languageHint) ?? null);
  const isOwn = languageHint !== null;
  const cached = await store.transcriptions.takeCached(reel, allowance, clock.now(), { isOwn });
  const queuedAt = clock.now();
  if (cached) return { reel, allowance, queuedAt, work: { kind: "cached", transcript: cached } };
  const work = await store.transcriptions.request({
    reel,
    languageHint,
    allowance,
    model: refusalKey(recognizer, languageHint),
    queueLimit,
    queueLimitPerAccount,
    now: queuedAt,
  });
  if (work.kind === "limitReached") throw refuseUse(allowance, caller);
  return { reel, allowance, queuedAt, work };
}

const tooLate = (transcriptionId: string, reached: ReachedProgress | undefined): ServiceError =>
  new ServiceError(
    "inProgress",
    `${stillRunning(reached, "Call again with the same url")}; you'll then get it from the cache, and you're charged once only.`,
    { reason: "transcriptionRunning", retryAfter, transcriptionId },
  );

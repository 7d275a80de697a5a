import { ServiceError, supportedLanguage } from "@reelscript/contract";
import type { Allowance, Clock, Failure, ReelLocator, Store, Transcript } from "../../ports.ts";
import type { AccountCaller } from "../../caller.ts";
import type { Handler } from "../../run.ts";
import { Accepted } from "../../accepted.ts";
import { describeTranscription } from "./describe-transcription.ts";
import { progressText, waitUntilFinished } from "./wait-until-finished.ts";

interface Needs {
  readonly store: Store;
  readonly locator: ReelLocator;
  readonly clock: Clock;
  readonly allowanceOf: (caller: AccountCaller) => Allowance;
  readonly model: string;
  readonly queueLimit: number;
}

/** Seconds after which a call for a reel that is being transcribed usually meets the cache. */
const retryAfter = 30;

export const transcribe =
  ({ store, locator, clock, allowanceOf, model, queueLimit }: Needs): Handler<"transcribeReel"> =>
  async ({ input, caller, signal, deadline, respondAsync, onProgress }) => {
    const reel = await locator.locate(input.url, signal);
    const accountId = caller.account.id;
    const allowance = allowanceOf(caller);

    async function answer(transcript: Transcript, cached: boolean) {
      const { used } = await store.allowances.read(allowance.subject, allowance.period);
      return {
        transcript: transcript.text,
        language: transcript.language,
        cached,
        ...(transcript.truncated && { truncated: true as const }),
        usage: { used, limit: allowance.limit },
      };
    }

    async function accept(transcriptionId: string): Promise<Accepted> {
      const found = await store.transcriptions.findOwn(accountId, transcriptionId);
      if (found === undefined) throw new Error(`transcription ${transcriptionId} is gone`);
      const { used } = await store.allowances.read(allowance.subject, allowance.period);
      return new Accepted(describeTranscription(found, { used, limit: allowance.limit }));
    }

    const known = await store.transcriptions.takeCached(reel, accountId, clock.now());
    if (known) return answer(known, true);

    const languageHint = input.languageHint === undefined ? null : (supportedLanguage(input.languageHint) ?? null);
    const request = { reel, languageHint, allowance, model, queueLimit, now: clock.now() };
    const started = await store.transcriptions.request(request);
    switch (started.kind) {
      case "cached":
        return answer(started.transcript, true);
      case "inProgress":
        if (respondAsync && started.transcriptionId !== undefined) return accept(started.transcriptionId);
        throw new ServiceError(
          "inProgress",
          `This reel is already being transcribed. Call again in about ${retryAfter} seconds; the result then comes from the cache, free.`,
          { retryAfter },
        );
      case "limitReached":
        throw new ServiceError("limitReached", limitMessage(allowance, caller));
      case "queueFull":
        throw new ServiceError(
          "unavailable",
          `Too many reels are waiting to be transcribed. Try again in ${retryAfter} seconds; nothing was charged.`,
          { retryAfter },
        );
      case "refused":
        throw failed(started.failure);
      case "started":
    }

    if (respondAsync) return accept(started.transcriptionId);
    const finished = await waitUntilFinished(store, started.transcriptionId, {
      signal,
      deadline,
      onState: (state) => onProgress?.({ done: state.progress, message: progressText(state) }),
    });
    if (finished === undefined)
      throw new ServiceError(
        "inProgress",
        `This reel is still being transcribed. Call again with the same url in about ${retryAfter} seconds; the result then comes from the cache, and it is charged once only.`,
        { retryAfter },
      );
    if (finished.state === "failed") throw failed(finished.failure);
    const transcript = await store.transcriptions.takeCached(reel, accountId, clock.now());
    if (!transcript)
      throw new Error(`transcription ${started.transcriptionId} is done, but the cache has no transcript`);
    return answer(transcript, false);
  };

const failed = ({ code, status, message, retryAfter }: Failure): ServiceError =>
  new ServiceError(code, message, {
    ...(status === 422 && { status }),
    ...(retryAfter !== undefined && { retryAfter }),
  });

function limitMessage({ subject, limit, resetsAt }: Allowance, { account }: AccountCaller): string {
  const reset =
    resetsAt === null ? "It never resets on the Free plan" : `It resets on ${resetsAt.toISOString().slice(0, 10)}`;
  return `All ${limit} transcriptions of this ${subject.slot === 0 ? "account" : "key"}'s allowance on the ${account.plan} plan are used or held by running ones. ${reset}; upgrading raises the limit. Cached reels stay free.`;
}

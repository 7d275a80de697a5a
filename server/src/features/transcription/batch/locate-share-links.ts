import { ServiceError } from "@reelscript/contract";
import { createAccountTurns } from "../../../account-turns.ts";
import type { Batches, Clock, LookOutcome, PeriodicTask, UnlocatedLink } from "../../../ports.ts";
import type { AskPlatform } from "../../../run/ask-platform.ts";
import { failureOf } from "./read-links.ts";

interface LocateNeeds {
  readonly askPlatform: Pick<AskPlatform, "locateFor">;
  readonly batches: Pick<Batches, "accountsToLocate" | "nextShareLink" | "noteLook" | "pauseLocating">;
  readonly clock: Clock;
}

/** Looks at share links in all, at a time; one of each account. */
const looksAtATime = 4;
/** A look that takes longer counts as failed. */
const lookSeconds = 10;
const limitSeconds = 90;
/** Leaves the last looks time to end. */
const runMilliseconds = (limitSeconds - 2 * lookSeconds) * 1_000;
/** Seconds between looks at a share link that fail, by the number of failures; after one more it is given up. */
const againSeconds = [10, 60, 300, 900];
/** Seconds until an account's next look when the platform has no turn for it, or when it asked too often. */
const pauseSeconds = 5;

/** Asks the platform which reels the share links of batches lead to. Nothing else of a batch waits for it. */
export function locateShareLinks(needs: LocateNeeds): PeriodicTask {
  const { batches, clock } = needs;
  const inTurns = createAccountTurns({ atATime: looksAtATime, milliseconds: runMilliseconds });

  async function locateNext(accountId: string, stopping: AbortSignal): Promise<void> {
    const link = await batches.nextShareLink(accountId, clock.now());
    if (link === undefined) return;
    const late = AbortSignal.timeout(lookSeconds * 1_000);
    try {
      const reel = await needs.askPlatform.locateFor(accountId, link.url, AbortSignal.any([stopping, late]));
      await batches.noteLook(link, { kind: "located", reel }, clock.now());
    } catch (error) {
      if (stopping.aborted) return;
      const refusal = error instanceof ServiceError ? error : unanswered();
      const now = clock.now();
      const until = pauseOf(refusal, now);
      if (until !== undefined) await batches.pauseLocating(accountId, until);
      else await batches.noteLook(link, failureOfLook(link, refusal, now), now);
      if (!late.aborted && !(error instanceof ServiceError)) throw error;
    }
  }

  return {
    name: "locate-share-links",
    everySeconds: 1,
    scope: "service",
    limitSeconds,
    run: (_now, stopping) =>
      inTurns(
        {
          waiting: (without) => batches.accountsToLocate(without, clock.now()),
          doNext: (accountId) => locateNext(accountId, stopping),
        },
        stopping,
      ),
  };
}

const unanswered = (): ServiceError =>
  new ServiceError(
    "upstreamError",
    "We couldn't reach the platform to follow this share link. Try again in a minute.",
    { reason: "platformUnreachable" },
  );

const after = (now: Date, seconds: number): Date => new Date(now.getTime() + seconds * 1_000);

/** When the account may ask again, if the platform wasn't asked. */
const pauseOf = ({ code, reason, retryAfter = pauseSeconds }: ServiceError, now: Date): Date | undefined =>
  code === "rateLimited" || reason === "platformBusy" ? after(now, retryAfter) : undefined;

function failureOfLook({ tries }: UnlocatedLink, error: ServiceError, now: Date): LookOutcome {
  const isPassing = error.code === "upstreamError" || error.code === "unavailable";
  const seconds = againSeconds[tries];
  return isPassing && seconds !== undefined
    ? { kind: "notLocated", askAt: after(now, seconds) }
    : { kind: "failed", failure: failureOf(error) };
}

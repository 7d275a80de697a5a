import { ServiceError } from "@reelscript/contract";
import type { Clock, Moderation, ReelLocator, ReelSource, Scripts, Transcriptions } from "../../ports.ts";
import { takenDown } from "../../rules/refusals.ts";
import type { Handler } from "../../run/run.ts";
import type { ThumbnailOf } from "./thumbnail-of.ts";

export const resolveReel =
  (needs: {
    readonly locator: ReelLocator;
    readonly source: ReelSource;
    readonly transcriptions: Pick<Transcriptions, "isCached">;
    readonly scripts: Pick<Scripts, "findOfReels">;
    readonly moderation: Pick<Moderation, "isTakenDown">;
    readonly thumbnailOf: ThumbnailOf;
    readonly clock: Clock;
  }): Handler<"resolveReel"> =>
  async ({ input, caller, signal, deadline }) => {
    const timeUp = AbortSignal.timeout(Math.max(0, Math.round(deadline - performance.now())));
    const either = AbortSignal.any([signal, timeUp]);
    try {
      const reel = await needs.locator.locate(input.url, either);
      if (await needs.moderation.isTakenDown(reel))
        throw new ServiceError("notFound", takenDown.message, { reason: "reelTakenDown" });
      const details = await needs.source.resolve(reel, either);
      const [cached, [script], thumbnail] = await Promise.all([
        needs.transcriptions.isCached(reel),
        needs.scripts.findOfReels(caller.account.id, reel.platform, [reel.mediaId]),
        needs.thumbnailOf(details, either),
      ]);
      return {
        ...details,
        thumbnail,
        resolvedAt: needs.clock.now().toISOString(),
        transcript: { cached, cost: cached ? 0 : 1, ...(script && { scriptId: script.id }) },
      };
    } catch (error) {
      if (!timeUp.aborted || error instanceof ServiceError) throw error;
      throw new ServiceError("upstreamError", "The platform took too long to answer. Try again in a minute.", {
        reason: "platformUnreachable",
        cause: error,
      });
    }
  };

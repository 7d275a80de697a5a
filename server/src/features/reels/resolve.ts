import type { Clock, ReelLocator, ReelSource } from "../../ports.ts";
import type { Handler } from "../../run.ts";

export const resolve =
  (needs: {
    readonly locator: ReelLocator;
    readonly source: ReelSource;
    readonly clock: Clock;
  }): Handler<"resolveReel"> =>
  async ({ input, signal }) => {
    const reel = await needs.locator.locate(input.url, signal);
    const details = await needs.source.resolve(reel, signal);
    return { ...details, resolvedAt: needs.clock.now().toISOString() };
  };

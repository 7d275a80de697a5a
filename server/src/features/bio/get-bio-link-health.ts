import type { BioLinkHealth, Clock } from "../../ports.ts";
import type { Handler } from "../../run/run.ts";

export const getBioLinkHealth =
  ({
    bioLinkHealth,
    clock,
  }: {
    readonly bioLinkHealth: Pick<BioLinkHealth, "failing">;
    readonly clock: Clock;
  }): Handler<"getBioLinkHealth"> =>
  async ({ caller }) => {
    const failing = await bioLinkHealth.failing(caller.account.id, clock.now());
    return { failing: failing.map(({ since, ...link }) => ({ ...link, since: since.toISOString() })) };
  };

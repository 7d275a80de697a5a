import { ServiceError, shareLinksPerAccount } from "@reelscript/contract";
import { describeShareLink } from "../../describe/describe-share-link.ts";
import type { Clock, ShareLinks } from "../../ports.ts";
import { noSuchScript } from "../../rules/refusals.ts";
import type { Handler } from "../../run/run.ts";

interface Needs {
  readonly shareLinks: ShareLinks;
  readonly clock: Clock;
  readonly baseUrl: () => string;
  readonly drawShareToken: () => string;
}

export const createShareLink =
  ({ shareLinks, clock, baseUrl, drawShareToken }: Needs): Handler<"createShareLink"> =>
  async ({ input: { id: scriptId }, caller }) => {
    const link = await shareLinks.create({
      accountId: caller.account.id,
      scriptId,
      token: drawShareToken(),
      most: shareLinksPerAccount,
      now: clock.now(),
    });
    if (link === "noScript") throw noSuchScript();
    if (link === "full")
      throw new ServiceError(
        "limitReached",
        `You already share ${shareLinksPerAccount} scripts, the maximum. Revoke a link you don't need, then share this one.`,
        { reason: "shareLinksUsed" },
      );
    return { link: describeShareLink(link, baseUrl()) };
  };

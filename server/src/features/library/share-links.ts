import { shareLinksPerAccount, ServiceError } from "@reelscript/contract";
import { describeShareLink } from "../../describe/describe-script.ts";
import type { ScriptRow } from "../../ports.ts";
import type { Handlers } from "../../run/handler.ts";
import type { Needs } from "../../run/needs.ts";
import { noSuchScript, RateLimited } from "../../rules/refusals.ts";

export const shareLinkHandlers = ({
  shareLinks,
  baseUrl,
  clock,
  drawShareToken,
}: Needs<"shareLinks" | "baseUrl" | "clock" | "drawShareToken">) =>
  ({
    listShareLinks: async ({ caller }) => {
      const links = await shareLinks.list(caller.account.id);
      return { links: links.map((link) => describeShareLink(link, baseUrl())), limit: shareLinksPerAccount };
    },

    createShareLink: async ({ input: { id: scriptId }, caller }) => {
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
    },

    revokeShareLink: async ({ input: { id }, caller }) => {
      if (await shareLinks.revoke(caller.account.id, id)) return { id };
      throw new ServiceError("notFound", "You have no share link with this id.");
    },
  }) satisfies Partial<Handlers>;

/** Finds the script behind a share link. Throws `RateLimited`. */
export type OpenShareLink = (token: string, network: string) => Promise<ScriptRow | undefined>;

const shape = /^[0-9A-Za-z]{43}$/;

export const openShareLink =
  ({ shareLinks, rateLimits, limits, clock }: Needs<"shareLinks" | "rateLimits" | "limits" | "clock">): OpenShareLink =>
  async (token, network) => {
    // A text that can't be a token costs no look-up.
    if (!shape.test(token)) return undefined;
    const { taken, states } = await rateLimits.take(
      `shared:${network}`,
      [{ name: "address", limit: limits.address }],
      clock.now(),
    );
    const [state] = states;
    if (!taken && state !== undefined) throw new RateLimited(state, "shared scripts");
    return shareLinks.open(token);
  };

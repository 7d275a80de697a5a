import { shareLinksPerAccount, ServiceError } from "@reelscript/contract";
import { describeShareLink } from "../../describe/describe-script.ts";
import { createKeptPictures } from "../../kept-pictures.ts";
import type { ScriptCard, ScriptRow } from "../../ports.ts";
import { createCountOpening } from "../../run/count-opening.ts";
import type { Handlers } from "../../run/handler.ts";
import type { Needs } from "../../run/needs.ts";
import { noSuchScript } from "../../rules/refusals.ts";

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

/** Draws a script's picture. Throws `unavailable`. */
export function createShowScriptCard(
  draw: (card: ScriptCard) => Promise<Uint8Array>,
): (card: ScriptCard) => Promise<Uint8Array> {
  const keptPicture = createKeptPictures();
  return (card) => keptPicture(JSON.stringify(card), () => draw(card));
}

export function openShareLink(needs: Needs<"shareLinks" | "rateLimits" | "limits" | "clock">): OpenShareLink {
  const countOpening = createCountOpening(needs, "shared scripts");
  return async (token, network) => ((await countOpening(token, network)) ? needs.shareLinks.open(token) : undefined);
}

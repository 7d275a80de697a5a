import { ServiceError } from "@reelscript/contract";
import type { ShareLinks } from "../../ports.ts";
import type { Handler } from "../../run/run.ts";

export const revokeShareLink =
  ({ shareLinks }: { readonly shareLinks: ShareLinks }): Handler<"revokeShareLink"> =>
  async ({ input: { id }, caller }) => {
    if (await shareLinks.revoke(caller.account.id, id)) return { id };
    throw new ServiceError("notFound", "You have no share link with this id.");
  };

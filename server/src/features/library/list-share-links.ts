import { shareLinksPerAccount } from "@reelscript/contract";
import { describeShareLink } from "../../describe/describe-share-link.ts";
import type { ShareLinks } from "../../ports.ts";
import type { Handler } from "../../run/run.ts";

interface Needs {
  readonly shareLinks: ShareLinks;
  readonly baseUrl: () => string;
}

export const listShareLinks =
  ({ shareLinks, baseUrl }: Needs): Handler<"listShareLinks"> =>
  async ({ caller }) => {
    const links = await shareLinks.list(caller.account.id);
    return { links: links.map((link) => describeShareLink(link, baseUrl())), limit: shareLinksPerAccount };
  };

import { ServiceError } from "@reelscript/contract";
import { isShown } from "../../bio-page/page-parts.ts";
import { bioPageTakenDown } from "../../rules/refusals.ts";
import type { PublicBioPages, Clock } from "../../ports.ts";

interface FollowedLink {
  readonly bioId: string;
  /** Normalized, so that a header can hold it. */
  readonly url: string;
}

/** Finds the target of a link on a public page. Throws `notFound` when no page shows it, with 410 when its page was taken down. */
export type FollowBioLink = (linkId: string) => Promise<FollowedLink>;

interface FollowNeeds {
  readonly publicBioPages: PublicBioPages;
  readonly clock: Clock;
}

export const followBioLink =
  ({ publicBioPages, clock }: FollowNeeds): FollowBioLink =>
  async (linkId) => {
    const match = await publicBioPages.findLink(linkId);
    if (match?.isTakenDown) throw bioPageTakenDown();
    const url = match?.link.url ?? null;
    if (match === undefined || url === null || !/^https?:/i.test(url) || !isShown(match.link, clock.now()))
      throw new ServiceError("notFound", "This link is no longer on its page.", { reason: "bioLinkGone" });
    return { bioId: match.bioId, url: new URL(url).href };
  };

import { hostedImageId, keptBioRevisions, ServiceError, withImages, type BioContent } from "@reelscript/contract";
import type { BioImages } from "../../ports.ts";
import type { Handler } from "../../run/run.ts";
import { changeBioPage, type ChangeNeeds } from "./change-bio-page.ts";

export const revertBioPage =
  (needs: ChangeNeeds & { readonly bioImages: Pick<BioImages, "owned"> }): Handler<"revertBioPage"> =>
  async ({ input, caller }) => {
    const { revision, ...conditions } = input;
    const { id: accountId } = caller.account;
    const present = await needs.bioPages.read(accountId);
    const content =
      revision === present.revision ? present.content : await needs.bioPages.readRevision(accountId, revision);
    if (content === undefined)
      throw new ServiceError(
        "notFound",
        `The bio page has no revision ${revision}. It is at revision ${present.revision}; the last ${keptBioRevisions} are kept.`,
      );
    const whole = await withoutLostImages(needs.bioImages, accountId, content);
    return changeBioPage(needs, accountId, conditions, () => whole);
  };

/** Images that no page showed for long are gone. */
async function withoutLostImages(
  bioImages: Pick<BioImages, "owned">,
  accountId: string,
  content: BioContent,
): Promise<BioContent> {
  const ids: string[] = [];
  withImages(content, (url) => {
    ids.push(hostedImageId(url) ?? "");
    return url;
  });
  const owned = await bioImages.owned(accountId, ids);
  return withImages(content, (url) => {
    const id = hostedImageId(url);
    return id === undefined || owned.has(id) ? url : null;
  });
}

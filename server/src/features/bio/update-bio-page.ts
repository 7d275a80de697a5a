import type { NewId } from "../../ports.ts";
import type { Handler } from "../../run/run.ts";
import { applyPatch, type BioPatch } from "./apply-patch.ts";
import { changeBioPage, type ChangeNeeds } from "./change-bio-page.ts";
import { hostImages, imagesOf, type ImageNeeds } from "./host-images.ts";

export const updateBioPage =
  (needs: ChangeNeeds & ImageNeeds & { readonly newId: NewId }): Handler<"updateBioPage"> =>
  async ({ input, caller }) => {
    const { ifRevision, dryRun, ...patch } = input;
    const { id: accountId } = caller.account;
    const named = (patch.links ?? []).flatMap(({ id }) => id ?? []);
    const formerLinks = named.length === 0 ? [] : await needs.bioPages.keptLinks(accountId, named);
    const change = (one: BioPatch, isDry: boolean) =>
      changeBioPage(needs, accountId, { ifRevision, dryRun: isDry }, (content) =>
        applyPatch(content, one, () => needs.newId("lnk"), formerLinks),
      );
    // A dry run leaves nothing behind.
    if (dryRun || imagesOf(patch).size === 0) return change(patch, dryRun);
    // What would be refused is not fetched for.
    await change(patch, true);
    return change(await hostImages(needs, accountId, patch), false);
  };

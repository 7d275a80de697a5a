import type { NewId } from "../../ports.ts";
import type { Handler } from "../../run/run.ts";
import { applyPatch, type BioPatch } from "./apply-patch.ts";
import { changeBioPage, refuseStale, type ChangeNeeds } from "./change-bio-page.ts";
import { hostImages, type ImageNeeds } from "./host-images.ts";

export const updateBioPage =
  (needs: ChangeNeeds & ImageNeeds & { readonly newId: NewId }): Handler<"updateBioPage"> =>
  async ({ input, caller }) => {
    const { ifRevision, dryRun, ...patch } = input;
    const { id: accountId } = caller.account;
    const apply = (content: Parameters<typeof applyPatch>[0], one: BioPatch) =>
      applyPatch(content, one, () => needs.newId("lnk"));
    // What would be refused is not fetched for; a dry run leaves nothing behind.
    const page = await needs.bioPages.read(accountId);
    refuseStale(page.revision, ifRevision);
    apply(page.content, patch);
    const hosted = dryRun ? patch : await hostImages(needs, accountId, patch);
    return changeBioPage(needs, accountId, { ifRevision, dryRun }, (content) => apply(content, hosted));
  };

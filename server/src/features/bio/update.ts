import type { NewId } from "../../ports.ts";
import type { Handler } from "../../run.ts";
import { applyPatch } from "./apply-patch.ts";
import { changePage, type ChangeNeeds } from "./change-page.ts";

export const update =
  (needs: ChangeNeeds & { readonly newId: NewId }): Handler<"updateBioPage"> =>
  ({ input, caller }) => {
    const { ifRevision, dryRun, ...patch } = input;
    return changePage(needs, caller.account.id, { ifRevision, dryRun }, (content) =>
      applyPatch(content, patch, () => needs.newId("lnk")),
    );
  };

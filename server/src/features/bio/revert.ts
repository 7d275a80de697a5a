import { keptBioRevisions, ServiceError } from "@reelscript/contract";
import type { Handler } from "../../run.ts";
import { changePage, type ChangeNeeds } from "./change-page.ts";

export const revert =
  (needs: ChangeNeeds): Handler<"revertBioPage"> =>
  async ({ input, caller }) => {
    const { revision, ...conditions } = input;
    const { id: accountId } = caller.account;
    const present = await needs.bioPages.read(accountId);
    const content =
      revision === present.revision ? present.content : await needs.bioPages.readRevision(accountId, revision);
    if (content === undefined)
      throw new ServiceError(
        "notFound",
        `Revision ${revision} of the bio page is not there. It is at revision ${present.revision}, and the last ${keptBioRevisions} are kept.`,
      );
    return changePage(needs, accountId, conditions, () => content);
  };

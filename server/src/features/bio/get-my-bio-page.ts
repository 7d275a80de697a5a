import type { Handler } from "../../run/run.ts";
import type { ChangeNeeds } from "./change-bio-page.ts";
import { describeBioPage } from "../../describe/describe-bio-page.ts";

export const getMyBioPage =
  ({ bioPages, baseUrl }: Pick<ChangeNeeds, "bioPages" | "baseUrl">): Handler<"getMyBioPage"> =>
  async ({ caller }) =>
    describeBioPage(await bioPages.read(caller.account.id), baseUrl());

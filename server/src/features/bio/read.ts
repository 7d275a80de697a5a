import type { Handler } from "../../run.ts";
import type { ChangeNeeds } from "./change-page.ts";
import { describePage } from "./describe-page.ts";

export const read =
  ({ bioPages, baseUrl }: Pick<ChangeNeeds, "bioPages" | "baseUrl">): Handler<"getMyBioPage"> =>
  async ({ caller }) =>
    describePage(await bioPages.read(caller.account.id), baseUrl());

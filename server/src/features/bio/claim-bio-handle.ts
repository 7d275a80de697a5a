import { bioHandleLimits, isReservedHandle, ServiceError } from "@reelscript/contract";
import type { BioPages, Clock } from "../../ports.ts";
import type { Handler } from "../../run/run.ts";
import { describeBioPage } from "../../describe/describe-bio-page.ts";

interface ClaimBioHandleNeeds {
  readonly bioPages: Pick<BioPages, "claimHandle">;
  readonly clock: Clock;
  readonly baseUrl: () => string;
}

/** Gives the page of the caller's account a handle, or none. */
export const claimBioHandle =
  ({ bioPages, clock, baseUrl }: ClaimBioHandleNeeds): Handler<"claimBioHandle"> =>
  async ({ input: { handle }, caller }) => {
    const refuse = (reason: "handleReserved" | "handleTaken" | "handleChangedTooOften", why: string): never => {
      throw new ServiceError("invalidRequest", `\`handle\`: ${why}`, { reason });
    };
    if (handle !== null && isReservedHandle(handle))
      return refuse("handleReserved", `${handle} is reserved. Choose another one.`);
    const page = await bioPages.claimHandle(caller.account.id, handle, clock.now());
    if (page === "taken") return refuse("handleTaken", `${handle} is taken. Choose another one.`);
    if (page === "tooOften")
      return refuse(
        "handleChangedTooOften",
        `you changed it ${bioHandleLimits.kept} times within ${bioHandleLimits.keptDays} days. Take one of your former handles back, or wait until one of them expires.`,
      );
    return describeBioPage(page, baseUrl());
  };

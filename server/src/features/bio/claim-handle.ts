import { bioHandleLimits, isReservedHandle, ServiceError } from "@reelscript/contract";
import type { BioPages, Clock } from "../../ports.ts";
import type { Handler } from "../../run.ts";
import { describePage } from "./describe-page.ts";

interface Needs {
  readonly bioPages: Pick<BioPages, "claimHandle">;
  readonly clock: Clock;
  readonly baseUrl: () => string;
}

/** Gives the page of the caller's account a handle, or none. */
export const claimHandle =
  ({ bioPages, clock, baseUrl }: Needs): Handler<"claimBioHandle"> =>
  async ({ input: { handle }, caller }) => {
    const refuse = (reason: string): never => {
      throw new ServiceError("invalidRequest", `\`handle\`: ${reason}`);
    };
    if (handle !== null && isReservedHandle(handle))
      return refuse(`${handle} is kept back, because it could pass for the service itself. Choose another one.`);
    const page = await bioPages.claimHandle(caller.account.id, handle, clock.now());
    if (page === "taken") return refuse(`${handle} is taken. Choose another one.`);
    if (page === "tooOften")
      return refuse(
        `the page changed its handle ${bioHandleLimits.held} times or more within ${bioHandleLimits.heldDays} days. Take one of the former handles back, or wait until one of them is free again.`,
      );
    return describePage(page, baseUrl());
  };

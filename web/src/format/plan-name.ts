import type { PlanName } from "@reelscript/contract";

export const planNames: Readonly<Record<PlanName, string>> = { free: "Free", hobby: "Hobby", creator: "Creator" };

import type { PlanName } from "@reelscript/contract";
import { plans } from "@reelscript/contract/values";

/** "Hobby" of `hobby` */
export const planName = (plan: PlanName): string => plans[plan].name;

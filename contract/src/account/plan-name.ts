import * as z from "zod";
import { plans } from "../values/plans.ts";

export type PlanName = keyof typeof plans;

export const PlanName = z
  .enum(Object.keys(plans) as [PlanName, ...PlanName[]])
  .meta({ description: "The account's plan." });

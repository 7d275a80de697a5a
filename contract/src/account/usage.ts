import * as z from "zod";
import { operation } from "../operation.ts";
import { PlanName } from "./plan-name.ts";

const Used = z.int().min(0).meta({
  description: "Transcriptions used in the period: lifetime for Free, billing cycle for paid plans.",
});
const Limit = z
  .int()
  .min(0)
  .meta({ description: "Transcriptions allowed in the period: 10 for Free, 250 for Hobby, 1000 for Creator." });

export const Quota = z.object({ used: Used, limit: Limit }).meta({ id: "Quota" });

export const TranscriptionUsage = z
  .object({
    ...Quota.shape,
    resetsAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: "When the allowance resets; null on Free, whose allowance never resets." }),
  })
  .meta({ id: "TranscriptionUsage" });

export const Usage = z
  .object({
    plan: PlanName,
    transcriptions: TranscriptionUsage,
    posts: z
      .object({
        used: z.int().min(0).meta({ description: "Posts analyzed by the browser extension in the period." }),
        limit: z
          .int()
          .min(0)
          .nullable()
          .meta({ description: "500 for Free (lifetime), 10000 for Hobby (per cycle), null (unlimited) for Creator." }),
      })
      .optional()
      .meta({ description: "The quota of posts analyzed, a feature of the browser extension." }),
  })
  .meta({ id: "Usage" });
export type Usage = z.infer<typeof Usage>;

export const getUsage = operation({
  summary: "Get the plan and the quota used",
  description:
    "Returns the plan, the transcriptions used of the limit, and when they reset. Call it before a batch or after `limitReached`.",
  tag: "Account",
  access: "key",
  http: { method: "GET", path: "/usage" },
  tools: [
    {
      name: "get_my_usage",
      title: "Get my usage",
      description:
        "Returns the plan, transcriptions used against the limit, and the reset date (needs an API key).\nUse this tool when you need to:\n- check the quota before a batch of transcriptions\n- explain a [limitReached] error\nCosts nothing.",
      openWorld: false,
    },
  ],
  input: z.object({}),
  output: Usage,
  errors: [],
  example: {},
});

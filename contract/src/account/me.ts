import * as z from "zod";
import { operation } from "../operation.ts";
import { PlanName } from "./plan-name.ts";
import { TranscriptionUsage } from "./usage.ts";

const RateLimit = z
  .object({
    limit: z.int().meta({ description: "Requests in any rolling hour." }),
    remaining: z.int().min(0),
  })
  .meta({ id: "RateLimit" });

export const Me = z
  .object({
    account: z.object({ id: z.string(), email: z.string(), plan: PlanName, createdAt: z.iso.datetime() }),
    key: z
      .object({
        id: z.string(),
        name: z.string(),
        lastFour: z.string(),
        createdAt: z.iso.datetime(),
        expiresAt: z.iso.datetime().nullable().meta({ description: "null: never." }),
        readOnly: z.boolean(),
      })
      .nullable()
      .meta({ description: "The key of this request; null when it was made without one." }),
    transcriptions: TranscriptionUsage,
    rateLimits: z.object({ default: RateLimit, transcribe: RateLimit, bioWrite: RateLimit }),
  })
  .meta({ id: "Me" });
export type Me = z.infer<typeof Me>;

export const getMe = operation({
  summary: "Get the account and key of this request",
  description: "Checks that a key works: its account, the key itself, its quota and its rate limits. Works at quota 0.",
  tag: "Account",
  access: "key",
  http: { method: "GET", path: "/me" },
  input: z.object({}),
  output: Me,
  errors: [],
  example: {},
});

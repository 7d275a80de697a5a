import * as z from "zod";
import { plans } from "../values/plans.ts";
import { ofPerson, operation } from "../operation.ts";

export type PlanName = keyof typeof plans;

export const PlanName = z
  .enum(Object.keys(plans) as [PlanName, ...PlanName[]])
  .meta({ description: "The account's plan." });

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
      .meta({ description: "Time at which the allowance resets; null on Free, whose allowance never resets." }),
  })
  .meta({ id: "TranscriptionUsage" });

/** A month's quota in the examples of answers. */
export const exampleAllowance = { used: 12, limit: 250, resetsAt: "2026-12-01T00:00:00.000Z" };

export const RateLimit = z
  .object({
    limit: z.int().meta({ description: "Requests in any rolling hour." }),
    remaining: z.int().min(0),
  })
  .meta({ id: "RateLimit" });

export const Usage = z
  .object({
    plan: PlanName,
    transcriptions: TranscriptionUsage,
    posts: z
      .object({
        used: z.int().min(0).meta({ description: "Posts analyzed by reports in the period." }),
        limit: z.int().min(0).nullable().meta({
          description:
            "Posts allowed in the period: 500 for Free (lifetime), 10000 for Hobby (per cycle), null (unlimited) for Creator.",
        }),
      })
      .optional()
      .meta({ description: "The quota of posts that reports analyze." }),
    thisHour: z
      .object({ requests: RateLimit, transcriptions: RateLimit })
      .optional()
      .meta({ description: "Requests and calls that transcribe, in any rolling hour." }),
  })
  .meta({ id: "Usage" });
export type Usage = z.infer<typeof Usage>;

export const getUsage = operation({
  summary: "Get your plan and usage",
  description:
    "Returns your plan, transcriptions used and allowed, and when they reset. Call it before a batch or after `limitReached`.",
  section: "Account",
  access: "key",
  http: { method: "GET", path: "/usage" },
  tools: [
    {
      name: "get_my_usage",
      title: "Get my usage",
      description:
        "Returns the plan, transcriptions used against the limit, the reset date, and the calls left this hour (needs an API key).\nUse this tool when you need to:\n- check the quota before a batch of transcriptions\n- explain a [limitReached] error\nCosts nothing.",
      openWorld: false,
    },
  ],
  output: Usage,
  exampleOutput: {
    plan: "hobby",
    transcriptions: exampleAllowance,
    posts: { used: 480, limit: 10_000 },
    thisHour: { requests: { limit: 60, remaining: 58 }, transcriptions: { limit: 10, remaining: 9 } },
  },
});

/** Most days of a period in an answer, because a period may be as long as an account's life. */
export const mostUsageDays = 90;

const Row = z.object({
  of: z
    .enum(["people", "key", "formerKey"])
    .meta({ description: "Source of the transcriptions: the dashboard and the extension, a key, or former keys." }),
  key: z.object({ id: z.string(), name: z.string(), lastFour: z.string() }).nullable(),
  afterFormerKey: z
    .boolean()
    .meta({ description: "Whether a former key in this key's slot used some of the transcriptions in the period." }),
  used: z.int().min(0),
  byDay: z.array(z.int().min(0)).meta({ description: "Transcriptions by the day on which they were requested." }),
  otherDays: z.int().min(0).meta({
    description:
      "Transcriptions in `used` that no listed day includes: from before the first day, or from a deleted account.",
  }),
});

const Span = z.object({
  startsAt: z.iso
    .datetime()
    .nullable()
    .meta({ description: "Start of the period; null on Free, whose allowance never resets." }),
  endsAt: z.iso
    .datetime()
    .nullable()
    .meta({ description: "End of the period, at which the next one starts; null on Free." }),
});

export const getUsageByDay = operation({
  summary: "Get the transcriptions used by day",
  description: `Returns the transcriptions that each key and the dashboard used on each day of an allowance period, for at most the last ${mostUsageDays} days. The days and the rest add up to the quota used.`,
  ...ofPerson,
  http: { method: "GET", path: "/usage/days" },
  input: z.object({
    period: z
      .enum(["current", "previous"])
      .optional()
      .meta({ description: "Allowance period; by default the current one." }),
  }),
  output: z.object({
    timeZone: z.literal("UTC").meta({ description: "The time zone of the days." }),
    ...Span.shape,
    days: z.array(z.iso.date()).meta({ description: "Days, oldest first." }),
    rows: z.array(Row),
    previous: Span.nullable().meta({
      description: "The last period before the current one in which something was used; that of Free when no other is.",
    }),
  }),
  errors: ["notFound"],
});

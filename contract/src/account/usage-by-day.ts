import * as z from "zod";
import { operation } from "../operation.ts";

/** Days that are shown of a period, which may be as long as an account lives. */
export const mostUsageDays = 90;

const Row = z.object({
  of: z
    .enum(["people", "key", "formerKey"])
    .meta({ description: "The dashboard and the extension, a key, or keys that were there before." }),
  key: z.object({ id: z.string(), name: z.string(), lastFour: z.string() }).nullable(),
  afterFormerKey: z
    .boolean()
    .meta({ description: "Whether some were used by another key, which had the place of this one in the period." }),
  used: z.int().min(0),
  byDay: z.array(z.int().min(0)).meta({ description: "Transcriptions by the day on which they were requested." }),
  otherDays: z.int().min(0).meta({
    description:
      "Those of `used` that are on no day of the list: before its first day, or in an account that was deleted.",
  }),
});

const Span = z.object({
  startsAt: z.iso
    .datetime()
    .nullable()
    .meta({ description: "Of the period; null on Free, whose allowance never resets." }),
  endsAt: z.iso.datetime().nullable(),
});

export const getUsageByDay = operation({
  summary: "Get the transcriptions used by day",
  description: `What each key and the dashboard used on each day of an allowance period, at most the last ${mostUsageDays} days. The days and the rest add up to the quota used.`,
  tag: "Account",
  access: "session",
  http: { method: "GET", path: "/usage/days" },
  input: z.object({
    period: z
      .enum(["current", "previous"])
      .optional()
      .meta({ description: "The allowance period; the current one when left out." }),
  }),
  output: z.object({
    timeZone: z.literal("UTC").meta({ description: "In which days begin." }),
    ...Span.shape,
    days: z.array(z.iso.date()).meta({ description: "Oldest first." }),
    rows: z.array(Row),
    previous: Span.nullable().meta({
      description: "The last period before the current one in which something was used; that of Free when no other is.",
    }),
  }),
  errors: ["notFound"],
  example: {},
});

import * as z from "zod";
import { longestAddress, readAddress, wholeAddress } from "../values/links/read-address.ts";

/** Maximum of reels in one report. */
export const largestCollection = 5_000;

/** Enough for 1,000 reels with the platform's longest captions (2,200 characters) in any script, or 5,000 with 1,600 bytes each. */
export const largestCollectionBytes = 8 * 1_024 * 1_024;

/** Handles of platform accounts: with or without @, compared without case. */
export const Handle = z
  .string()
  .max(64)
  .regex(/^@?[A-Za-z0-9._]+$/, { error: "must be an account handle: letters, digits, dots and underscores" });

/** Maximum length of a caption. */
export const longestCaption = 5_000;
/** Maximum duration of a video, in seconds. */
export const longestVideo = 86_400;

/** Any number: a value out of range counts as unknown, so that one mistake doesn't invalidate the file. */
const Count = z.number().nullish();
/** The platforms didn't exist before, so an earlier date is a mistake. */
export const earliestMoment = Date.UTC(2010, 0, 1);
const AnyMoment = z.iso.datetime({ offset: true, error: "must be a date and time such as 2026-11-20T10:00:00Z" });
const Moment = AnyMoment.refine((text) => Date.parse(text) >= earliestMoment, { error: "must not be before 2010" });

const CollectedReel = z
  .strictObject({
    url: z
      .string()
      .overwrite(wholeAddress)
      .max(longestAddress)
      .refine((text) => readAddress(text) !== undefined, { error: "must be the http(s) URL of a reel" })
      .meta({ format: "uri" }),
    caption: z
      .string()
      .nullish()
      .meta({ description: `Caption of at most ${longestCaption} characters; we ignore a longer one.` }),
    views: Count,
    likes: Count,
    comments: Count,
    postedAt: AnyMoment.nullish(),
    durationSeconds: z.number().nullish(),
  })
  .meta({
    description:
      "Omit values you don't have, or send null. Values out of range count as unknown: counts below 0 or with a fraction, dates before 2010 or after the collection, more than a day of video.",
  });

/** IANA name. */
export const AudienceTimezone = z
  .string()
  .max(64)
  .refine(isTimezone, { error: "must be an IANA time zone such as Europe/Berlin" });

/** The reels of one account as the browser extension saw them: what a competitor report is computed from. */
export const ReelCollection = z
  .strictObject({
    handle: Handle.meta({ description: "Handle of the account." }),
    timezone: AudienceTimezone.optional().meta({
      description:
        "The audience's IANA time zone, for posting times. Without one, the account's newest report decides.",
    }),
    collectedAt: Moment.meta({ description: "Time at which the counts were read." }),
    followers: z
      .int()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .nullish()
      .meta({ description: "Followers of the account at that time; omit it if unknown." }),
    reels: z
      .array(CollectedReel)
      .min(1)
      .max(largestCollection)
      .meta({ description: "Reels in any order; a reel that occurs more than once is counted once." }),
  })
  .meta({ id: "ReelCollection" });
export type ReelCollection = z.infer<typeof ReelCollection>;

function isTimezone(name: string): boolean {
  try {
    // Only names: an offset such as +02:00 lacks summer time.
    return (
      /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions() !== undefined
    );
  } catch {
    return false;
  }
}

import type { ReelCollection } from "@reelscript/contract";
import { browser } from "@wxt-dev/browser";
import type { CollectedReel } from "../messages/page-messages.ts";
import { reelAddress } from "../platform/place.ts";

/** Older ones make room. */
const mostKept = 10;

/** Profiles whose time zone is kept; the one that was chosen longest ago makes room. */
const mostTimezones = 200;

/** `timezone` is an IANA name. */
export function toCollection(
  handle: string,
  timezone: string,
  reels: readonly CollectedReel[],
  now = new Date(),
): ReelCollection {
  return {
    handle,
    timezone,
    collectedAt: now.toISOString(),
    reels: reels.map(({ code, caption, views, likes, comments, takenAt, seconds }) => ({
      url: reelAddress(code),
      caption,
      views,
      likes,
      comments,
      postedAt: momentOf(takenAt),
      durationSeconds: seconds !== null && seconds <= 86_400 ? seconds : null,
    })),
  };
}

/** The service takes no date from before the platform was there. */
function momentOf(seconds: number | null): string | null {
  const moment = new Date((seconds ?? Number.NaN) * 1_000);
  const year = moment.getUTCFullYear();
  return year >= 2_010 && year <= 9_999 ? moment.toISOString() : null;
}

/** Collections that the service did not take: nothing that somebody waited for is lost. */
export async function readPending(): Promise<readonly ReelCollection[]> {
  const { pendingReports } = await browser.storage.local.get("pendingReports");
  return (pendingReports ?? []) as readonly ReelCollection[];
}

const readOthers = async ({ handle, collectedAt }: ReelCollection): Promise<readonly ReelCollection[]> =>
  (await readPending()).filter((one) => one.handle !== handle || one.collectedAt !== collectedAt);

export const keepPending = async (collection: ReelCollection): Promise<void> =>
  browser.storage.local.set({ pendingReports: [...(await readOthers(collection)), collection].slice(-mostKept) });

export const dropPending = async (collection: ReelCollection): Promise<void> =>
  browser.storage.local.set({ pendingReports: await readOthers(collection) });

type ChosenTimezone = readonly [handle: string, timezone: string];

async function readTimezones(): Promise<readonly ChosenTimezone[]> {
  const { timezones } = await browser.storage.local.get("timezones");
  return (timezones ?? []) as readonly ChosenTimezone[]; // safe: only this file writes it
}

/** The time zone that somebody chose for a profile's audience in this browser. */
export async function readTimezone(handle: string): Promise<string | undefined> {
  const found = (await readTimezones()).find(([name]) => name === handle);
  return found?.[1];
}

export async function keepTimezone(handle: string, timezone: string): Promise<void> {
  const others = (await readTimezones()).filter(([name]) => name !== handle);
  await browser.storage.local.set({ timezones: [...others, [handle, timezone]].slice(-mostTimezones) });
}

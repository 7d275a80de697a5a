import type { ReelCollection } from "@reelscript/contract";
import { browser } from "@wxt-dev/browser";
import type { CollectedReel } from "../messages/page-messages.ts";
import { reelAddress } from "../platform/page-location.ts";

/** Older ones are dropped. */
const mostKept = 10;

/** Profiles with a stored time zone; the one that was chosen longest ago is dropped. */
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

/** The service accepts no date from before the platform existed. */
function momentOf(seconds: number | null): string | null {
  const moment = new Date((seconds ?? Number.NaN) * 1_000);
  const year = moment.getUTCFullYear();
  return year >= 2_010 && year <= 9_999 ? moment.toISOString() : null;
}

/** Collections that the service did not accept, so that nothing is lost that somebody waited for. */
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

/** The time zone that somebody chose in this browser for a profile's audience. */
export async function readTimezone(handle: string): Promise<string | undefined> {
  const entry = (await readTimezones()).find(([name]) => name === handle);
  return entry?.[1];
}

export async function keepTimezone(handle: string, timezone: string): Promise<void> {
  const others = (await readTimezones()).filter(([name]) => name !== handle);
  await browser.storage.local.set({ timezones: [...others, [handle, timezone]].slice(-mostTimezones) });
}

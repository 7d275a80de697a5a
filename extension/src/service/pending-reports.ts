import type { ReelCollection } from "@reelscript/contract";
import { browser } from "@wxt-dev/browser";
import { list, nullable, number, optional, shape, text } from "../messages/guards.ts";
import type { CollectedReel } from "../messages/page-messages.ts";
import { reelAddress } from "../platform/place.ts";

/** Older ones make room. */
const mostKept = 10;

const isCollection = shape({
  handle: text(64),
  timezone: text(64),
  collectedAt: text(40),
  reels: list(
    shape({
      url: text(2_048),
      caption: optional(nullable(text(5_000))),
      views: optional(nullable(number)),
      likes: optional(nullable(number)),
      comments: optional(nullable(number)),
      postedAt: optional(nullable(text(40))),
      durationSeconds: optional(nullable(number)),
    }),
    1_000,
  ),
});
const isKept = list(isCollection, 100);

export function toCollection(handle: string, reels: readonly CollectedReel[], now = new Date()): ReelCollection {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return {
    handle,
    timezone: timeZone,
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
  return isKept(pendingReports) ? pendingReports.map((one) => ({ ...one, reels: [...one.reels] })) : [];
}

export async function keepPending(collection: ReelCollection): Promise<void> {
  const others = (await readPending()).filter((one) => !isSame(one, collection));
  await browser.storage.local.set({ pendingReports: [...others, collection].slice(-mostKept) });
}

export async function dropPending(collection: ReelCollection): Promise<void> {
  const others = (await readPending()).filter((one) => !isSame(one, collection));
  await browser.storage.local.set({ pendingReports: others });
}

const isSame = (one: ReelCollection, other: ReelCollection): boolean =>
  one.handle === other.handle && one.collectedAt === other.collectedAt;

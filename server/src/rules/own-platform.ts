import type { ReelAddress, ReelIdentity } from "../ports.ts";

const mark = "~";

/** A reel as one account sent it: under a platform of its own, where it meets neither the cache nor what others sent. */
export const ownReel = (reel: ReelAddress, accountId: string): ReelAddress => ({
  ...reel,
  platform: `${reel.platform}${mark}${accountId}`,
});

export const isOwnReel = ({ platform }: Pick<ReelIdentity, "platform">): boolean => platform.includes(mark);

/** The reel on the platform that everybody knows. */
export const publicReel = (reel: ReelAddress): ReelAddress => ({
  ...reel,
  platform: reel.platform.split(mark, 1)[0] ?? "",
});

import type { BioLink } from "@reelscript/contract";

/** Whether a visitor sees the link at that moment: from its start until just before its end. */
export function isShown({ enabled, startsAt, endsAt }: BioLink, now: Date): boolean {
  const moment = now.getTime();
  return (
    enabled && (startsAt === null || Date.parse(startsAt) <= moment) && (endsAt === null || Date.parse(endsAt) > moment)
  );
}

/** When the next link appears or disappears by its schedule; `undefined` when none will. */
export function nextChange(links: readonly BioLink[], now: Date): Date | undefined {
  const moments = links
    .filter(({ enabled }) => enabled)
    .flatMap(({ startsAt, endsAt }) => [startsAt, endsAt])
    .flatMap((moment) => (moment === null ? [] : [Date.parse(moment)]))
    .filter((moment) => moment > now.getTime());
  return moments.length === 0 ? undefined : new Date(Math.min(...moments));
}

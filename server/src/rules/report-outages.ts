import { ServiceError } from "@reelscript/contract";
import type { Claim, Clock } from "../ports.ts";

const restMilliseconds = 30_000;

/** Reports what fails. */
export interface OutageReport {
  readonly failed: (error: unknown, claim?: Claim) => void;
  /** The outage is over, so the next one is reported when it begins. */
  readonly succeeded: () => void;
}

/**
 * Passes faults on, but those of a database outage only when it begins and then every half minute, however many calls fail
 * meanwhile.
 */
export function reportOutages({
  clock,
  onFault,
}: {
  readonly clock: Clock;
  readonly onFault: (error: unknown, claim?: Claim) => void;
}): OutageReport {
  let reportedAt: number | undefined;
  return {
    failed(error, claim) {
      if (error instanceof ServiceError && error.code === "unavailable") {
        const now = clock.now().getTime();
        // The clock may be set back.
        if (reportedAt !== undefined && Math.abs(now - reportedAt) < restMilliseconds) return;
        reportedAt = now;
      }
      onFault(error, claim);
    },
    succeeded() {
      reportedAt = undefined;
    },
  };
}

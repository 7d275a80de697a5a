import type { Claim, Transcriptions } from "../ports.ts";
import { createFetchedReels } from "./fetch-reel.ts";
import { createMachineHealth, createOutages, createPlatformHealth } from "./health.ts";
import { leaseSeconds, pause, workOnClaim } from "./work-on-claim.ts";
import type { WorkerNeeds } from "./worker-needs.ts";
import { reportOutages } from "../rules/report-outages.ts";
import { roomOfReels } from "../rules/machine-needs.ts";

/** Pause between two reels, and between two checks for one. */
const pollMilliseconds = 1_000;

/** Works on the operator's run of retranscriptions: one reel after another, and none while anything waits in the queue. */
export function startRetranscriptionWorker(needs: WorkerNeeds): {
  /** Claims nothing more; resolves when its reel is done. */
  drain(): Promise<void>;
  stop(): Promise<void>;
} {
  const { store, transcriber, clock, onFault } = needs;
  const stopping = new AbortController();
  const draining = new AbortController();
  const { retranscriptions, transcriptions } = store;
  // A reel that is given back doesn't wait among people's requests.
  const release = (claim: Claim): Promise<boolean> => retranscriptions.giveBack(claim);
  const health = createMachineHealth({ ...needs, room: roomOfReels(needs.maxMediaBytes) });
  const platform = createPlatformHealth(() => false);
  const outages = createOutages(needs);
  const renewals = reportOutages(needs);
  const claims = reportOutages(needs);
  /** The reel that waits for a dependency, and since when: a run has no row to store this in. */
  let waiting: { readonly reel: string; readonly away: NonNullable<Claim["away"]> } | undefined;
  const reelOf = ({ reel: { platform: name, mediaId } }: Claim): string => `${name} ${mediaId}`;
  const postpone: Transcriptions["postpone"] = (claim, { waitingFor: dependency, since }) => {
    waiting = { reel: reelOf(claim), away: { dependency, since } };
    return retranscriptions.giveBack(claim);
  };
  const aside = {
    ...needs,
    health,
    platform,
    outages,
    fetchedReels: createFetchedReels({ most: 1, isQueued: async () => true, onFault }),
    renewals,
    store: { ...store, transcriptions: { ...transcriptions, release, postpone } },
  };

  const claimOne = () =>
    retranscriptions.claim(needs.name, leaseSeconds, transcriber, clock.now()).then(
      (claim) => {
        claims.succeeded();
        if (claim === undefined || waiting?.reel !== reelOf(claim)) return claim;
        return { ...claim, away: waiting.away };
      },
      (error: unknown) => claims.failed(error),
    );

  async function loop(): Promise<void> {
    while (!draining.signal.aborted) {
      const mayClaim = outages.mayClaim(0) && outages.restingPlatforms().length === 0 && (await health.mayClaim());
      const claim = mayClaim && (await claimOne());
      if (claim) await workOnClaim(aside, claim, stopping.signal).catch((error: unknown) => onFault(error, claim));
      await pause(pollMilliseconds, draining.signal);
    }
  }

  const working = loop();
  return {
    async drain() {
      draining.abort();
      await working;
    },
    async stop() {
      draining.abort();
      stopping.abort();
      await working;
    },
  };
}

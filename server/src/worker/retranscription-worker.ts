import type { Claim } from "../ports.ts";
import { createMachineHealth } from "./machine-health.ts";
import { pause } from "./until-stored.ts";
import { createPlatformHealth } from "./platform-health.ts";
import { reportOutages } from "../report-outages.ts";
import { leaseSeconds, workOnClaim, type WorkerNeeds } from "./work-on-claim.ts";

/** Between one reel and the next, and between looks for one. */
const pollMilliseconds = 1_000;

/** Works on the operator's run of retranscriptions: one reel after another, and none while anything waits in the queue. */
export function startRetranscriptionWorker(needs: WorkerNeeds): { stop(): Promise<void> } {
  const { store, transcriber, clock, onFault } = needs;
  const stopping = new AbortController();
  const { retranscriptions, transcriptions } = store;
  // A reel that is given back doesn't wait among people's requests.
  const release = (claim: Claim): Promise<boolean> => retranscriptions.giveBack(claim);
  const health = createMachineHealth(needs);
  const platform = createPlatformHealth(() => false);
  const [renewals, claims] = [reportOutages(needs), reportOutages(needs)];
  const aside = {
    ...needs,
    health,
    platform,
    renewals,
    store: { ...store, transcriptions: { ...transcriptions, release } },
  };

  const claimOne = () =>
    retranscriptions.claim(needs.name, leaseSeconds, transcriber, clock.now()).then(
      (claim) => {
        claims.succeeded();
        return claim;
      },
      (error: unknown) => claims.failed(error),
    );

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      const mayClaim = await health.mayClaim();
      const claim = mayClaim && (await claimOne());
      if (claim) await workOnClaim(aside, claim, stopping.signal).catch((error: unknown) => onFault(error, claim));
      await pause(pollMilliseconds, stopping.signal);
    }
  }

  const working = loop();
  return {
    async stop() {
      stopping.abort();
      await working;
    },
  };
}

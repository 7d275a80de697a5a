import { createCountBioVisits } from "../../../server/src/features/bio/visits/count-bio-visits.ts";
import { networkOf } from "../../../server/src/callers/network-of.ts";
import type { TestService } from "../../../server/test/harness/start-test-service.ts";

const phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1";
const laptop = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/125.0 Safari/537.36";

export interface BioVisitor {
  readonly daysAgo: number;
  /** Tells visitors apart. */
  readonly number: number;
  readonly onPhone?: boolean;
  readonly referrer?: string;
  readonly country?: string;
  /** What is clicked after looking. */
  readonly clicks?: readonly string[];
}

/** Views of a bio page and clicks on its links, counted by the same rules as those of strangers. */
export async function visitBioPage(
  { store, clock }: TestService,
  accountId: string,
  visitors: readonly BioVisitor[],
): Promise<void> {
  const { id = "" } = await store.bioPages.read(accountId);
  for (const { daysAgo, number, onPhone = true, referrer, country = null, clicks = [] } of visitors) {
    const moment = new Date(clock.now().getTime() - daysAgo * 86_400_000);
    const { note, write } = createCountBioVisits({
      bioEvents: store.bioEvents,
      clock: { now: () => moment },
      onFault(error) {
        throw error;
      },
    });
    for (const linkId of [null, ...clicks])
      note({
        bioId: id,
        linkId,
        method: "GET",
        network: networkOf(`203.0.113.${number}`),
        host: "reelscript.example",
        owner: false,
        country,
        headers: { "user-agent": onPhone ? phone : laptop, ...(referrer !== undefined && { referer: referrer }) },
      });
    await write();
  }
}

import { ServiceError, type BioChange, type BioContent, type BioPage } from "@reelscript/contract";
import type { BioPages, Clock, StoredBioPage } from "../../ports.ts";
import { changesBetween } from "./changes-between.ts";
import { describeBioContent, describeBioPage } from "../../describe/describe-bio-page.ts";

export interface ChangeNeeds {
  readonly bioPages: BioPages;
  readonly clock: Clock;
  /** The service's address, as users see it. */
  readonly baseUrl: () => string;
}

/** Changes an account's page, or shows what would change. Throws `invalidRequest` 412 when it is not at `ifRevision`. */
export async function changeBioPage(
  { bioPages, clock, baseUrl }: ChangeNeeds,
  accountId: string,
  { ifRevision, dryRun }: { readonly ifRevision?: number | undefined; readonly dryRun: boolean },
  next: (content: BioContent) => BioContent,
): Promise<BioPage & { dryRun: boolean; changes: BioChange[] }> {
  let changes: BioChange[] = [];
  const decide = ({ revision, content }: StoredBioPage): BioContent | undefined => {
    refuseStale(revision, ifRevision);
    const wanted = next(content);
    changes = changesBetween(describeBioContent(content, baseUrl()), describeBioContent(wanted, baseUrl()));
    return changes.length === 0 ? undefined : wanted;
  };
  const tell = (page: StoredBioPage) => ({ ...describeBioPage(page, baseUrl()), dryRun, changes });
  if (!dryRun) return tell(await bioPages.change(accountId, decide, clock.now()));
  const page = await bioPages.read(accountId);
  return tell({ ...page, content: decide(page) ?? page.content });
}

/** Throws `invalidRequest` 412 when the page is at another revision than the caller saw. */
function refuseStale(revision: number, ifRevision: number | undefined): void {
  if (ifRevision === undefined || ifRevision === revision) return;
  throw new ServiceError(
    "invalidRequest",
    `The bio page is at revision ${revision}, not ${ifRevision}: someone changed it in the meantime. Read it again, then repeat your change.`,
    { reason: "staleRevision", status: 412 },
  );
}

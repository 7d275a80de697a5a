import {
  hostedImageId,
  keptBioRevisions,
  listedBioRevisions,
  ServiceError,
  withImages,
  type BioContent,
  bioHandleLimits,
  isReservedHandle,
  type BioChange,
} from "@reelscript/contract";
import type { Handlers } from "../../run/handler.ts";
import { describeBioPage, describeBioContent } from "../../describe/describe-bio-page.ts";
import type { BioPages, StoredBioPage, Clock, BioLinkHealth, NewId } from "../../ports.ts";
import { applyPatch, type BioPatch, changesBetween } from "./apply-patch.ts";
import { hostImages, imagesOf, type ImageNeeds } from "./host-images.ts";

interface PageNeeds {
  readonly bioPages: BioPages;
  readonly clock: Clock;
  /** The service's address, as users see it. */
  readonly baseUrl: () => string;
}

interface BioPageNeeds extends PageNeeds, ImageNeeds {
  readonly bioLinkHealth: BioLinkHealth;
  readonly newId: NewId;
}

export function bioPageHandlers(needs: BioPageNeeds) {
  const { bioPages, bioLinkHealth, clock, baseUrl } = needs;
  return {
    getMyBioPage: async ({ input: { revisions }, caller }) => {
      const page = describeBioPage(await bioPages.read(caller.account.id), baseUrl());
      return revisions ? { ...page, revisions: await describeRevisions(bioPages, caller.account.id) } : page;
    },

    updateBioPage: async ({ input, caller, whileWaiting }) => {
      const { ifRevision, dryRun, ...patch } = input;
      const { id: accountId } = caller.account;
      const linkIds = (patch.links ?? []).flatMap(({ id }) => id ?? []);
      const formerLinks = linkIds.length === 0 ? [] : await bioPages.keptLinks(accountId, linkIds);
      const change = (one: BioPatch, isDry: boolean) =>
        changeBioPage(needs, accountId, { ifRevision, dryRun: isDry }, (content) =>
          applyPatch(content, one, () => needs.newId("lnk"), formerLinks),
        );
      // A dry run leaves nothing behind.
      if (dryRun || imagesOf(patch).size === 0) return change(patch, dryRun);
      // A patch that would be refused must not fetch images, so it is checked first.
      await change(patch, true);
      return change(await whileWaiting(() => hostImages(needs, accountId, patch)), false);
    },

    revertBioPage: async ({ input, caller }) => {
      const { revision, ...conditions } = input;
      const { id: accountId } = caller.account;
      const present = await bioPages.read(accountId);
      const content =
        revision === present.revision ? present.content : await bioPages.readRevision(accountId, revision);
      if (content === undefined)
        throw new ServiceError(
          "notFound",
          `The bio page has no revision ${revision}. It is at revision ${present.revision}; the last ${keptBioRevisions} are kept.`,
        );
      const whole = await withoutLostImages(needs, accountId, content);
      return changeBioPage(needs, accountId, conditions, () => whole);
    },

    checkBioHandle: async ({ input: { handle }, caller }) => {
      if (isReservedHandle(handle)) return { handle, state: "reserved" };
      return { handle, state: await bioPages.handleState(caller.account.id, handle, clock.now()) };
    },

    /** Gives the page of the caller's account a handle, or none. */
    claimBioHandle: async ({ input: { handle }, caller }) => {
      const refuse = (reason: "handleReserved" | "handleTaken" | "handleChangedTooOften", why: string): never => {
        throw new ServiceError("invalidRequest", `\`handle\`: ${why}`, { reason });
      };
      if (handle !== null && isReservedHandle(handle))
        return refuse("handleReserved", `${handle} is reserved. Choose another one.`);
      const page = await bioPages.claimHandle(caller.account.id, handle, clock.now());
      if (page === "taken") return refuse("handleTaken", `${handle} is taken. Choose another one.`);
      if (page === "tooOften")
        return refuse(
          "handleChangedTooOften",
          `you changed it ${bioHandleLimits.kept} times within ${bioHandleLimits.keptDays} days. Take one of your former handles back, or wait until one of them expires.`,
        );
      return describeBioPage(page, baseUrl());
    },

    getBioLinkHealth: async ({ caller }) => ({ failing: await bioLinkHealth.failing(caller.account.id, clock.now()) }),
  } satisfies Partial<Handlers>;
}

/** Images that no page showed for long are gone. */
async function withoutLostImages(
  { bioImages }: ImageNeeds,
  accountId: string,
  content: BioContent,
): Promise<BioContent> {
  const ids: string[] = [];
  withImages(content, (url) => {
    ids.push(hostedImageId(url) ?? "");
    return url;
  });
  const owned = await bioImages.owned(accountId, ids);
  return withImages(content, (url) => {
    const id = hostedImageId(url);
    return id === undefined || owned.has(id) ? url : null;
  });
}

/** Changes an account's page, or shows what would change. Throws `invalidRequest` 412 when it is not at `ifRevision`. */
async function changeBioPage(
  { bioPages, clock, baseUrl }: PageNeeds,
  accountId: string,
  { ifRevision, dryRun }: { readonly ifRevision?: number | undefined; readonly dryRun: boolean },
  next: (content: BioContent) => BioContent,
) {
  let changes: BioChange[] = [];
  const decide = ({ revision, content }: StoredBioPage): BioContent | undefined => {
    refuseStale(revision, ifRevision);
    const newContent = next(content);
    changes = changesBetween(describeBioContent(content, baseUrl()), describeBioContent(newContent, baseUrl()));
    return changes.length === 0 ? undefined : newContent;
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
    { reason: "staleRevision" },
  );
}

/** At most this many changed parts of a revision are listed; replacing a whole page changes hundreds. */
const namedChanges = 20;

/** The last revisions with what each changed; the oldest that is kept has nothing to be compared with. */
async function describeRevisions({ listRevisions }: Pick<BioPages, "listRevisions">, accountId: string) {
  const revisions = await listRevisions(accountId, listedBioRevisions + 1);
  return revisions.slice(0, listedBioRevisions).map(({ revision, content, changedAt }, index) => {
    const before = revisions[index + 1]?.content;
    const changes = before === undefined ? [] : changesBetween(before, content);
    const changed = changes.slice(0, namedChanges).map(({ path }) => path);
    return { revision, ...(changedAt && { changedAt }), changed };
  });
}

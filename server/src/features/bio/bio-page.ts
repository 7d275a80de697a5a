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
      const { ifRevision, dryRun, handle, ...patch } = input;
      const { id: accountId } = caller.account;
      const linkIds = (patch.links ?? []).flatMap(({ id }) => id ?? []);
      const formerLinks = linkIds.length === 0 ? [] : await bioPages.keptLinks(accountId, linkIds);
      const claimed = handle === undefined ? undefined : await checkFirstHandle(needs, accountId, handle);
      const change = (one: BioPatch, isDry: boolean) =>
        changeBioPage(needs, accountId, { ifRevision, dryRun: isDry, claimed }, (content) =>
          applyPatch(content, one, () => needs.newId("lnk"), formerLinks),
        );
      // A dry run leaves nothing behind.
      if (dryRun) return change(patch, true);
      const hasImages = imagesOf(patch).size > 0;
      // A patch that would be refused must neither claim a handle nor fetch images, so it is checked first.
      if (claimed !== undefined || hasImages) await change(patch, true);
      if (claimed !== undefined)
        orRefuse(claimed, await bioPages.claimHandle(accountId, claimed, clock.now(), { isFirst: true }));
      const hosted = hasImages ? await whileWaiting(() => hostImages(needs, accountId, patch)) : patch;
      return change(hosted, false);
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
      if (handle !== null) refuseReserved(handle);
      const outcome = await bioPages.claimHandle(caller.account.id, handle, clock.now());
      return describeBioPage(orRefuse(handle, outcome), baseUrl());
    },

    getBioLinkHealth: async ({ caller }) => ({ failing: await bioLinkHealth.failing(caller.account.id, clock.now()) }),
  } satisfies Partial<Handlers>;
}

function refuseHandle(reason: "handleReserved" | "handleTaken" | "handleChangedTooOften", why: string): never {
  throw new ServiceError("invalidRequest", `\`handle\`: ${why}`, { reason });
}

function refuseReserved(handle: string): void {
  if (isReservedHandle(handle)) refuseHandle("handleReserved", `${handle} is reserved. Choose another one.`);
}

/** The page that a claim changed. Throws `invalidRequest` if it changed none. */
function orRefuse(handle: string | null, outcome: Awaited<ReturnType<BioPages["claimHandle"]>>): StoredBioPage {
  switch (outcome) {
    case "taken":
      return refuseHandle("handleTaken", `${handle} is taken. Choose another one.`);
    case "tooOften":
      return refuseHandle(
        "handleChangedTooOften",
        `you changed it ${bioHandleLimits.kept} times within ${bioHandleLimits.keptDays} days. Take one of your former handles back, or wait until one of them expires.`,
      );
    case "notFirst":
      throw changedByPersons();
    default:
      return outcome;
  }
}

const changedByPersons = (): ServiceError =>
  new ServiceError(
    "invalidRequest",
    "`handle`: the page has an address already. A person changes it, in the dashboard.",
  );

/** The handle that a page without one would get; `undefined` if the page has it already. Throws `invalidRequest`. */
async function checkFirstHandle(
  { bioPages, clock }: PageNeeds,
  accountId: string,
  handle: string,
): Promise<string | undefined> {
  const { handle: current } = await bioPages.read(accountId);
  if (current === handle) return undefined;
  if (current !== null) throw changedByPersons();
  refuseReserved(handle);
  if ((await bioPages.handleState(accountId, handle, clock.now())) === "taken") orRefuse(handle, "taken");
  return handle;
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

interface ChangeOptions {
  readonly ifRevision?: number | undefined;
  readonly dryRun: boolean;
  /** The page's first handle, which the same call claims. */
  readonly claimed?: string | undefined;
}

/** Changes an account's page, or shows what would change. Throws `invalidRequest` 412 when it is not at `ifRevision`. */
async function changeBioPage(
  { bioPages, clock, baseUrl }: PageNeeds,
  accountId: string,
  { ifRevision, dryRun, claimed }: ChangeOptions,
  next: (content: BioContent) => BioContent,
) {
  let changes: BioChange[] = [];
  const decide = ({ revision, content }: StoredBioPage): BioContent | undefined => {
    refuseStale(revision, ifRevision);
    const newContent = next(content);
    changes = changesBetween(describeBioContent(content, baseUrl()), describeBioContent(newContent, baseUrl()));
    return changes.length === 0 ? undefined : newContent;
  };
  const tell = (page: StoredBioPage) => ({
    ...describeBioPage({ ...page, handle: claimed ?? page.handle }, baseUrl()),
    dryRun,
    changes: claimed === undefined ? changes : [{ path: "handle", before: null, after: claimed }, ...changes],
  });
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

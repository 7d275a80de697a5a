import { BioHandle, isReservedHandle } from "@reelscript/contract";
import type { RenderedPage } from "../../bio-page/page-document.ts";
import { renderBioPage } from "../../bio-page/render-bio-page.ts";
import { nextChange } from "../../bio-page/page-parts.ts";
import type { PublicBioPages, Clock } from "../../ports.ts";

export interface ShownBioPage {
  readonly kind: "page";
  readonly page: RenderedPage;
  /** When it looks different by itself, because a link appears or disappears. */
  readonly until: Date | undefined;
}

/** Response to a visitor of `/@handle`. `missing`: there is no page; it says if the handle can be claimed. */
type BioPageResponse =
  | ShownBioPage
  | { readonly kind: "moved"; readonly handle: string }
  | { readonly kind: "takenDown" }
  | { readonly kind: "missing"; readonly handle: string; readonly isFree: boolean };

export type ShowBioPage = (handle: string) => Promise<BioPageResponse>;

interface Drawn {
  readonly bioId: string;
  readonly revision: number;
  readonly page: ShownBioPage;
  /** When its address was looked up, and how many changes were known before. */
  readonly checkedAt: number;
  readonly changes: number;
}

/** Pages that are kept drawn in a process, and for how long one is shown before its address is looked up again. */
const mostDrawn = 500;
const keptMilliseconds = 1_000;

interface ShowNeeds {
  readonly publicBioPages: PublicBioPages;
  readonly clock: Clock;
  /** The service's address, as users see it. */
  readonly baseUrl: () => string;
  /** Address for reports of bio pages. */
  readonly abuseContact?: string | undefined;
  /** Calls back soon after a page was changed, renamed, taken down, restored or removed. */
  readonly onChange: (listener: () => void) => void;
}

/**
 * Shows what is published, to everybody the same. A page is drawn again only when it looks different, and its address is
 * looked up again after a second or a change, once for all who ask for it meanwhile. Handles without a page are not kept, so
 * that they cannot push pages out.
 */
export function createShowBioPage({ publicBioPages, onChange, clock, baseUrl, abuseContact }: ShowNeeds): ShowBioPage {
  /** Pages by handle, the least recently looked up first. */
  const drawn = new Map<string, Drawn>();
  let lookups = new Map<string, Promise<BioPageResponse>>();
  let changes = 0;
  onChange(() => {
    changes += 1;
    // Later requests must not get pages that were read before.
    lookups = new Map();
  });

  const holds = ({ until }: ShownBioPage, now: Date): boolean => !(until && until <= now);

  async function draw(bioId: string, handle: string): Promise<ShownBioPage | undefined> {
    const stored = await publicBioPages.read(bioId);
    // It may have been removed or renamed since its address was looked up.
    if (stored === undefined || stored.handle !== handle) return undefined;
    const { content } = stored;
    const now = clock.now();
    const page = renderBioPage({ content, handle, baseUrl: baseUrl(), countedAs: bioId, abuseContact, now });
    return { kind: "page", page, until: nextChange(content.links, now) };
  }

  async function lookUp(requestedHandle: string): Promise<BioPageResponse> {
    const parsed = BioHandle.safeParse(requestedHandle);
    if (!parsed.success) return { kind: "missing", handle: requestedHandle, isFree: false };
    const handle = parsed.data;
    const checked = { checkedAt: clock.now().getTime(), changes };
    const address = await publicBioPages.resolve(handle, clock.now());
    if (address.kind === "moved") return address;
    if (address.kind === "takenDown") return { kind: "takenDown" };
    if (address.kind !== "page")
      return { kind: "missing", handle, isFree: address.kind === "free" && !isReservedHandle(handle) };
    if (handle !== requestedHandle) return { kind: "moved", handle };
    const { bioId, revision } = address;
    const drawnPage = drawn.get(handle);
    const isCurrent =
      drawnPage?.bioId === bioId && drawnPage.revision === revision && holds(drawnPage.page, clock.now());
    const page = isCurrent ? drawnPage.page : await draw(bioId, handle);
    drawn.delete(handle);
    if (page === undefined) return { kind: "missing", handle, isFree: false };
    drawn.set(handle, { bioId, revision, page, ...checked });
    const [oldest] = drawn.keys();
    if (drawn.size > mostDrawn && oldest !== undefined) drawn.delete(oldest);
    return page;
  }

  return async (handle) => {
    const drawnPage = drawn.get(handle);
    const now = clock.now();
    const age = drawnPage ? now.getTime() - drawnPage.checkedAt : -1;
    if (drawnPage?.changes === changes && age >= 0 && age < keptMilliseconds && holds(drawnPage.page, now))
      return drawnPage.page;
    const underWay = lookups;
    const lookup = underWay.get(handle) ?? lookUp(handle).finally(() => underWay.delete(handle));
    underWay.set(handle, lookup);
    return lookup;
  };
}

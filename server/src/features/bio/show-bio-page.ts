import { BioHandle, isReservedHandle } from "@reelscript/contract";
import type { RenderedPage } from "../../bio-page/page-document.ts";
import { renderBioPage } from "../../bio-page/render-bio-page.ts";
import { nextChange } from "../../bio-page/page-parts.ts";
import type { BioAddress } from "../../ports.ts";
import type { Needs } from "../../run/needs.ts";
import { joinedReads } from "./joined-reads.ts";
import { keptBriefly } from "./kept-briefly.ts";

export interface ShownBioPage {
  readonly kind: "page";
  readonly page: RenderedPage;
  /** When it looks different by itself, because a link appears or disappears. */
  readonly until: Date | undefined;
}

/** What a visitor of `/@handle` gets. `missing`: there is no page; whether somebody could claim the handle. */
type Shown =
  | ShownBioPage
  | { readonly kind: "moved"; readonly handle: string }
  | { readonly kind: "takenDown" }
  | { readonly kind: "missing"; readonly handle: string; readonly isFree: boolean };

export type ShowBioPage = (handle: string) => Promise<Shown>;

interface Drawn extends ShownBioPage {
  readonly revision: number;
  readonly handle: string;
}

/** Pages that are kept drawn in a process, and for how long one is shown before its address is looked up again. */
const mostDrawn = 500;
const keptMilliseconds = 1_000;

/**
 * Shows what is published, to everybody the same. A page is drawn again only when it looks different, and its address is
 * looked up again after a second or a change. Handles without a page are not kept, so that they cannot push pages out.
 */
export function createShowBioPage({
  publicBioPages,
  onChange,
  clock,
  baseUrl,
  abuseContact,
}: Needs<"publicBioPages" | "clock" | "baseUrl" | "abuseContact"> & {
  /** Calls back soon after a page was changed, renamed, taken down, restored or removed. */
  readonly onChange: (listener: () => void) => void;
}): ShowBioPage {
  /** By the id of the page, the one shown longest ago first. */
  const drawn = new Map<string, Drawn>();
  const draw = async (bioId: string, handle: string): Promise<Drawn | undefined> => {
    const stored = await publicBioPages.read(bioId);
    // It may have been removed or renamed since its address was looked up.
    if (stored === undefined || stored.handle !== handle) return undefined;
    const { content, revision } = stored;
    const now = clock.now();
    const page = renderBioPage({ content, handle, baseUrl: baseUrl(), countedAs: bioId, abuseContact, now });
    return { kind: "page", page, until: nextChange(content.links, now), revision, handle };
  };
  const find = async ({ bioId, revision }: Extract<BioAddress, { kind: "page" }>, handle: string) => {
    const kept = drawn.get(bioId);
    const isCurrent =
      kept?.revision === revision && kept.handle === handle && !(kept.until && kept.until <= clock.now());
    const shown = isCurrent ? kept : await draw(bioId, handle);
    drawn.delete(bioId);
    if (shown === undefined) return undefined;
    drawn.set(bioId, shown);
    for (const oldest of drawn.keys()) {
      if (drawn.size <= mostDrawn) break;
      drawn.delete(oldest);
    }
    return shown;
  };
  const resolve = joinedReads((handle) => publicBioPages.resolve(handle, clock.now()));
  const show = async (asked: string): Promise<Shown> => {
    const parsed = BioHandle.safeParse(asked);
    if (!parsed.success) return { kind: "missing", handle: asked, isFree: false };
    const handle = parsed.data;
    const address = await resolve(handle);
    if (address.kind === "moved") return address;
    if (address.kind === "takenDown") return { kind: "takenDown" };
    if (address.kind !== "page")
      return { kind: "missing", handle, isFree: address.kind === "free" && !isReservedHandle(handle) };
    if (handle !== asked) return { kind: "moved", handle };
    return (await find(address, handle)) ?? { kind: "missing", handle, isFree: false };
  };
  const isCurrent = (shown: Shown, now: Date) => shown.kind === "page" && !(shown.until && shown.until <= now);
  const kept = keptBriefly(show, { milliseconds: keptMilliseconds, most: mostDrawn, holds: isCurrent }, clock);
  onChange(kept.forget);
  return kept.read;
}

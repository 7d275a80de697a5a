import { BioHandle, ServiceError } from "@reelscript/contract";
import { shareCardOf, shareCardPath, shareCardTag, type ShareCard } from "../../bio-page/share-card.ts";
import { bioPageTakenDown } from "../../rules/refusals.ts";
import type { Needs } from "../../run/needs.ts";

/** The picture, or the path at which the page's present one is. */
type ShownCard =
  | { readonly kind: "card"; readonly bytes: Uint8Array }
  | { readonly kind: "moved"; readonly path: string };

/** Shows the picture of a public page's link. Throws `notFound`, and `unavailable` when too many are being drawn. */
export type ShowShareCard = (handle: string, tag: string) => Promise<ShownCard>;

const mostKept = 100;

/** Draws only what a page shows now, once for all who ask for it, and keeps the last ones. */
export function createShowShareCard({
  publicBioPages,
  bioImages,
  clock,
  draw,
}: Needs<"publicBioPages" | "bioImages" | "clock"> & {
  /** `portrait`: the uploaded one, in JPEG. */
  readonly draw: (card: ShareCard, portrait: Uint8Array | undefined) => Promise<Uint8Array>;
}): ShowShareCard {
  const cards = new Map<string, Promise<Uint8Array>>();
  const drawWhole = async (card: ShareCard): Promise<Uint8Array> =>
    draw(card, card.picture === undefined ? undefined : await bioImages.read(card.picture, "small.jpg"));
  const picture = (tag: string, card: ShareCard): Promise<Uint8Array> => {
    const drawing = cards.get(tag) ?? drawWhole(card);
    cards.delete(tag);
    cards.set(tag, drawing);
    drawing.catch(() => cards.delete(tag));
    for (const oldest of cards.keys()) {
      if (cards.size <= mostKept) break;
      cards.delete(oldest);
    }
    return drawing;
  };
  return async (requestedHandle, tag) => {
    const none = new ServiceError("notFound", "No page has this address.");
    const parsed = BioHandle.safeParse(requestedHandle);
    if (!parsed.success) throw none;
    let address = await publicBioPages.resolve(parsed.data, clock.now());
    if (address.kind === "moved") address = await publicBioPages.resolve(address.handle, clock.now());
    if (address.kind === "takenDown") throw bioPageTakenDown();
    const page = address.kind === "page" ? await publicBioPages.read(address.bioId) : undefined;
    if (!page?.handle) throw none;
    const card = shareCardOf(page.content, page.handle);
    if (shareCardTag(card) !== tag || page.handle !== requestedHandle)
      return { kind: "moved", path: shareCardPath(card) };
    const bytes = await picture(tag, card).catch((error: unknown) => {
      throw new ServiceError("unavailable", "We couldn't draw this picture. Try again in a minute.", {
        retryAfter: 60,
        cause: error,
      });
    });
    return { kind: "card", bytes };
  };
}

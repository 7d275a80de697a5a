import { BioHandle, ServiceError } from "@reelscript/contract";
import { shareCardOf, shareCardPath, shareCardTag, type ShareCard } from "../../bio-page/share-card.ts";
import { createKeptPictures } from "../../run/kept-pictures.ts";
import { bioPageTakenDown } from "../../rules/refusals.ts";
import type { PublicBioPages, BioImages, Clock } from "../../ports.ts";

/** The picture, or the path of the page's current picture. */
type ShownCard =
  | { readonly kind: "card"; readonly bytes: Uint8Array }
  | { readonly kind: "moved"; readonly path: string };

/** Shows the picture of a public page's link. Throws `notFound`, and `unavailable` when too many are being drawn. */
export type ShowShareCard = (handle: string, tag: string) => Promise<ShownCard>;

interface ShareCardNeeds {
  readonly publicBioPages: PublicBioPages;
  readonly bioImages: BioImages;
  readonly clock: Clock;
  /** `portrait`: the uploaded one, in JPEG. */
  readonly draw: (card: ShareCard, portrait: Uint8Array | undefined) => Promise<Uint8Array>;
}

/**
 * Draws only the current state of a page, once for all who request it at the same time, and keeps the last pictures.
 */
export function createShowShareCard({ publicBioPages, bioImages, clock, draw }: ShareCardNeeds): ShowShareCard {
  const keptPicture = createKeptPictures();
  const drawWhole = async (card: ShareCard): Promise<Uint8Array> =>
    draw(card, card.picture === undefined ? undefined : await bioImages.read(card.picture, "small.jpg"));
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
    const bytes = await keptPicture(tag, () => drawWhole(card));
    return { kind: "card", bytes };
  };
}

import { bioLimits, ServiceError } from "@reelscript/contract";
import type { BioImages, Clock, DrawnImage } from "../../ports.ts";

interface KeptImage {
  /** Under the service's address. */
  readonly path: string;
  readonly width: number;
  readonly height: number;
}

/** Throws `invalidRequest` when the account has too many. */
export async function keepImage(
  { bioImages, clock }: { readonly bioImages: Pick<BioImages, "keep">; readonly clock: Clock },
  accountId: string,
  image: DrawnImage,
): Promise<KeptImage> {
  const id = await bioImages.keep(accountId, image, clock.now());
  if (id === undefined)
    throw new ServiceError(
      "invalidRequest",
      `the account has ${bioLimits.images} images. Those that its page does not show are deleted after 30 days.`,
    );
  return { path: `/media/images/${id}.webp`, width: image.width, height: image.height };
}

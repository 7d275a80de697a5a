import type { BioImages, Clock, Crop, ImageSource } from "../../ports.ts";
import { keepImage } from "./keep-image.ts";

interface UploadedImage {
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

/** What an account brings: the bytes of a file, or the https URL of an image, of which a part may be kept. */
interface BroughtImage {
  readonly from: Uint8Array | { readonly url: string };
  readonly crop: Crop | undefined;
}

/** Keeps an image for the page of an account, whose page stays as it is. Throws `invalidRequest`. */
export type UploadBioImage = (accountId: string, image: BroughtImage) => Promise<UploadedImage>;

const longestMilliseconds = 20_000;

export const uploadBioImage =
  (needs: {
    readonly bioImages: Pick<BioImages, "keep">;
    readonly images: ImageSource;
    readonly clock: Clock;
    readonly baseUrl: () => string;
  }): UploadBioImage =>
  async (accountId, { from, crop }) => {
    const bytes =
      from instanceof Uint8Array ? from : await needs.images.fetch(from.url, AbortSignal.timeout(longestMilliseconds));
    const { path, ...size } = await keepImage(needs, accountId, await needs.images.draw(accountId, bytes, crop));
    return { url: `${needs.baseUrl()}${path}`, ...size };
  };

import { bioLimits, hostedImageId, hostedImagePath, ServiceError, withImages } from "@reelscript/contract";
import type { DrawnImage, Crop, BioImages, ImageSource, Clock } from "../../ports.ts";
import type { BioPatch } from "./apply-patch.ts";

export interface ImageNeeds {
  readonly bioImages: BioImages;
  readonly images: ImageSource;
  readonly clock: Clock;
  /** The service's address, as users see it. */
  readonly baseUrl: () => string;
}

const longestMilliseconds = 25_000;
const atATime = 3;

/** Images as a patch names them, and how it names each first: `avatarUrl`, `links[3].thumbnailUrl`. */
export function imagesOf(patch: BioPatch): Map<string, string> {
  const fieldsByUrl = new Map<string, string>();
  withImages(patch, (url, field) => {
    if (!fieldsByUrl.has(url)) fieldsByUrl.set(url, field);
    return url;
  });
  return fieldsByUrl;
}

/**
 * The patch with images of this service alone: those of other sites are fetched, redrawn and kept. Throws `invalidRequest`
 * naming the field of the first that cannot be.
 */
export async function hostImages(needs: ImageNeeds, accountId: string, patch: BioPatch): Promise<BioPatch> {
  const images = [...imagesOf(patch)].map(([url, field]) => ({ url, field, path: ownImagePath(url, needs.baseUrl()) }));
  await refuseUnknown(needs, accountId, images);
  const foreign = images.filter(({ path }) => path === undefined);
  if (foreign.length > bioLimits.fetchedImages)
    throw new ServiceError(
      "invalidRequest",
      `The change names ${foreign.length} images of other sites; at most ${bioLimits.fetchedImages} are fetched at a time. Change the page in several steps.`,
    );
  const paths = new Map(images.flatMap(({ url, path }) => (path === undefined ? [] : [[url, path] as const])));
  const signal = AbortSignal.timeout(longestMilliseconds);
  const left = foreign.values();
  const work = async (): Promise<void> => {
    for (const { url, field } of left) paths.set(url, await host(needs, accountId, { url, field, signal }));
  };
  await Promise.all(Array.from({ length: atATime }, work));
  return withImages(patch, (url) => paths.get(url) ?? url);
}

async function refuseUnknown(
  { bioImages }: ImageNeeds,
  accountId: string,
  images: readonly { readonly field: string; readonly url: string; readonly path: string | undefined }[],
): Promise<void> {
  const hostedImages = images.flatMap(({ field, path }) =>
    path === undefined ? [] : [{ field, id: hostedImageId(path) ?? "" }],
  );
  const owned = await bioImages.owned(
    accountId,
    hostedImages.map(({ id }) => id),
  );
  const unknown = hostedImages.find(({ id }) => !owned.has(id));
  if (unknown) throw new ServiceError("invalidRequest", `\`${unknown.field}\`: the account has no such image.`);
  const insecure = images.find(
    ({ url, path }) => path === undefined && hostedImagePath(url) !== undefined && !/^https:/i.test(url),
  );
  if (insecure) throw new ServiceError("invalidRequest", `\`${insecure.field}\`: must be an https URL of an image.`);
}

async function host(
  needs: ImageNeeds,
  accountId: string,
  { url, field, signal }: { readonly url: string; readonly field: string; readonly signal: AbortSignal },
): Promise<string> {
  try {
    const bytes = await needs.images.fetch(url, signal);
    return await keepImage(needs, accountId, await needs.images.draw(accountId, bytes));
  } catch (error) {
    if (signal.aborted) throw new ServiceError("invalidRequest", `\`${field}\`: the image took too long to arrive.`);
    if (!(error instanceof ServiceError) || error.code !== "invalidRequest") throw error;
    throw new ServiceError("invalidRequest", `\`${field}\`: ${error.message}`, { cause: error });
  }
}

/** Stores an image and returns its URL at the service. Throws `invalidRequest` when the account has too many. */
async function keepImage({ bioImages, clock }: ImageNeeds, accountId: string, image: DrawnImage): Promise<string> {
  const id = await bioImages.keep(accountId, image, clock.now());
  if (id === undefined)
    throw new ServiceError(
      "invalidRequest",
      `the account has ${bioLimits.images} images. Those that its page does not show are deleted after 30 days.`,
    );
  return `/media/images/${id}.webp`;
}

/** The path of an image of this very service; `undefined` for one of another. */
export function ownImagePath(url: string, baseUrl: string): string | undefined {
  const path = hostedImagePath(url);
  return path !== undefined && (url === path || url === `${baseUrl}${path}`) ? path : undefined;
}

/** Keeps the bytes of a file, or the image at an https URL, or a part of it, for an account whose page stays as it is. Throws `invalidRequest`. */
export type UploadBioImage = (
  accountId: string,
  image: { readonly from: Uint8Array | { readonly url: string }; readonly crop: Crop | undefined },
) => Promise<{ readonly url: string; readonly width: number; readonly height: number }>;

const longestUploadMilliseconds = 20_000;

export const uploadBioImage =
  (needs: ImageNeeds): UploadBioImage =>
  async (accountId, { from, crop }) => {
    const bytes =
      from instanceof Uint8Array
        ? from
        : await needs.images.fetch(from.url, AbortSignal.timeout(longestUploadMilliseconds));
    const image = await needs.images.draw(accountId, bytes, crop);
    const path = await keepImage(needs, accountId, image);
    return { url: `${needs.baseUrl()}${path}`, width: image.width, height: image.height };
  };

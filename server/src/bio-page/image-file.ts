import { hostedImagePath } from "@reelscript/contract";

/** Forms of an image: `.webp` and `.jpg` are large, the others at most 640 pixels wide and high. */
type Form = ".webp" | ".jpg" | "-small.webp" | "-small.jpg";

/**
 * The path of an image in one of its forms, in letters that have no meaning in HTML or CSS; null if the service doesn't store
 * the image, because a page must not lead its visitors' browsers to other sites.
 */
export function imageFile(url: string | null, form: Form): string | null {
  const path = url === null ? undefined : hostedImagePath(url);
  return path === undefined ? null : path.replace(/\.webp$/, form);
}

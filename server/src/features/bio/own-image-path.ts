import { hostedImagePath } from "@reelscript/contract";

/** The path of an image of this very service; `undefined` for one of another. */
export function ownImagePath(url: string, baseUrl: string): string | undefined {
  const path = hostedImagePath(url);
  return path !== undefined && (url === path || url === `${baseUrl}${path}`) ? path : undefined;
}

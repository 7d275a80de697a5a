import { withImages, type BioContent, type BioPage } from "@reelscript/contract";
import type { StoredBioPage } from "../ports.ts";

/** A page as callers see it; it is at `@handle` under the service's address. */
export const describeBioPage = (
  { handle, content, revision, updatedAt, takenDownAt }: StoredBioPage,
  baseUrl: string,
): BioPage => ({
  handle,
  url: handle === null ? null : `${baseUrl}/@${handle}`,
  ...describeBioContent(content, baseUrl),
  revision,
  updatedAt: updatedAt?.toISOString() ?? null,
  takenDownAt: takenDownAt?.toISOString() ?? null,
});

/** Its images have the service's address, which may change, only where callers see them. */
export const describeBioContent = (content: BioContent, baseUrl: string): BioContent =>
  withImages(content, (url) => (url.startsWith("/") ? `${baseUrl}${url}` : url));

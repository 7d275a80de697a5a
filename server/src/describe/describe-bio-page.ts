import { withImages, type BioContent } from "@reelscript/contract";
import type { StoredBioPage } from "../ports.ts";

/** A page as callers see it; it is at `@handle` under the service's address. */
export const describeBioPage = ({ content, ...page }: StoredBioPage, baseUrl: string) => ({
  ...page,
  url: page.handle === null ? null : `${baseUrl}/@${page.handle}`,
  ...describeBioContent(content, baseUrl),
});

/** The service's address may change, so images get it only in what callers see. */
export const describeBioContent = (content: BioContent, baseUrl: string): BioContent =>
  withImages(content, (url) => (url.startsWith("/") ? `${baseUrl}${url}` : url));

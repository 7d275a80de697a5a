import type { BioPage } from "@reelscript/contract";
import type { StoredBioPage } from "../../ports.ts";

/** A page as callers see it; it stands at `@handle` under the service's address. */
export const describePage = ({ handle, content, revision, updatedAt }: StoredBioPage, baseUrl: string): BioPage => ({
  handle,
  url: handle === null ? null : `${baseUrl}/@${handle}`,
  ...content,
  revision,
  updatedAt: updatedAt?.toISOString() ?? null,
});

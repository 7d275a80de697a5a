import type { RenderedPage } from "./page-document.ts";

/**
 * The page of an account as it would look after a merge patch as `updateBioPage` takes it, or as it is. Writes nothing. Throws
 * what `updateBioPage` would.
 */
export type PreviewBioPage = (accountId: string, patch: unknown, where: "frame" | "tab") => Promise<RenderedPage>;

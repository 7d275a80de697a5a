import { operations, withImages } from "@reelscript/contract";
import { renderBioPage } from "../../bio-page/render-bio-page.ts";
import type { RenderedPage } from "../../bio-page/page-document.ts";
import type { BioPages, Clock } from "../../ports.ts";
import { readInput } from "../../run/schemas.ts";
import { applyPatch } from "./apply-patch.ts";
import { ownImagePath } from "./host-images.ts";

const Patch = operations.updateBioPage.input.omit({ ifRevision: true, dryRun: true });

/**
 * The page of an account as it is, or as it would look after a patch in the form of `updateBioPage`. Throws what
 * `updateBioPage` would.
 */
export type PreviewBioPage = (accountId: string, patch: unknown, where: "frame" | "tab") => Promise<RenderedPage>;

interface PreviewNeeds {
  readonly bioPages: BioPages;
  readonly clock: Clock;
  /** The service's address, as users see it. */
  readonly baseUrl: () => string;
  /** Address for reports of bio pages. */
  readonly abuseContact?: string | undefined;
}

export const previewBioPage =
  ({ bioPages, clock, baseUrl, abuseContact }: PreviewNeeds): PreviewBioPage =>
  async (accountId, patch, where) => {
    const change = patch === undefined ? undefined : readInput(Patch, patch);
    const { content: stored, handle } = await bioPages.read(accountId);
    const drafted = change === undefined ? stored : applyPatch(stored, change, () => "lnk_new");
    const content = withImages(drafted, (url) => ownImagePath(url, baseUrl()) ?? url);
    const page = { content, handle, baseUrl: baseUrl(), abuseContact, now: clock.now() };
    return renderBioPage(page, where === "tab" ? "draft" : "preview");
  };

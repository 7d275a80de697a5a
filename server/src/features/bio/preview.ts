import { operations } from "@reelscript/contract";
import { renderPreview, type RenderedPage } from "../../bio-page/render-bio-page.ts";
import type { BioPages, Clock } from "../../ports.ts";
import { readInput } from "../../read-input.ts";
import { applyPatch } from "./apply-patch.ts";

const Patch = operations.updateBioPage.input.omit({ ifRevision: true, dryRun: true });

/**
 * The page of an account as it would look after a merge patch as `updateBioPage` takes it, or as it is. Writes nothing. Throws
 * what `updateBioPage` would.
 */
export type PreviewBioPage = (accountId: string, patch: unknown) => Promise<RenderedPage>;

export const preview =
  ({
    bioPages,
    clock,
    baseUrl,
  }: {
    readonly bioPages: Pick<BioPages, "read">;
    readonly clock: Clock;
    readonly baseUrl: () => string;
  }): PreviewBioPage =>
  async (accountId, patch) => {
    const wanted = patch === undefined ? undefined : readInput(Patch, patch);
    const { content: stored, handle } = await bioPages.read(accountId);
    const content = wanted === undefined ? stored : applyPatch(stored, wanted, () => "lnk_new");
    return renderPreview({ content, handle, baseUrl: baseUrl(), now: clock.now() });
  };

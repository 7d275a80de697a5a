import { operations, withImages } from "@reelscript/contract";
import { renderDraft, renderPreview } from "../../bio-page/render-bio-page.ts";
import type { PreviewBioPage } from "../../bio-page/preview-bio-page.ts";
import type { BioPages, Clock } from "../../ports.ts";
import { readInput } from "../../run/read-input.ts";
import { applyPatch } from "./apply-patch.ts";
import { ownImagePath } from "./host-images.ts";

const Patch = operations.updateBioPage.input.omit({ ifRevision: true, dryRun: true });

export const previewBioPage =
  ({
    bioPages,
    clock,
    baseUrl,
    abuseContact,
  }: {
    readonly bioPages: Pick<BioPages, "read">;
    readonly clock: Clock;
    readonly baseUrl: () => string;
    readonly abuseContact: string | undefined;
  }): PreviewBioPage =>
  async (accountId, patch, where) => {
    const wanted = patch === undefined ? undefined : readInput(Patch, patch);
    const { content: stored, handle } = await bioPages.read(accountId);
    const drafted = wanted === undefined ? stored : applyPatch(stored, wanted, () => "lnk_new");
    const content = withImages(drafted, (url) => ownImagePath(url, baseUrl()) ?? url);
    const render = where === "tab" ? renderDraft : renderPreview;
    return render({ content, handle, baseUrl: baseUrl(), abuseContact, now: clock.now() });
  };

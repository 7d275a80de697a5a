import type { BioContent } from "@reelscript/contract";
import { patchOf } from "./patch-of.ts";
import { previewContent } from "./preview-content.ts";

/** What the preview is asked for, as JSON: how the draft differs from the page that the service has. */
export const previewPatch = (draft: BioContent, published: BioContent, stored = published): string =>
  JSON.stringify(patchOf(stored, previewContent(draft, published)));

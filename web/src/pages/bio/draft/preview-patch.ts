import type { BioContent } from "@reelscript/contract";
import { patchOf } from "./patch-of.ts";
import { previewContent } from "./preview-content.ts";

/** What the preview is asked for, as JSON. */
export const previewPatch = (draft: BioContent, published: BioContent): string =>
  JSON.stringify(patchOf(published, previewContent(draft, published)));

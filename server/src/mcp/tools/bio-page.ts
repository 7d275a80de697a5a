import { BioAnalytics, type BioUpdateInput } from "@reelscript/contract";
import type * as z from "zod";
import type { OutputOf, ToolShape } from "./tool-shape.ts";

const nullsOfPage = {
  handle: "not claimed yet; update_bio_page claims the first one",
  url: "no public address yet",
  updatedAt: "never changed",
};

export const getMyBioPage: ToolShape<OutputOf<"getMyBioPage">> = {
  call: () => ({ operation: "getMyBioPage", input: { revisions: true } }),
  nulls: nullsOfPage,
};

type UpdateInput = z.output<typeof BioUpdateInput>;

export const updateBioPage: ToolShape<OutputOf<"updateBioPage">, UpdateInput> = {
  call: ({ clear, restoreRevision, ...patch }) =>
    restoreRevision === undefined
      ? { operation: "updateBioPage", input: mergePatch(patch, clear) }
      : { operation: "revertBioPage", input: { ...patch, revision: restoreRevision } },
  nulls: { ...nullsOfPage, "changes.before": "nothing", "changes.after": "nothing" },
};

/** The operation takes a merge patch, in which null clears a field. */
function mergePatch(
  patch: Omit<UpdateInput, "clear" | "restoreRevision">,
  clear: UpdateInput["clear"],
): Record<string, unknown> {
  const cleared: Record<string, unknown> = { ...patch };
  for (const path of clear.toSorted()) {
    const [field = "", part] = path.split(".");
    if (part === undefined) cleared[field] = null;
    else if (cleared[field] !== null) cleared[field] = { ...(cleared[field] as object | undefined), [part]: null };
  }
  return cleared;
}

type Figures = Omit<OutputOf<"getBioAnalytics">, "definitions">;

export const getBioAnalytics: ToolShape<OutputOf<"getBioAnalytics">, { readonly days: number }, Figures> = {
  answer: {
    schema: BioAnalytics.omit({ definitions: true }),
    from(output) {
      const { definitions: _, ...figures } = output;
      return {
        ...figures,
        series: figures.series.filter(({ views, clicks }) => views + clicks > 0),
        devices: figures.devices.filter(({ views }) => views > 0),
      };
    },
  },
  nulls: {
    countedSince: "no page yet",
    countries: "not available here",
    "countries.country": "not available",
    "referrers.host": "not available",
  },
};

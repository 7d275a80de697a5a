import * as z from "zod";

/** Where a list goes on. */
export const Cursor = z.string().min(1).max(200).meta({
  description:
    "`nextCursor` of the answer before, to go on behind it; everything else but `limit` must be as it was there.",
});

/** Stands in the answer of a list that has more. */
export const NextCursor = z
  .string()
  .optional()
  .meta({ description: "Pass as `cursor` to go on behind the last one here. Absent when there are no more." });

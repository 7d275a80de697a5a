import * as z from "zod";

/** The position at which a list continues. */
export const Cursor = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[\w-]+$/, { error: "must be the `nextCursor` of a response" })
  .meta({
    description: "The `nextCursor` of the previous page. Every other parameter except `limit` must be the same.",
  });

/** Present in an answer if the list has more. */
export const NextCursor = z
  .string()
  .optional()
  .meta({ description: "Value of `cursor` for the next page; absent on the last page." });

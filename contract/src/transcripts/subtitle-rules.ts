import * as z from "zod";

export const MaxLineLength = z
  .int()
  .min(20)
  .max(80)
  .meta({ description: "Letters in a subtitle's line; words aren't cut. Wide letters count as 2.6." });

export const MaxLines = z.int().min(1).max(2).meta({ description: "Lines of a subtitle." });

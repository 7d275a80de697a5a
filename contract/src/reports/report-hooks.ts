import * as z from "zod";
import { operation } from "../operation.ts";

/** Characters of a hook; what is longer ends in an ellipsis. */
export const longestHook = 240;

export const listReportHooks = operation({
  summary: "List the hooks of a competitor report",
  description:
    "How the top reels of a report begin, of those whose script is in the library: the first sentence that is said.",
  tag: "Reports",
  access: "session",
  http: { method: "GET", path: "/competitor-reports/{id}/hooks" },
  input: z.object({ id: z.string().min(1).max(128) }),
  output: z.object({
    hooks: z
      .array(
        z.object({
          url: z.string().meta({ description: "The reel, as the report names it." }),
          scriptId: z.string(),
          language: z.string(),
          text: z.string().meta({ description: `At most ${longestHook} characters.` }),
        }),
      )
      .meta({ description: "In the order of the top reels." }),
    inLibrary: z
      .int()
      .min(0)
      .meta({ description: "Top reels whose script is in the library, also where nothing is said." }),
  }),
  errors: ["notFound"],
  example: { id: "rep_4Tz8Qm1Lw0XcVb7K" },
});

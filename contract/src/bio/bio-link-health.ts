import * as z from "zod";
import { operation } from "../operation.ts";

export const getBioLinkHealth = operation({
  summary: "Get the bio page's broken links",
  description:
    "Links that led nowhere at every look for a day or longer. The links of public pages are looked at once a day.",
  tag: "Bio page",
  access: "session",
  http: { method: "GET", path: "/bio/link-health" },
  input: z.object({}),
  output: z.object({
    failing: z.array(
      z.object({
        id: z.string(),
        url: z.string().meta({ description: "As it was when it was looked at." }),
        problem: z
          .enum(["gone", "unresolved"])
          .meta({ description: "gone: the site answers 404 or 410; unresolved: the site doesn't exist." }),
        since: z.iso.datetime().meta({ description: "The first of the looks in a row that failed." }),
      }),
    ),
  }),
  errors: [],
  example: {},
});

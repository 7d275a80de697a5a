import * as z from "zod";
import { Cursor } from "../cursor.ts";
import { operation } from "../operation.ts";

const most = 1_000;

export const listScriptReels = operation({
  summary: "List the reels of the library",
  description:
    "Which reels are in the library, in the order in which they were added, so that a program can keep up: `cursor` is where newer ones follow, also when there are none yet. `total` is the whole library now: when it differs from the number of scripts read so far, some were deleted: read the list again from the start.",
  tag: "Library",
  access: "session",
  http: { method: "GET", path: "/script-reels" },
  input: z.object({ cursor: Cursor.optional(), limit: z.int().min(1).max(most).default(most) }),
  output: z.object({
    scripts: z.array(z.object({ id: z.string(), reelUrl: z.string() })),
    cursor: z.string().meta({ description: "Where to go on, now or later." }),
    more: z.boolean().meta({ description: "Whether there are more already." }),
    total: z.int().min(0).meta({ description: "Scripts in the library." }),
  }),
  errors: [],
  example: {},
});

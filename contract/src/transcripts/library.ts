import * as z from "zod";
import { operation } from "../operation.ts";

export const listScriptAccounts = operation({
  summary: "List the accounts of the library",
  description: "The handles whose reels are in the library, most scripts first, and how many scripts there are in all.",
  tag: "Library",
  access: "session",
  http: { method: "GET", path: "/scripts/accounts" },
  input: z.object({}),
  output: z.object({
    accounts: z.array(z.object({ handle: z.string(), scripts: z.int().min(1) })),
    total: z.int().min(0).meta({ description: "Scripts of reels without a known account among them." }),
  }),
  errors: [],
  example: {},
});

export const deleteScript = operation({
  summary: "Delete a script",
  description: "Takes it out of the library. Transcribe the reel again to restore it for free.",
  tag: "Library",
  access: "session",
  http: { method: "DELETE", path: "/scripts/{id}" },
  input: z.object({ id: z.string().min(1).max(128) }),
  output: z.object({ id: z.string() }),
  errors: ["notFound"],
  example: { id: "scr_4Tz8Qm1Lw0XcVb7K" },
});

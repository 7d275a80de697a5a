import * as z from "zod";
import { onOne, operation } from "../operation.ts";
import { shareLinksPerAccount } from "../values/plans.ts";

export const ShareLink = z.object({
  id: z.string(),
  url: z
    .url()
    .meta({ description: "Address of the script; anyone who has it can read the script without an account." }),
  scriptId: z.string(),
  account: z.string().optional().meta({ description: "Handle of the reel's account, without @." }),
  beginning: z.string().meta({ description: "The first words of the script." }),
  language: z.string(),
  createdAt: z.iso.datetime(),
});

const common = { section: "Library", access: "session" } as const;

export const listShareLinks = operation({
  ...common,
  summary: "List the share links",
  description: "Your shared scripts, newest link first.",
  http: { method: "GET", path: "/share-links" },
  output: z.object({ links: z.array(ShareLink), limit: z.int() }),
});

export const createShareLink = operation({
  ...common,
  ...onOne("scr"),
  summary: "Share a script",
  description: `Creates a link to the script, or returns the existing one. At most ${shareLinksPerAccount} scripts can be shared.`,
  http: { method: "POST", path: "/scripts/{id}/share-link" },
  output: z.object({ link: ShareLink }),
  errors: ["notFound", "limitReached"],
  reasons: ["shareLinksUsed"],
});

export const revokeShareLink = operation({
  ...common,
  ...onOne("shr"),
  summary: "Revoke a share link",
  description: "The link stops working immediately. Sharing the script again creates another link.",
  http: { method: "DELETE", path: "/share-links/{id}" },
});

import * as z from "zod";
import { operation } from "../operation.ts";
import { bioHandleLimits } from "../values/limits.ts";
import { BioContent, bioPatchFields } from "./bio-content.ts";
import { BioHandle } from "./bio-handle.ts";

/** Number of revisions that a page lists. */
export const listedBioRevisions = 10;

const BioRevision = z.object({
  revision: z.int(),
  changedAt: z.iso.datetime().optional(),
  changed: z.array(z.string()).meta({ description: "Parts that changed, such as `links[3].url`." }),
});

export const BioPage = z
  .object({
    handle: z.string().nullable().meta({ description: "The page's name in its address; null before it is claimed." }),
    url: z.url().nullable().meta({ description: "Address of the page; null before a handle is claimed." }),
    ...BioContent.shape,
    revision: z
      .int()
      .min(0)
      .meta({ description: "Revision of the page, which increases with each change; 0 before the first change." }),
    updatedAt: z.iso.datetime().nullable().meta({ description: "Time of the last change; null before the first." }),
    takenDownAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: "Time at which the operator took the page down; null if it's up." }),
    revisions: z
      .array(BioRevision)
      .optional()
      .meta({ description: `Last ${listedBioRevisions} revisions, newest first; only with \`revisions=true\`.` }),
  })
  .meta({ id: "BioPage" });
export type BioPage = z.infer<typeof BioPage>;

const BioChange = z.object({
  path: z.string().meta({ description: "Path of the change, such as `links[3].url`." }),
  before: z.unknown().meta({ description: "Value before the change; null where there was none." }),
  after: z.unknown().meta({ description: "Value after the change; null where nothing is left." }),
});
export type BioChange = z.infer<typeof BioChange>;

const ChangedBioPage = z
  .object({
    ...BioPage.shape,
    dryRun: z.boolean().meta({ description: "True if nothing was changed; `revision` is then the current one." }),
    changes: z.array(BioChange).meta({ description: "Every part that changed, or would change." }),
  })
  .meta({ id: "ChangedBioPage" });

/** Number of revisions that can be restored, including the current one. */
export const keptBioRevisions = 50;

const ifRevision = z.int().min(0).optional().meta({
  description: "Makes the change only if this is still the current revision.",
});
const dryRun = z.boolean().default(false).meta({
  description: "Returns the result without saving it. New links get other ids when saved.",
});

const firstHandle = BioHandle.optional().meta({
  description: "Claims this handle for a page without one. Only a person changes it.",
});

/** Fields that a tool may clear by name, because null means absent there. */
const clearableFields = [
  ...(["displayName", "bio", "avatarUrl", "links", "socials", "seo", "theme"] as const),
  ...(["seo.title", "seo.description", "seo.imageUrl"] as const),
  ...(["theme.background", "theme.button", "theme.colors", "theme.font"] as const),
] as const;

/** The input of the tool that changes the page: null is absent there, so `clear` names what to empty. */
export const BioUpdateInput = z
  .strictObject({
    ...bioPatchFields,
    handle: firstHandle,
    clear: z
      .array(z.enum(clearableFields))
      .max(clearableFields.length)
      .default([])
      .meta({ description: "Fields to empty or set to their default." }),
    restoreRevision: z
      .int()
      .min(0)
      .optional()
      .meta({
        description: `Restores this revision as a new one; revision - 1 undoes the last change. The last ${keptBioRevisions} are kept. Allows ifRevision and dryRun only.`,
      }),
    ifRevision,
    dryRun,
  })
  .superRefine((input, context) => {
    const { clear, restoreRevision, ifRevision: _, dryRun: __, ...patch } = input;
    const fields = Object.keys(patch);
    if (restoreRevision !== undefined && fields.length + clear.length > 0)
      context.addIssue({ code: "custom", path: ["restoreRevision"], message: "goes with ifRevision and dryRun only" });
    for (const [index, path] of clear.entries()) {
      const [field = "", part] = path.split(".");
      const set = (patch as Readonly<Record<string, object | undefined>>)[field];
      if (part === undefined ? set !== undefined : Object.hasOwn(set ?? {}, part))
        context.addIssue({ code: "custom", path: ["clear", index], message: `\`${path}\` is set in the same call` });
    }
  });

const examplePage = {
  handle: "ana.coffee",
  url: "https://reelscript.example/@ana.coffee",
  displayName: "Ana Souza",
  bio: "Coffee in under a minute.",
  links: [{ id: "lnk_7Hq2", title: "Newsletter", url: "https://example.com/newsletter" }],
  revision: 17,
  updatedAt: "2026-11-20T10:00:00.000Z",
  takenDownAt: null,
};

const exampleChange = {
  ...examplePage,
  dryRun: false,
  changes: [{ path: "bio", before: "Coffee.", after: "Coffee in under a minute." }],
};
const change = {
  access: "key",
  bucket: "bioWrite",
  output: ChangedBioPage,
  exampleOutput: exampleChange,
  reasons: ["staleRevision"],
  section: "Bio page",
} as const;
const changeOverHttp = {
  query: ["dryRun"],
  entityTag: { output: "revision", ifMatch: "ifRevision" },
} as const;

export const getMyBioPage = operation({
  summary: "Get the bio page",
  description: "Returns your link-in-bio page. Before the first change it is empty, with revision 0.",
  section: "Bio page",
  access: "key",
  http: { method: "GET", path: "/bio", entityTag: { output: "revision" } },
  tools: [
    {
      name: "get_my_bio_page",
      title: "Get my bio page",
      description:
        "Returns the link-in-bio page: name, bio, links with their ids, socials, search settings, theme, and the last revisions with what changed (needs an API key).\nUse this tool when you need to:\n- see what the bio page says before changing it\n- find the id of a link, or the revision to go back to\nCosts nothing.",
      input: z.strictObject({}),
      openWorld: false,
    },
  ],
  input: z.object({ revisions: z.boolean().default(false).meta({ description: "Lists the last revisions." }) }),
  output: BioPage,
  exampleOutput: examplePage,
});

export const updateBioPage = operation({
  ...change,
  summary: "Change the bio page",
  description: [
    "Takes a JSON merge patch: objects merge, arrays replace the whole list, null clears. What is left out stays.",
    `The last ${keptBioRevisions} revisions are kept.`,
  ].join("\n\n"),
  http: { method: "PATCH", path: "/bio", ...changeOverHttp },
  tools: [
    {
      name: "update_bio_page",
      title: "Update my bio page",
      description: `Changes the link-in-bio page (needs an API key).\nUse this tool when you need to:\n- change the name, bio, links, socials, search settings or theme, or claim a handle\n- undo a change, or restore a removed link with its clicks\n- see first what a change would do, with dryRun\nWhat is left out or null stays; clear empties fields. links and socials replace the whole list: read the page first and repeat what stays, links with their ids. Links are http, https, mailto, tel or sms; colors are hex. At most 20 calls per hour.`,
      input: BioUpdateInput,
      destructive: true,
      openWorld: false,
    },
  ],
  input: z.strictObject({ ...bioPatchFields, handle: firstHandle, ifRevision, dryRun }),
  example: {
    displayName: "Ana Souza",
    bio: "Coffee in under a minute.",
    links: [
      { type: "header", title: "New" },
      { title: "Newsletter", url: "https://example.com/newsletter", highlighted: true },
    ],
    socials: [{ platform: "instagram", url: "https://www.instagram.com/ana.coffee/", handle: "ana.coffee" }],
    theme: { preset: "warm", colors: { button: "#7a4a21" } },
  },
});

export const revertBioPage = operation({
  ...change,
  summary: "Restore a bio page",
  description: `Restores a former revision's content as a new revision. Revision 0 is the empty page. Links keep ids and clicks.`,
  http: { method: "POST", path: "/bio/revert", ...changeOverHttp },
  input: z.strictObject({
    revision: z.int().min(0).meta({ description: "The revision to restore." }),
    ifRevision,
    dryRun,
  }),
  errors: ["notFound"],
  example: { revision: 0 },
});

export const getBioLinkHealth = operation({
  summary: "Get the bio page's broken links",
  description: "Links that failed every check for a day or longer. We check the links of public pages once a day.",
  section: "Bio page",
  access: "session",
  http: { method: "GET", path: "/bio/link-health" },
  output: z.object({
    failing: z.array(
      z.object({
        id: z.string(),
        url: z.string().meta({ description: "The URL at the time of the check." }),
        problem: z.enum(["gone", "unresolved"]).meta({
          description:
            "Problem of the link: `gone` if the site answers 404 or 410, `unresolved` if the site doesn't exist.",
        }),
        since: z.iso.datetime().meta({ description: "The first failed check in a row." }),
      }),
    ),
  }),
});

/** The places in a page, or in a patch of it, that contain image addresses. */
interface ImagePlaces {
  readonly avatarUrl?: string | null | undefined;
  readonly links?: readonly { readonly thumbnailUrl?: string | null | undefined }[] | null | undefined;
  readonly seo?: { readonly imageUrl?: string | null | undefined } | null | undefined;
  readonly theme?:
    | { readonly background?: { readonly type?: string; readonly value?: string } | null | undefined }
    | null
    | undefined;
}

/**
 * Returns the page with other image addresses; `change` gets each address and its field, such as `links[3].thumbnailUrl`,
 * and returns null to drop it.
 */
export function withImages<Page extends ImagePlaces>(
  page: Page,
  change: (url: string, field: string) => string | null,
): Page {
  const { avatarUrl, links, seo, theme } = page;
  const background = theme?.background;
  // A patch can leave the type out.
  const { type = /^(?:https?:|\/)/i.test(background?.value ?? "") ? "image" : "color" } = background ?? {};
  return {
    ...page,
    ...(avatarUrl && { avatarUrl: change(avatarUrl, "avatarUrl") }),
    ...(links && {
      links: links.map((link, index) =>
        link.thumbnailUrl ? { ...link, thumbnailUrl: change(link.thumbnailUrl, `links[${index}].thumbnailUrl`) } : link,
      ),
    }),
    ...(seo?.imageUrl && { seo: { ...seo, imageUrl: change(seo.imageUrl, "seo.imageUrl") } }),
    ...(type === "image" &&
      background?.value && {
        theme: { ...theme, background: backgroundOf(background, change(background.value, "theme.background.value")) },
      }),
  };
}

const backgroundOf = <Background extends object>(background: Background, value: string | null) =>
  value === null ? null : { ...background, value };

export const checkBioHandle = operation({
  summary: "Check whether a handle is free",
  description: "Says whether the account could claim the handle now. Claiming decides.",
  section: "Bio page",
  access: "session",
  http: { method: "GET", path: "/bio/handle" },
  input: z.strictObject({ handle: BioHandle.meta({ description: "Handle without @." }) }),
  output: z.object({
    handle: z.string(),
    state: z.enum(["free", "yours", "taken", "reserved"]).meta({
      description:
        "State of the handle; `yours` is the account's current handle, or a former one that it can take back.",
    }),
  }),
  example: { handle: "ana.coffee" },
});

export const claimBioHandle = operation({
  summary: "Claim the handle of the bio page",
  description: `Gives the bio page the address \`/@handle\`, another one, or with null none. A handle belongs to one account. The former one redirects to the new one for ${bioHandleLimits.keptDays} days, and only this account can take it back.`,
  section: "Bio page",
  access: "session",
  http: { method: "POST", path: "/bio/handle" },
  bucket: "bioWrite",
  input: z.strictObject({
    handle: BioHandle.nullable().meta({ description: "Handle without @; null releases the current one." }),
  }),
  output: BioPage,
  example: { handle: "ana.coffee" },
});

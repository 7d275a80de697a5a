import * as z from "zod";
import { operation } from "./operation.ts";

/** Categories of guides, with their descriptions. */
export const guideCategories = {
  making: "What is said and shown in a reel, and who can follow it.",
  publishing: "When a reel goes out, and what becomes of it afterward.",
  measuring: "What numbers tell, and what they do not.",
  library: "Getting much out of transcripts and searches.",
  "bio-page": "The page your profile links to.",
  agents: "Programs and AI agents that use the service.",
} as const;

type GuideCategory = keyof typeof guideCategories;

export const GuideCategory = z
  .enum(Object.keys(guideCategories) as [GuideCategory, ...GuideCategory[]])
  .meta({ description: "Category of the guide." });

const GuideSlug = z
  .string()
  .max(80)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: "must be a guide's slug, such as write-a-hook" })
  .meta({ description: "The guide's name in its URL.", examples: ["write-a-hook"] });

const summaryFields = {
  slug: GuideSlug,
  title: z.string(),
  summary: z.string(),
  category: GuideCategory,
  tags: z.array(z.string()),
  language: z.literal("en").meta({ description: "BCP-47 code of the language it is written in." }),
  readingMinutes: z.int().min(1),
  updatedAt: z.iso.datetime().meta({ description: "Time of the last change." }),
  url: z
    .url()
    .meta({ description: "Address of the full guide, which needs no key; `Accept: text/markdown` gives its text." }),
  related: z.array(GuideSlug).meta({ description: "Slugs of guides to read next." }),
  sections: z
    .array(z.object({ id: z.string(), title: z.string() }).meta({ id: "GuideSection" }))
    .meta({ description: "Headings of the guide, in order." }),
};

const BodyMarkdown = z
  .string()
  .meta({ description: "The guide in Markdown; links to others are relative to its `url`." });

const GuideSummary = z.object({ ...summaryFields, bodyMarkdown: BodyMarkdown.optional() }).meta({ id: "GuideSummary" });

export const Guide = z.object({ ...summaryFields, bodyMarkdown: BodyMarkdown }).meta({ id: "Guide" });
export type Guide = z.infer<typeof Guide>;

const Query = z
  .string()
  .max(200)
  .meta({
    description: "Words of the topic; the last may be unfinished. Omit to list all.",
    examples: ["hook"],
  });

const listing = {
  category: GuideCategory.optional(),
  limit: z.int().min(1).max(50).default(20),
  body: z.boolean().default(false).meta({ description: "Adds the full text of each guide." }),
};

const exampleGuide = {
  slug: "write-a-hook",
  title: "Write a hook that holds",
  summary: "What the first sentence of a reel has to do.",
  category: "making",
  tags: ["hooks"],
  language: "en",
  readingMinutes: 4,
  updatedAt: "2026-11-01T00:00:00.000Z",
  url: "https://reelscript.example/api/v1/guides/write-a-hook",
  related: ["write-a-caption"],
  sections: [{ id: "first-sentence", title: "The first sentence" }],
} satisfies z.input<typeof GuideSummary>;

/** Guides change with a release of the service. */
const cacheSeconds = 3_600;

export const listGuides = operation({
  summary: "List and search the guides",
  description: "Guides about reels and this service: with a query the best match first, otherwise the newest.",
  section: "Guides",
  access: "public",
  http: { method: "GET", path: "/guides", cacheSeconds },
  tools: [
    {
      name: "find_guide",
      title: "Find a guide",
      description:
        "Searches the guides about growing with reels (hooks, captions, posting times, bio pages, reading numbers) and about using this service. Works without an API key.\nUse this tool when you need to:\n- advise on making, publishing or measuring reels\n- use a feature of this service well\nReturns titles and summaries, best match first, or without a query all titles; narrow with query, category or limit before body: true. Costs nothing.",
      input: z.strictObject({ query: Query.min(1).optional(), ...listing }),
      openWorld: false,
    },
  ],
  input: z.object({ query: Query.optional(), ...listing }),
  output: z
    .object({
      guides: z.array(GuideSummary),
      total: z.int().min(0).meta({ description: "The count of all matches." }),
    })
    .meta({ id: "GuideList" }),
  example: { query: "hook", limit: 3 },
  exampleOutput: { guides: [exampleGuide], total: 3 },
});

export const getGuide = operation({
  summary: "Read a guide",
  description: "One guide with its text, as JSON or, with `Accept: text/markdown`, as Markdown.",
  section: "Guides",
  access: "public",
  http: {
    method: "GET",
    path: "/guides/{slug}",
    cacheSeconds,
    text: { type: "text/markdown", field: "bodyMarkdown" },
  },
  input: z.object({ slug: GuideSlug }),
  output: Guide,
  errors: ["notFound"],
  example: { slug: exampleGuide.slug },
  exampleOutput: { ...exampleGuide, bodyMarkdown: "# Write a hook that holds\n\nThe first sentence decides …" },
});

import * as z from "zod";
import { languageCodes, type Language, recognitionQualities, type RecognitionQuality } from "./values/languages.ts";
import { operation } from "./operation.ts";
import { PlanName } from "./account/usage.ts";

const Feature = z.object({
  title: z.string(),
  description: z.string(),
  status: z
    .enum(["available", "coming"])
    .meta({ description: "Availability; `coming` is not available yet, so don't offer it." }),
});

/** Both depend on settings, which change only with a restart of the service. */
const cacheSeconds = 300;

const ProductOverview = z
  .object({
    name: z.string(),
    description: z.string(),
    features: z.array(Feature),
    languages: z
      .array(
        z.object({
          code: z.enum(languageCodes as [Language, ...Language[]]),
          name: z.string(),
          quality: z.enum(Object.keys(recognitionQualities) as [RecognitionQuality, ...RecognitionQuality[]]),
          meaning: z.string().meta({ description: "The quality in words." }),
          wordErrorPercent: z.number().optional().meta({
            description: "Wrong words per hundred; absent if unmeasured.",
          }),
          recordings: z.int().optional().meta({
            description: "Number of recordings in the measurement; below 20 it isn't reliable.",
          }),
        }),
      )
      .meta({ description: "Quality of the running model for each language." }),
    reelUrls: z.array(z.string()).meta({ description: "Examples of supported reel URLs." }),
    model: z.string().meta({ description: "The speech recognition model in use." }),
    howItWorks: z.object({
      transcripts: z.string(),
      cost: z.string(),
      extension: z.string(),
      bioPage: z.string(),
      apiKeys: z.string(),
    }),
    links: z.object({
      rest: z.url(),
      openApi: z.url(),
      mcp: z.url(),
      dashboard: z.url(),
      guides: z.url(),
      plans: z.url(),
    }),
  })
  .meta({ id: "ProductOverview" });

export const getProductOverview = operation({
  summary: "Get an overview of the product",
  description:
    "Returns what the service does, how well the running model reads each language, and the addresses of REST, MCP and guides.",
  section: "Product",
  access: "public",
  http: { method: "GET", path: "/overview", cacheSeconds },
  tools: [
    {
      name: "get_product_overview",
      title: "Get the product overview",
      description:
        "Describes what Reelscript does, how the browser extension and bio pages work, which languages the running model reads well, and where to find REST, MCP and guides. Works without an API key.\nUse this tool when you need to:\n- explain the service, or find out whether it fits a task\n- know how well a language is transcribed before spending quota\nCosts nothing.",
      openWorld: false,
    },
  ],
  output: ProductOverview,
  exampleOutput: {
    name: "Reelscript",
    description: "Turns the speech of reels into text.",
    features: [{ title: "Transcripts", description: "Speech as text.", status: "available" }],
    languages: [
      {
        code: "en",
        name: "English",
        quality: "good",
        meaning: "few words wrong",
        wordErrorPercent: 7.1,
        recordings: 25,
      },
    ],
    reelUrls: ["https://www.instagram.com/reel/{code}/"],
    model: "whisper-base",
    howItWorks: {
      transcripts: "Send a URL.",
      cost: "Cached: free.",
      extension: "Makes reports.",
      bioPage: "Has links.",
      apiKeys: "See the dashboard.",
    },
    links: {
      rest: "https://reelscript.example/api/v1",
      openApi: "https://reelscript.example/openapi.json",
      mcp: "https://reelscript.example/mcp",
      dashboard: "https://reelscript.example/app",
      guides: "https://reelscript.example/api/v1/guides",
      plans: "https://reelscript.example/api/v1/plans",
    },
  },
});

const period = z.enum(["lifetime", "month"]).meta({
  description: "Period of the limit: `lifetime` is never renewed, `month` is renewed with each billing cycle.",
});
const perHour = z.int().min(1);

const Plans = z
  .object({
    plans: z.array(
      z.object({
        id: PlanName,
        name: z.string(),
        dollarsPerMonth: z.number().min(0),
        transcriptions: z.object({ limit: z.int().min(0), period }),
        posts: z
          .object({
            limit: z.int().min(0).nullable().meta({ description: "Maximum number of posts; null means unlimited." }),
            period,
          })
          .meta({ description: "Posts that reports may analyze." }),
      }),
    ),
    transcriptionsCountedPer: z
      .enum(["key", "account"])
      .meta({ description: "Whether each key has the quota, or all keys of an account share it." }),
    keysPerAccount: z.int(),
    requestsPerHour: z
      .object({
        perKey: perHour,
        transcriptionsPerKey: perHour,
        bioChangesPerKey: perHour,
        perAddressWithoutKey: perHour,
      })
      .meta({
        description:
          "Requests in any rolling hour. Transcriptions and bio page changes also count as requests of the key.",
      }),
    free: z.array(z.string()).meta({ description: "Free allowances." }),
  })
  .meta({ id: "Plans" });

export const getPlans = operation({
  summary: "Get the plans and limits",
  description: "Prices, quotas and rate limits of this service.",
  section: "Product",
  access: "public",
  http: { method: "GET", path: "/plans", cacheSeconds },
  tools: [
    {
      name: "get_plans",
      title: "Get the plans",
      description:
        "Lists the plans Free, Hobby and Creator with price and quotas, and the rate limits in force. Works without an API key.\nUse this tool when you need to:\n- answer what the service costs, or which plan fits a number of reels\n- plan a batch within the limits\nFor what is used up, see get_my_usage. Costs nothing.",
      openWorld: false,
    },
  ],
  output: Plans,
  exampleOutput: {
    plans: [
      {
        id: "hobby",
        name: "Hobby",
        dollarsPerMonth: 10,
        transcriptions: { limit: 250, period: "month" },
        posts: { limit: 10_000, period: "month" },
      },
    ],
    transcriptionsCountedPer: "key",
    keysPerAccount: 5,
    requestsPerHour: { perKey: 60, transcriptionsPerKey: 10, bioChangesPerKey: 20, perAddressWithoutKey: 600 },
    free: ["a reel that someone has already transcribed"],
  },
});

import {
  languageCodes,
  languageSentence,
  languages,
  operations,
  plans,
  recognitionQualities,
  restBasePath,
  keysPerAccount,
  PlanName,
  type Language,
  type RecognitionQuality,
} from "@reelscript/contract";
import type { Handlers } from "../run/handler.ts";
import type { RateLimitSettings } from "../run/admission.ts";
import type { QuotaScope } from "../rules/allowance.ts";
import type { RecognizerVersion, ReelLocator } from "../ports.ts";

const features = [
  {
    title: "Library",
    description: "Keeps an account's transcripts, and searches them and the captions.",
  },
  {
    title: "Reel details",
    description: "Caption, author, thumbnail, dimensions and public counts of a reel, without transcribing it.",
  },
  { title: "Guides", description: "Advice on making, publishing and measuring reels, free to read." },
  {
    title: "Competitor reports",
    description: "Figures, top reels and posting times of a public account, from reels that a person collected.",
  },
  { title: "Bio page", description: "A page of links for a profile, which the API and agents can read and change." },
  { title: "Bio analytics", description: "Views, clicks and click rate of the bio page." },
  {
    title: "Dashboard",
    description: "Library, reports, bio page, analytics, keys, plan and payment in a browser.",
  },
  {
    title: "Browser extension",
    description: "Transcribes the reel you are watching, and collects an account's reels for a report, on Instagram.",
  },
].map((feature) => ({ ...feature, status: "available" as const }));

interface ProductNeeds {
  readonly recognizer: RecognizerVersion;
  readonly languageQuality: Readonly<Record<Language, RecognitionQuality>>;
  readonly languageErrors: Readonly<
    Partial<Record<Language, { readonly wordErrorPercent: number; readonly clips: number }>>
  >;
  /** The service's address, as users see it. */
  readonly baseUrl: () => string;
  readonly quotaScope: QuotaScope;
  readonly limits: RateLimitSettings;
  readonly locator: ReelLocator;
}

export const productHandlers = ({
  recognizer,
  languageQuality,
  languageErrors,
  baseUrl,
  quotaScope,
  limits,
  locator,
}: ProductNeeds) =>
  ({
    getProductOverview: async () => {
      const rest = `${baseUrl()}${restBasePath}`;
      return {
        name: "Reelscript",
        description:
          "Turns the speech of public short videos (reels) into text, keeps it in a searchable library, and serves it to programs and AI agents.",
        features: [
          {
            title: "Transcripts",
            description: `Turns the speech of a public reel into text. ${languageSentence(languageQuality)}`,
            status: "available" as const,
          },
          ...features,
        ],
        languages: languageCodes.map((code) => {
          const quality = languageQuality[code];
          const errors = languageErrors[code];
          return {
            code,
            name: languages[code],
            quality,
            meaning: recognitionQualities[quality],
            ...(errors && { wordErrorPercent: errors.wordErrorPercent, recordings: errors.clips }),
          };
        }),
        reelUrls: [...locator.examples],
        model: recognizer.model,
        howItWorks: {
          transcripts:
            "Send the URL of a public reel, and its transcript is saved in the account's library. A language hint helps with reels that aren't in English.",
          cost: `A fresh transcript costs one of the plan's transcriptions (${plans.free.transcriptions} once on ${plans.free.name}); a reel that someone has already transcribed, a reel without speech and a failure cost nothing.`,
          extension:
            "The browser extension collects an account's public reels while you look at its profile, and creates a competitor report from them. A report can also be created from a file in the dashboard. Over the API and MCP, reports are read-only.",
          bioPage:
            "A bio page is a public page of links for a profile, with a name, text, links, social accounts and a theme. Read and change it in the dashboard, over the API or with an agent.",
          apiKeys:
            "Transcripts, library, reports and bio page need an API key, sent as `Authorization: Bearer svc_sk_...`; this overview, the plans and the guides need none. People create keys in the dashboard, under API keys.",
        },
        links: {
          rest,
          openApi: `${rest}/openapi.json`,
          mcp: `${baseUrl()}/mcp`,
          dashboard: `${baseUrl()}/app`,
          guides: `${rest}${operations.listGuides.http.path}`,
          plans: `${rest}${operations.getPlans.http.path}`,
        },
      };
    },

    getPlans: async () => ({
      plans: PlanName.options.map((id) => {
        const { transcriptions, posts, period, ...plan } = plans[id];
        return { id, ...plan, transcriptions: { limit: transcriptions, period }, posts: { limit: posts, period } };
      }),
      transcriptionsCountedPer: quotaScope,
      keysPerAccount,
      requestsPerHour: {
        perKey: limits.default,
        transcriptionsPerKey: limits.transcribe,
        bioChangesPerKey: limits.bioWrite,
        perAddressWithoutKey: limits.address,
      },
      free: [
        "a reel that someone has already transcribed",
        "a reel in which nothing is said",
        "a transcription that fails",
        "reading, listing and searching",
      ],
    }),
  }) satisfies Partial<Handlers>;

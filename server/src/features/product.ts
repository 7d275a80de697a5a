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
} from "@reelscript/contract";
import type { Handlers } from "../run/handler.ts";
import type { Needs } from "../run/needs.ts";

const features = [
  {
    title: "Library",
    description: "Keeps the transcripts of an account and searches what is said and what captions say.",
  },
  {
    title: "Reel details",
    description: "Caption, author, thumbnail, dimensions and public counts of a reel, without transcribing it.",
  },
  { title: "Guides", description: "Advice on making, publishing and measuring reels, free to read." },
  {
    title: "Competitor reports",
    description: "Figures, best reels and posting times of a public account, to read here once they are made.",
  },
  { title: "Bio page", description: "A page of links for a profile, read and changed by API or agent." },
  { title: "Bio analytics", description: "Views, clicks and click rate of the bio page." },
  {
    title: "Dashboard",
    description: "Library, reports, bio page, analytics, keys, plan and payment in a browser.",
  },
].map((feature) => ({ ...feature, status: "available" as const }));

const extension = {
  title: "Browser extension",
  description: "Transcribes and analyzes while you browse the platform.",
  status: "coming" as const,
};

export const productHandlers = ({
  recognizer,
  languageQuality,
  languageErrors,
  baseUrl,
  quotaScope,
  limits,
  locator,
}: Needs<"recognizer" | "languageQuality" | "languageErrors" | "baseUrl" | "quotaScope" | "limits" | "locator">) =>
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
          extension,
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
            "Give the URL of a public reel; the transcript is stored in the library of the account. A language hint helps with reels that are not in English.",
          cost: `A fresh transcript costs one of the plan's transcriptions (${plans.free.transcriptions} once on ${plans.free.name}); a reel that anybody had transcribed before, a reel without speech and a failure cost nothing.`,
          extension:
            "The browser extension collects the public reels of an account while its owner looks at them, and makes competitor reports of them; over the API the reports are read only.",
          bioPage:
            "A bio page is one public page of links for a profile, with name, text, links, social accounts and a theme. It is read and changed in the dashboard, through the API or by an agent.",
          apiKeys:
            "Transcripts, library, reports and bio page need an API key, sent as `Authorization: Bearer svc_sk_...`; this overview, the plans and the guides need none. After signing in to the dashboard, a person makes keys there under API keys.",
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
        "a reel that anybody had transcribed before",
        "a reel in which nothing is said",
        "a transcription that fails",
        "reading, listing and searching",
      ],
    }),
  }) satisfies Partial<Handlers>;

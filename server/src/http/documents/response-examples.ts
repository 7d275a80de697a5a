import { bioDefinitions, webhooksPerAccount, type OperationName, type Operations } from "@reelscript/contract";
import type * as z from "zod";

type Examples = { readonly [Name in OperationName]: z.input<Operations[Name]["output"]> };

const usage = { used: 12, limit: 250 };

const script = {
  id: "scr_4Tz8Qm1Lw0XcVb7K",
  reelUrl: "https://www.instagram.com/reel/DLlGZiCOBQ0/",
  platform: "instagram",
  account: "ana.coffee",
  caption: "Three French press mistakes",
  transcript: "You don't need a better grinder. You need to wait four minutes.",
  language: "en",
  views: 128_490,
  likes: 7_911,
  comments: 310,
  engagementRate: 6.4,
  postedAt: "2026-11-01T08:30:00.000Z",
  transcribedAt: "2026-11-20T10:00:00.000Z",
};

const receipt = {
  model: "whisper-base",
  revision: 3,
  languageProbability: 0.98,
  speechSeconds: 3.8,
  audioSeconds: 4.5,
  cut: false,
};

const fullScript = {
  id: script.id,
  reelUrl: script.reelUrl,
  account: script.account,
  transcript: script.transcript,
  language: script.language,
  transcribedAt: script.transcribedAt,
  segments: [
    { start: 0.2, end: 1.9, text: "You don't need a better grinder." },
    { start: 2.1, end: 4, text: "You need to wait four minutes." },
  ],
  gaps: [],
  receipt,
};

const transcription = {
  id: "trn_5Ux9Rn2Mx1YdWc8L",
  status: "running" as const,
  progress: 0.4,
  reelUrl: script.reelUrl,
  requestedAt: "2026-11-20T09:59:50.000Z",
};

const report = {
  id: "rep_4Tz8Qm1Lw0XcVb7K",
  handle: "ana.coffee",
  createdAt: "2026-11-20T10:00:00.000Z",
  reelsAnalyzed: 48,
};

const bioPage = {
  handle: "ana.coffee",
  url: "https://reelscript.example/@ana.coffee",
  displayName: "Ana Souza",
  bio: "Coffee in under a minute.",
  links: [{ id: "lnk_7Hq2", title: "Newsletter", url: "https://example.com/newsletter" }],
  revision: 17,
  updatedAt: "2026-11-20T10:00:00.000Z",
  takenDownAt: null,
};

const changedBioPage = {
  ...bioPage,
  dryRun: false,
  changes: [{ path: "bio", before: "Coffee.", after: "Coffee in under a minute." }],
};

const guide = {
  slug: "write-a-hook",
  title: "Write a hook that holds",
  summary: "What the first sentence of a reel has to do.",
  category: "making" as const,
  tags: ["hooks"],
  language: "en" as const,
  readingMinutes: 4,
  updatedAt: "2026-11-01T00:00:00.000Z",
  url: "https://reelscript.example/api/v1/guides/write-a-hook",
  related: ["write-a-caption"],
  sections: [{ id: "first-sentence", title: "The first sentence" }],
};

const webhook = {
  id: "whk_4Tz8Qm1Lw0XcVb7K",
  url: "https://example.com/hooks/reelscript",
  createdAt: "2026-11-20T10:00:00.000Z",
  failingSince: null,
  disabledAt: null,
  formerSecretUntil: null,
  last: null,
};

const newWebhook = { webhook, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw3vJk0bX5tYA=" };

const figures = {
  views: 420,
  clicks: 63,
  clickRate: 0.15,
  dailyUniqueVisitors: 388,
  dailyUniqueClickers: 58,
  visitorClickRate: 0.1495,
};

/** The beginning of each text, which is enough to see what it is. */
const beginnings = <Texts extends Readonly<Record<string, string>>>(texts: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, `${text.slice(0, 3)}…`])) as Texts; // safe: the same names with shorter texts

const allowance = { used: 12, limit: 250, resetsAt: "2026-12-01T00:00:00.000Z" };

/** An answer of each operation, as the service gives it. Fields with a value for "not set" may be left out here. */
export const responseExamples: Examples = {
  transcribeReel: { transcript: script.transcript, language: "en", cached: false, usage },
  getTranscription: transcription,
  listTranscriptions: { transcriptions: [] },
  searchMyScripts: { scripts: [script], total: 57, nextCursor: "q0Vh1Zr8mJm3XkQ2WzE3NjM5NzQyMDAwMDAsMTJd" },
  getScript: fullScript,
  getScriptText: { text: script.transcript },
  getScriptSubtitles: {
    text: "1\n00:00:00,200 --> 00:00:01,900\nYou don't need a better grinder.\n\n2\n00:00:02,100 --> 00:00:04,000\nYou need to wait four minutes.\n",
  },
  retranscribeScript: {
    replaced: true,
    script: {
      id: script.id,
      reelUrl: script.reelUrl,
      transcript: "You need to wait four minutes.",
      segments: [{ start: 2.1, end: 4, text: "You need to wait four minutes." }],
      gaps: [],
      receipt,
    },
  },
  getUsage: { plan: "hobby", transcriptions: allowance, posts: { used: 480, limit: 10_000 } },
  resolveReel: {
    platform: script.platform,
    mediaId: "3659874125478963254",
    shortcode: "DLlGZiCOBQ0",
    url: script.reelUrl,
    caption: script.caption,
    author: { handle: "ana.coffee", displayName: "Ana Souza", verified: false },
    thumbnail: { url: "https://reelscript.example/thumbnails/3f9a52", width: 360, height: 640 },
    dimensions: { width: 1080, height: 1920, aspectRatio: "9:16" },
    durationSeconds: 4.5,
    hasAudio: true,
    views: 128_490,
    likes: 7_911,
    comments: 310,
    postedAt: script.postedAt,
    resolvedAt: script.transcribedAt,
    transcript: { cached: true, cost: 0 },
  },
  getMe: {
    account: { id: "acc_1Pq7Kd", email: "ana@example.com", plan: "hobby", createdAt: "2026-06-01T09:00:00.000Z" },
    key: {
      id: "key_9Rt3Lm",
      name: "Laptop",
      lastFour: "x7Qa",
      createdAt: "2026-06-01T09:05:00.000Z",
      expiresAt: "2027-06-01T09:05:00.000Z",
      readOnly: false,
    },
    transcriptions: allowance,
    rateLimits: {
      default: { limit: 60, remaining: 58 },
      transcribe: { limit: 10, remaining: 9 },
      bioWrite: { limit: 20, remaining: 20 },
    },
  },
  listCompetitorReports: { reports: [report] },
  getCompetitorReport: {
    ...report,
    timezone: "Europe/Lisbon",
    metrics: {
      avgViews: 84_210.5,
      avgLikes: 5_020.2,
      avgComments: 190.4,
      medianViews: 40_100,
      avgEngagementRate: 6.1,
      postingFrequencyPerWeek: 3.5,
    },
    topReels: [
      {
        url: script.reelUrl,
        caption: script.caption,
        views: 128_490,
        likes: 7_911,
        comments: 310,
        engagementRate: 6.4,
      },
    ],
    insights: ["No clear difference by time of day, day of the week, length, caption length and hashtags."],
  },
  getMyBioPage: bioPage,
  updateBioPage: changedBioPage,
  revertBioPage: changedBioPage,
  getBioAnalytics: {
    days: 1,
    timezone: "UTC",
    from: "2026-11-20",
    to: "2026-11-20",
    ...figures,
    countedSince: "2026-06-01",
    previous: { from: "2026-11-19", to: "2026-11-19", ...figures },
    series: [{ date: "2026-11-20", views: 420, clicks: 63, uniqueVisitors: 388, uniqueClickers: 58 }],
    links: [
      {
        id: "lnk_7Hq2",
        title: "Newsletter",
        url: "https://example.com/newsletter",
        clicks: 63,
        share: 1,
        deleted: false,
      },
    ],
    referrers: [{ host: "instagram.com", views: 260 }],
    countries: [{ country: "PT", views: 310 }],
    devices: [{ device: "mobile", views: 380 }],
    excluded: { bots: 31, prefetch: 2, owner: 5, floods: 0 },
    definitions: beginnings(bioDefinitions),
  },
  listWebhooks: { webhooks: [], limit: webhooksPerAccount },
  createWebhook: newWebhook,
  enableWebhook: webhook,
  testWebhook: { id: webhook.id },
  listWebhookDeliveries: {
    deliveries: [
      {
        id: "msg_5Ux9Rn2Mx1YdWc8L",
        event: "transcription.done",
        transcriptionId: transcription.id,
        createdAt: script.transcribedAt,
        attempts: 1,
        attemptedAt: script.transcribedAt,
        status: 204,
        problem: null,
        nextAttemptAt: null,
      },
    ],
  },
  redeliverWebhook: { id: webhook.id },
  rotateWebhook: newWebhook,
  deleteWebhook: { id: webhook.id },
  listGuides: { guides: [guide], total: 3 },
  getGuide: { ...guide, bodyMarkdown: "# Write a hook that holds\n\nThe first sentence decides …" },
  getProductOverview: {
    name: "Reelscript",
    description: "Turns the speech of reels into text.",
    features: [{ title: "Transcripts", description: "Speech as text.", status: "available" }],
    languages: [{ code: "en", name: "English", quality: "good", meaning: "few words wrong" }],
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
  getPlans: {
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
    free: ["A reel that anybody had transcribed before."],
  },
};

import * as z from "zod";
import { bioHandleLimits } from "../values/limits.ts";
import { BioPage } from "../bio/bio-page.ts";
import { OwnFile } from "../transcripts/file.ts";
import { FullScript } from "../transcripts/full-script.ts";
import { SubtitledVideo } from "../transcripts/video.ts";
import { SavedSearch } from "../transcripts/saved-search.ts";
import { ShareLink } from "../transcripts/share-link.ts";
import { TagList } from "../transcripts/tag.ts";
import { ofPerson, operation } from "../operation.ts";
import { CompetitorReport } from "../reports/report.ts";
import { ReportLink } from "../reports/report-link.ts";
import { Key } from "./key.ts";
import { SignedInAccount } from "./session.ts";
import { exampleAllowance, PlanName, TranscriptionUsage, RateLimit } from "./usage.ts";
import { Webhook } from "./webhook.ts";

const AccountExport = z
  .object({
    exportedAt: z.iso.datetime(),
    account: SignedInAccount,
    keys: z.array(Key.extend({ revokedAt: z.iso.datetime().nullable() })),
    webhooks: z.array(Webhook),
    scripts: z.array(FullScript),
    files: z.array(OwnFile),
    videos: z.array(SubtitledVideo),
    tags: TagList.shape.tags,
    savedSearches: z.array(SavedSearch),
    shareLinks: z.array(ShareLink),
    reportLinks: z.array(ReportLink),
    reports: z.array(CompetitorReport),
    bioPage: BioPage,
  })
  .meta({ id: "AccountExport" });

export const exportAccount = operation({
  summary: "Export the account",
  description:
    "The account's scripts and reports in full, tags, saved searches, the links that share them, bio page and keys (never the secrets).",
  ...ofPerson,
  http: {
    method: "GET",
    path: "/account/export",
    formats: {
      parameter: "format",
      description: "`json` returns the data as a file to download.",
      forms: { json: { type: "application/json", write: (output) => JSON.stringify(output, null, 2) } },
      fileName: ({ exportedAt }) => `reelscript-${exportedAt.slice(0, 10)}`,
    },
  },
  output: AccountExport,
});

export const deleteAccount = operation({
  summary: "Delete account",
  description: `Ends the subscription, every key and session, and permanently deletes the library, reports and bio page. Anonymous transcripts of public reels stay in the shared cache. A fingerprint of the sign-in stays for 24 months, with what was used of the lifetime allowances, so that free transcriptions are not given twice; the page's handles are held for nobody for ${bioHandleLimits.keptDays} days.`,
  ...ofPerson,
  http: { method: "DELETE", path: "/account" },
  input: z.object({
    confirm: z.string().min(1).max(320).meta({
      description: "Confirms the deletion: the account's email address in any case, or its id if it has no address.",
    }),
  }),
  output: z.object({ id: z.string() }),
  errors: ["upstreamError"],
  example: { confirm: "developer@example.com" },
});

export const Me = z
  .object({
    account: z.object({ id: z.string(), email: z.string(), plan: PlanName, createdAt: z.iso.datetime() }),
    key: z
      .object({
        id: z.string(),
        name: z.string(),
        lastFour: z.string(),
        createdAt: z.iso.datetime(),
        expiresAt: z.iso
          .datetime()
          .nullable()
          .meta({ description: "Time at which the key expires; null if it never does." }),
        readOnly: z.boolean(),
      })
      .nullable()
      .meta({ description: "The key of this request; null without one." }),
    transcriptions: TranscriptionUsage,
    rateLimits: z.object({ default: RateLimit, transcribe: RateLimit, bioWrite: RateLimit }),
  })
  .meta({ id: "Me" });
export type Me = z.infer<typeof Me>;

export const getMe = operation({
  summary: "Get the account and key of this request",
  description:
    "Checks that a key works: its account, the key itself, its quota and its rate limits. Works when the quota is used up.",
  section: "Account",
  access: "key",
  http: { method: "GET", path: "/me" },
  output: Me,
  exampleOutput: {
    account: { id: "acc_1Pq7Kd", email: "ana@example.com", plan: "hobby", createdAt: "2026-06-01T09:00:00.000Z" },
    key: {
      id: "key_9Rt3Lm",
      name: "Laptop",
      lastFour: "x7Qa",
      createdAt: "2026-06-01T09:05:00.000Z",
      expiresAt: "2027-06-01T09:05:00.000Z",
      readOnly: false,
    },
    transcriptions: exampleAllowance,
    rateLimits: {
      default: { limit: 60, remaining: 58 },
      transcribe: { limit: 10, remaining: 9 },
      bioWrite: { limit: 20, remaining: 20 },
    },
  },
});

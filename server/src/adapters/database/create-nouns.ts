import type { NewId, Objects } from "../../ports.ts";
import { createAccounts } from "./accounts/accounts.ts";
import { createAllowances } from "./accounts/allowances.ts";
import { createBilling } from "./billing/billing.ts";
import { createBioEvents } from "./bio/bio-events.ts";
import { createBioImages } from "./bio/bio-images.ts";
import { createBioLinkHealth } from "./bio/bio-link-health.ts";
import { createBioPages } from "./bio/bio-pages.ts";
import { createListedBioPages, createPublicBioPages } from "./bio/public-bio-pages.ts";
import { createIdempotentAnswers } from "./calls/idempotent-answers.ts";
import { createRateLimits } from "./calls/rate-limits.ts";
import type { Engine } from "./engine/engine.ts";
import type { ReadRoute } from "./engine/read-route.ts";
import { createKeyRequests } from "./keys/key-requests.ts";
import { createKeys } from "./keys/keys.ts";
import { createOauthArtifacts } from "./keys/oauth-artifacts.ts";
import { createCorrections } from "./library/corrections.ts";
import { createScripts } from "./library/scripts.ts";
import { createShareLinks } from "./library/share-links.ts";
import { createModeration } from "./moderation/moderation.ts";
import { createThumbnails } from "./pictures/thumbnails.ts";
import { createRetranscriptions } from "./retranscriptions/retranscriptions.ts";
import { createReports } from "./reports/reports.ts";
import { createSentMedia } from "./sent-media/sent-media.ts";
import { createExtensionCodes } from "./sessions/extension-codes.ts";
import { createIdentities, createSignInAttempts } from "./sessions/identities.ts";
import { createSessions } from "./sessions/sessions.ts";
import { createPlatformPace, createWorkers } from "./transcriptions/workers.ts";
import { createTranscriptions } from "./transcriptions/transcriptions.ts";
import { createTaskLeases } from "./upkeep/task-leases.ts";
import { createWebhooks } from "./webhooks/webhooks.ts";

/** What the store keeps, noun by noun. */
export function createNouns(
  engine: Engine,
  reads: ReadRoute,
  { newId, objects }: { readonly newId: NewId; readonly objects: Objects | undefined },
) {
  const { pool } = engine;
  return {
    accounts: createAccounts(engine, newId),
    keys: createKeys(pool, newId),
    keyRequests: createKeyRequests(engine),
    sessions: createSessions(pool, newId),
    identities: createIdentities(pool, newId),
    signInAttempts: createSignInAttempts(pool),
    extensionCodes: createExtensionCodes(pool),
    oauthArtifacts: createOauthArtifacts(pool),
    rateLimits: createRateLimits(engine),
    allowances: createAllowances(pool),
    transcriptions: createTranscriptions(engine, newId),
    retranscriptions: createRetranscriptions(engine, newId),
    sentMedia: createSentMedia(engine, newId),
    scripts: createScripts(pool, reads),
    corrections: createCorrections(pool),
    shareLinks: createShareLinks(pool, newId),
    reports: createReports(pool, newId, reads),
    billing: createBilling(pool),
    bioPages: createBioPages(engine, newId),
    publicBioPages: createPublicBioPages(pool),
    listedBioPages: createListedBioPages(pool),
    bioEvents: createBioEvents(pool, reads),
    bioImages: createBioImages(pool, objects),
    bioLinkHealth: createBioLinkHealth(pool),
    idempotentAnswers: createIdempotentAnswers(pool, newId),
    thumbnails: createThumbnails(pool, objects),
    webhooks: createWebhooks(pool, newId),
    moderation: createModeration(engine),
    taskLeases: createTaskLeases(pool),
    workers: createWorkers(engine),
    platformPace: createPlatformPace(pool),
  };
}

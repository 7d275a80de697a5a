import { createApiKey, createExtensionToken, createNewId, createShareToken } from "./callers/api-key.ts";
import { createCountCalls } from "./callers/count-calls.ts";
import { exportAccount } from "./features/account/export-account.ts";
import { accountHandlers } from "./features/account/account.ts";
import { getUsageByDay } from "./features/account/get-usage-by-day.ts";
import { getBioAnalytics } from "./features/bio/get-bio-analytics.ts";
import { bioPageHandlers } from "./features/bio/bio-page.ts";
import {
  endSubscription,
  createRefreshSubscription,
  type RefreshSubscription,
} from "./features/billing/refresh-subscription.ts";
import { billingHandlers } from "./features/billing/billing.ts";
import { extensionHandlers } from "./features/extension.ts";
import { guideHandlers } from "./features/guides.ts";
import { keyHandlers } from "./features/keys.ts";
import { scriptHandlers } from "./features/library/scripts.ts";
import { correctionHandlers } from "./features/library/corrections.ts";
import { searchMyScripts } from "./features/library/search-my-scripts.ts";
import { savedSearchHandlers } from "./features/library/saved-searches.ts";
import { linkScriptExport } from "./features/library/export-scripts.ts";
import { tagHandlers } from "./features/library/tags.ts";
import { productHandlers } from "./features/product.ts";
import { resolveReel, createThumbnailOf, type ThumbnailOf } from "./features/reels.ts";
import { reportHandlers } from "./features/reports/reports.ts";
import { reportLinkHandlers, shareLinkHandlers } from "./features/share-links.ts";
import { sessionHandlers } from "./features/sessions.ts";
import { batchHandlers } from "./features/transcription/batch/batches.ts";
import { listTranscriptions } from "./features/transcription/own-transcriptions.ts";
import { sendReelMedia } from "./features/transcription/send-reel-media.ts";
import { retranscribeScript } from "./features/transcription/retranscribe-script.ts";
import { transcribeReel } from "./features/transcription/transcribe-reel.ts";
import { getTranscription } from "./features/transcription/following/get-transcription.ts";
import { webhookHandlers } from "./features/webhooks.ts";
import type { Biller, LongWork, Store, StoredGuide } from "./ports.ts";
import { createExportTurns } from "./run/export-turns.ts";
import { createAskPlatform } from "./run/ask-platform.ts";
import type { Handlers } from "./run/handler.ts";
import type { AllNeeds } from "./run/needs.ts";
import type { Ports, FaultListener, ServiceSettings } from "./settings/service-settings.ts";

export interface GivenParts {
  readonly settings: ServiceSettings;
  readonly ports: Ports & { readonly biller: Biller };
  /** The address that users see, as a function, because the port may be known only after listening. */
  readonly baseUrl: () => string;
  readonly listener: FaultListener;
  readonly longWork: LongWork;
}

/** The dependencies of all handlers and pages. */
export interface GatheredNeeds extends AllNeeds {
  readonly refreshSubscription: RefreshSubscription;
  readonly thumbnailOf: ThumbnailOf;
  /** Cancels every subscription of the account that isn't over. */
  readonly endSubscription: (accountId: string) => Promise<void>;
}

/** Each is named here, so that no secret setting is included. */
export function gatherNeeds(
  { settings, ports, baseUrl, listener, longWork }: GivenParts,
  guides: readonly StoredGuide[],
): GatheredNeeds {
  const { rateLimits: limits, sessionRateLimits } = settings;
  const given: AllNeeds = {
    ...nounsOf(ports.store),
    store: ports.store,
    locator: ports.locator,
    source: ports.source,
    pictures: ports.pictures,
    images: ports.images,
    webhookSender: ports.webhookSender,
    biller: ports.biller,
    fetchDocument: ports.fetchDocument,
    longWork,
    clock: ports.clock,
    newId: createNewId(),
    drawKey: createApiKey,
    drawToken: createExtensionToken,
    drawShareToken: createShareToken,
    exportTurns: createExportTurns(),
    guides,
    baseUrl,
    abuseContact: settings.abuseContact,
    sampleReelUrl: settings.sampleReelUrl,
    quotaScope: settings.quotaScope,
    askPlatform: createAskPlatform({
      locator: ports.locator,
      source: ports.source,
      countPlatform: createCountCalls({
        rateLimits: ports.store.rateLimits,
        clock: ports.clock,
        kind: "platform",
        calls: "requests that ask the platform",
        limit: settings.platformLimit,
      }),
    }),
    limits,
    limitsOf: ({ kind }) => (kind === "key" ? limits : sessionRateLimits),
    queueLimit: settings.queueLimit,
    queueLimitPerAccount: settings.queueLimitPerAccount,
    maxMediaBytes: settings.maxMediaBytes,
    sentBytesPerHour: settings.sentBytesPerHour,
    recognizer: settings.recognizer,
    languageQuality: settings.languageQuality,
    languageErrors: settings.languageErrors,
    onFault: listener.onFault,
    onNotice: listener.onNotice,
  };
  return {
    ...given,
    refreshSubscription: createRefreshSubscription(given),
    thumbnailOf: createThumbnailOf(given),
    endSubscription: endSubscription(given),
  };
}

const nounsOf = (store: Store): Store => ({
  accounts: store.accounts,
  keys: store.keys,
  keyRequests: store.keyRequests,
  sessions: store.sessions,
  identities: store.identities,
  signInAttempts: store.signInAttempts,
  extensionCodes: store.extensionCodes,
  oauthArtifacts: store.oauthArtifacts,
  rateLimits: store.rateLimits,
  allowances: store.allowances,
  transcriptions: store.transcriptions,
  batches: store.batches,
  retranscriptions: store.retranscriptions,
  sentMedia: store.sentMedia,
  scripts: store.scripts,
  deletedScripts: store.deletedScripts,
  tags: store.tags,
  savedSearches: store.savedSearches,
  scriptExports: store.scriptExports,
  corrections: store.corrections,
  shareLinks: store.shareLinks,
  reports: store.reports,
  reportLinks: store.reportLinks,
  billing: store.billing,
  bioPages: store.bioPages,
  publicBioPages: store.publicBioPages,
  listedBioPages: store.listedBioPages,
  bioEvents: store.bioEvents,
  bioImages: store.bioImages,
  bioLinkHealth: store.bioLinkHealth,
  idempotentAnswers: store.idempotentAnswers,
  thumbnails: store.thumbnails,
  webhooks: store.webhooks,
  moderation: store.moderation,
  taskLeases: store.taskLeases,
  workers: store.workers,
  platformPace: store.platformPace,
  upkeep: store.upkeep,
  subscribe: (topic, listener) => store.subscribe(topic, listener),
  watchTranscription: (transcriptionId, listener) => store.watchTranscription(transcriptionId, listener),
  ping: () => store.ping(),
  close: () => store.close(),
});

/** Gives every operation's handler its dependencies. */
export function createHandlers(needs: GatheredNeeds): Handlers {
  return {
    transcribeReel: transcribeReel(needs),
    retranscribeScript: retranscribeScript(needs),
    getTranscription: getTranscription(needs),
    listTranscriptions: listTranscriptions(needs),
    searchMyScripts: searchMyScripts(needs),
    ...scriptHandlers(needs),
    ...tagHandlers(needs),
    ...savedSearchHandlers(needs),
    linkScriptExport: linkScriptExport(needs),
    resolveReel: resolveReel(needs),
    ...accountHandlers(needs),
    ...reportHandlers(needs),
    ...reportLinkHandlers(needs),
    getBioAnalytics: getBioAnalytics(needs),
    ...guideHandlers(needs),
    ...productHandlers(needs),
    ...sessionHandlers(needs),
    ...extensionHandlers(needs),
    ...keyHandlers(needs),
    getUsageByDay: getUsageByDay(needs),
    ...batchHandlers(needs),
    ...webhookHandlers(needs),
    ...correctionHandlers(needs),
    ...shareLinkHandlers(needs),
    sendReelMedia: sendReelMedia(needs),
    ...bioPageHandlers(needs),
    ...billingHandlers(needs),
    exportAccount: exportAccount(needs),
  };
}

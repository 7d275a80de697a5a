import { createApiKey, createExtensionToken, createNewId, createShareToken } from "./callers/api-key.ts";
import { exportAccount } from "./features/account/export-account.ts";
import { accountHandlers } from "./features/account/account.ts";
import { getUsageByDay } from "./features/account/get-usage-by-day.ts";
import { getBioAnalytics } from "./features/bio/get-bio-analytics.ts";
import { bioPageHandlers } from "./features/bio/bio-page.ts";
import { endSubscription, createRefreshSubscription } from "./features/billing/refresh-subscription.ts";
import { billingHandlers } from "./features/billing/billing.ts";
import { extensionHandlers } from "./features/extension.ts";
import { guideHandlers } from "./features/guides.ts";
import { keyHandlers } from "./features/keys.ts";
import { scriptHandlers } from "./features/library/scripts.ts";
import { correctionHandlers } from "./features/library/corrections.ts";
import { shareLinkHandlers } from "./features/library/share-links.ts";
import { searchMyScripts } from "./features/library/search-my-scripts.ts";
import { productHandlers } from "./features/product.ts";
import { resolveReel, createThumbnailOf } from "./features/reels.ts";
import { reportHandlers } from "./features/reports/reports.ts";
import { sessionHandlers } from "./features/sessions.ts";
import { getTranscription, listTranscriptions } from "./features/transcription/get-transcription.ts";
import { sendReelMedia } from "./features/transcription/send-reel-media.ts";
import { retranscribeScript } from "./features/transcription/retranscribe-script.ts";
import { transcribeReel } from "./features/transcription/transcribe-reel.ts";
import { webhookHandlers } from "./features/webhooks.ts";
import type { Biller, StoredGuide } from "./ports.ts";
import type { AccountCaller } from "./caller.ts";
import type { Handlers } from "./run/handler.ts";
import type { AllNeeds } from "./run/needs.ts";
import type { Ports, FaultListener, ServiceSettings } from "./settings/service-settings.ts";

export interface GivenParts {
  readonly settings: ServiceSettings;
  readonly ports: Ports & { readonly biller: Biller };
  /** The address that users see; called when it is needed, because the port may be known only after listening. */
  readonly baseUrl: () => string;
  readonly listener: FaultListener;
}

/** All that handlers and pages are made with. */
export function gatherNeeds({ settings, ports, baseUrl, listener }: GivenParts, guides: readonly StoredGuide[]) {
  const { rateLimits: limits, sessionRateLimits } = settings;
  const given = {
    ...settings,
    ...ports.store,
    ...ports,
    guides,
    baseUrl,
    ...listener,
    limits,
    limitsOf: ({ kind }: AccountCaller) => (kind === "key" ? limits : sessionRateLimits),
    newId: createNewId(),
    drawKey: createApiKey,
    drawToken: createExtensionToken,
    drawShareToken: createShareToken,
  } satisfies AllNeeds;
  return {
    ...given,
    refreshSubscription: createRefreshSubscription(given),
    thumbnailOf: createThumbnailOf(given),
    endSubscription: endSubscription(given),
  };
}

/** Joins every operation's handler with what it needs. */
export function createHandlers(needs: ReturnType<typeof gatherNeeds>): Handlers {
  return {
    transcribeReel: transcribeReel(needs),
    retranscribeScript: retranscribeScript(needs),
    getTranscription: getTranscription(needs),
    listTranscriptions: listTranscriptions(needs),
    searchMyScripts: searchMyScripts(needs),
    ...scriptHandlers(needs),
    resolveReel: resolveReel(needs),
    ...accountHandlers(needs),
    ...reportHandlers(needs),
    getBioAnalytics: getBioAnalytics(needs),
    ...guideHandlers(needs),
    ...productHandlers(needs),
    ...sessionHandlers(needs),
    ...extensionHandlers(needs),
    ...keyHandlers(needs),
    getUsageByDay: getUsageByDay(needs),
    ...webhookHandlers(needs),
    ...correctionHandlers(needs),
    ...shareLinkHandlers(needs),
    sendReelMedia: sendReelMedia(needs),
    ...bioPageHandlers(needs),
    ...billingHandlers(needs),
    exportAccount: exportAccount(needs),
  };
}

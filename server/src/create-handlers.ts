import { createApiKey, createExtensionToken, createNewId, createShareToken } from "./callers/api-key.ts";
import { exportAccount } from "./features/account/export-account.ts";
import { getMe } from "./features/account/get-me.ts";
import { deleteAccount } from "./features/account/delete-account.ts";
import { getUsageByDay } from "./features/account/get-usage-by-day.ts";
import { getUsage } from "./features/account/get-usage.ts";
import { getBioAnalytics } from "./features/bio/get-bio-analytics.ts";
import { getBioLinkHealth } from "./features/bio/get-bio-link-health.ts";
import { claimBioHandle } from "./features/bio/claim-bio-handle.ts";
import { endSubscription } from "./features/billing/end-subscription.ts";
import { getBilling } from "./features/billing/get-billing.ts";
import { openBillingPortal } from "./features/billing/open-billing-portal.ts";
import { createRefreshSubscription } from "./features/billing/refresh-subscription.ts";
import { startCheckout } from "./features/billing/start-checkout.ts";
import { getMyBioPage } from "./features/bio/get-my-bio-page.ts";
import { revertBioPage } from "./features/bio/revert-bio-page.ts";
import { updateBioPage } from "./features/bio/update-bio-page.ts";
import { approveExtension } from "./features/extension/approve-extension.ts";
import { connectExtension } from "./features/extension/connect-extension.ts";
import { disconnectExtension } from "./features/extension/disconnect-extension.ts";
import { listGuides } from "./features/guides/list-guides.ts";
import { getGuide } from "./features/guides/get-guide.ts";
import { createKey } from "./features/keys/create-key.ts";
import { listKeys } from "./features/keys/list-keys.ts";
import { listKeyRequests } from "./features/keys/list-key-requests.ts";
import { renameKey } from "./features/keys/rename-key.ts";
import { revokeKey } from "./features/keys/revoke-key.ts";
import { listScriptAccounts } from "./features/library/list-script-accounts.ts";
import { listScriptReels } from "./features/library/list-script-reels.ts";
import { getScript } from "./features/library/get-script.ts";
import { getScriptSubtitles } from "./features/library/get-script-subtitles.ts";
import { getScriptText } from "./features/library/get-script-text.ts";
import { correctScript } from "./features/library/correct-script.ts";
import { getScriptCorrection } from "./features/library/get-script-correction.ts";
import { removeScriptCorrection } from "./features/library/remove-script-correction.ts";
import { createShareLink } from "./features/library/create-share-link.ts";
import { listShareLinks } from "./features/library/list-share-links.ts";
import { revokeShareLink } from "./features/library/revoke-share-link.ts";
import { deleteScripts } from "./features/library/delete-scripts.ts";
import { countScriptKinds } from "./features/library/count-script-kinds.ts";
import { deleteScript } from "./features/library/delete-script.ts";
import { searchMyScripts } from "./features/library/search-my-scripts.ts";
import { getProductOverview } from "./features/product/get-product-overview.ts";
import { getPlans } from "./features/product/get-plans.ts";
import { resolveReel } from "./features/reels/resolve-reel.ts";
import { createThumbnailOf } from "./features/reels/thumbnail-of.ts";
import { getCompetitorReport } from "./features/reports/get-competitor-report.ts";
import { listReportFigures } from "./features/reports/list-report-figures.ts";
import { listReportHooks } from "./features/reports/list-report-hooks.ts";
import { deleteReport } from "./features/reports/delete-report.ts";
import { importReport } from "./features/reports/import-report.ts";
import { listCompetitorReports } from "./features/reports/list-competitor-reports.ts";
import { getSession } from "./features/sessions/get-session.ts";
import { listSessions } from "./features/sessions/list-sessions.ts";
import { revokeOtherSessions } from "./features/sessions/revoke-other-sessions.ts";
import { revokeSession } from "./features/sessions/revoke-session.ts";
import { getTranscription } from "./features/transcription/get-transcription.ts";
import { sendReelMedia } from "./features/transcription/send-reel-media.ts";
import { retranscribeScript } from "./features/transcription/retranscribe-script.ts";
import { transcribeReel } from "./features/transcription/transcribe-reel.ts";
import { createWebhook } from "./features/webhooks/create-webhook.ts";
import { deleteWebhook } from "./features/webhooks/delete-webhook.ts";
import { enableWebhook } from "./features/webhooks/enable-webhook.ts";
import { listWebhooks } from "./features/webhooks/list-webhooks.ts";
import { testWebhook } from "./features/webhooks/test-webhook.ts";
import type { Biller, StoredGuide } from "./ports.ts";
import type { AccountCaller } from "./caller.ts";
import type { Handlers } from "./run/run.ts";
import type { Ports, FaultListener, ServiceSettings } from "./settings/service-settings.ts";

interface HandlerParts {
  readonly settings: ServiceSettings;
  readonly ports: Ports & { readonly biller: Biller };
  readonly guides: readonly StoredGuide[];
  readonly baseUrl: () => string;
  readonly listener: FaultListener;
}

/** Joins every operation's handler with what it needs: of all that is gathered, each takes what its own type names. */
export function createHandlers(parts: HandlerParts): Handlers {
  const needs = gatherNeeds(parts);
  return {
    transcribeReel: transcribeReel(needs),
    retranscribeScript: retranscribeScript(needs),
    getTranscription: getTranscription(needs),
    searchMyScripts: searchMyScripts(needs),
    getScript: getScript(needs),
    getScriptText: getScriptText(needs),
    getScriptSubtitles: getScriptSubtitles(needs),
    getUsage: getUsage(needs),
    resolveReel: resolveReel(needs),
    getMe: getMe(needs),
    listCompetitorReports: listCompetitorReports(needs),
    getCompetitorReport: getCompetitorReport(needs),
    getMyBioPage: getMyBioPage(needs),
    updateBioPage: updateBioPage(needs),
    revertBioPage: revertBioPage(needs),
    getBioAnalytics: getBioAnalytics(needs),
    listGuides: listGuides(needs),
    getGuide: getGuide(needs),
    getProductOverview: getProductOverview(needs),
    getPlans: getPlans(needs),
    getSession: getSession(needs),
    listSessions: listSessions(needs),
    revokeSession: revokeSession(needs),
    revokeOtherSessions: revokeOtherSessions(needs),
    approveExtension: approveExtension(needs),
    connectExtension: connectExtension(needs),
    disconnectExtension: disconnectExtension(needs),
    listKeys: listKeys(needs),
    createKey: createKey(needs),
    renameKey: renameKey(needs),
    revokeKey: revokeKey(needs),
    listKeyRequests: listKeyRequests(needs),
    getUsageByDay: getUsageByDay(needs),
    listWebhooks: listWebhooks(needs),
    createWebhook: createWebhook(needs),
    deleteWebhook: deleteWebhook(needs),
    enableWebhook: enableWebhook(needs),
    testWebhook: testWebhook(needs),
    listScriptAccounts: listScriptAccounts(needs),
    countScriptKinds: countScriptKinds(needs),
    deleteScript: deleteScript(needs),
    deleteScripts: deleteScripts(needs),
    getScriptCorrection: getScriptCorrection(needs),
    correctScript: correctScript(needs),
    removeScriptCorrection: removeScriptCorrection(needs),
    listShareLinks: listShareLinks(needs),
    createShareLink: createShareLink(needs),
    revokeShareLink: revokeShareLink(needs),
    listScriptReels: listScriptReels(needs),
    sendReelMedia: sendReelMedia(needs),
    importReport: importReport(needs),
    deleteReport: deleteReport(needs),
    listReportFigures: listReportFigures(needs),
    listReportHooks: listReportHooks(needs),
    claimBioHandle: claimBioHandle(needs),
    getBioLinkHealth: getBioLinkHealth(needs),
    getBilling: getBilling(needs),
    startCheckout: startCheckout(needs),
    openBillingPortal: openBillingPortal(needs),
    exportAccount: exportAccount(needs),
    deleteAccount: deleteAccount(needs),
  };
}

function gatherNeeds({ settings, ports, guides, baseUrl, listener: { onNotice } }: HandlerParts) {
  const { quotaScope, queueLimit, queueLimitPerAccount, maxMediaBytes, sentBytesPerHour } = settings;
  const { recognizer, languageQuality, sampleReelUrl, rateLimits: limits, sessionRateLimits } = settings;
  const { store, ...world } = ports;
  const given = {
    ...store,
    ...world,
    store,
    guides,
    baseUrl,
    onNotice,
    quotaScope,
    queueLimit,
    queueLimitPerAccount,
    maxMediaBytes,
    sentBytesPerHour,
    recognizer,
    model: recognizer.model,
    languageQuality,
    sampleReelUrl,
    limits,
    limitsOf: ({ kind }: AccountCaller) => (kind === "key" ? limits : sessionRateLimits),
    newId: createNewId(),
    drawKey: createApiKey,
    drawToken: createExtensionToken,
    drawShareToken: createShareToken,
  };
  return {
    ...given,
    refreshSubscription: createRefreshSubscription(given),
    thumbnailOf: createThumbnailOf(given),
    endSubscription: endSubscription(given),
  };
}

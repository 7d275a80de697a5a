import { createApiKey, createExtensionToken, createNewId } from "./callers/api-key.ts";
import { exportAccount } from "./features/account/export-account.ts";
import { getMe } from "./features/account/get-me.ts";
import { deleteAccount } from "./features/account/delete-account.ts";
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
import type { Biller, StoredGuide } from "./ports.ts";
import type { AccountCaller } from "./caller.ts";
import type { Handlers } from "./run/run.ts";
import type { Ports, FaultListener, ServiceSettings } from "./settings/service-settings.ts";

/** Joins every operation's handler with what it needs. */
export function createHandlers(
  settings: ServiceSettings,
  { store, locator, source, pictures, images, biller, clock }: Ports & { readonly biller: Biller },
  guides: readonly StoredGuide[],
  baseUrl: () => string,
  { onNotice }: FaultListener,
): Handlers {
  const { quotaScope, queueLimit, queueLimitPerAccount, recognizer, languageQuality, rateLimits: limits } = settings;
  const limitsOf = ({ kind }: AccountCaller) => (kind === "key" ? limits : settings.sessionRateLimits);
  const {
    allowances,
    billing,
    bioEvents,
    bioPages,
    extensionCodes,
    keys,
    rateLimits,
    moderation,
    reports,
    scripts,
    sessions,
    thumbnails,
    transcriptions,
  } = store;
  const refreshSubscription = createRefreshSubscription({ billing, biller, clock, onNotice });
  const thumbnailOf = createThumbnailOf({ thumbnails, pictures, clock, baseUrl, onNotice });
  return {
    transcribeReel: transcribeReel({
      store,
      locator,
      clock,
      quotaScope,
      recognizer,
      queueLimit,
      queueLimitPerAccount,
    }),
    retranscribeScript: retranscribeScript({
      store,
      clock,
      quotaScope,
      recognizer,
      queueLimit,
      queueLimitPerAccount,
    }),
    getTranscription: getTranscription({ store, clock, quotaScope }),
    searchMyScripts: searchMyScripts({ scripts }),
    getScript: getScript({ scripts, recognizer }),
    getScriptText: getScriptText({ scripts }),
    getScriptSubtitles: getScriptSubtitles({ scripts }),
    getUsage: getUsage({ allowances, reports, clock, quotaScope }),
    resolveReel: resolveReel({ locator, source, transcriptions, moderation, thumbnailOf, clock }),
    getMe: getMe({ allowances, rateLimits, limitsOf, clock, quotaScope }),
    listCompetitorReports: listCompetitorReports({ reports }),
    getCompetitorReport: getCompetitorReport({ reports }),
    getMyBioPage: getMyBioPage({ bioPages, baseUrl }),
    updateBioPage: updateBioPage({
      bioPages,
      bioImages: store.bioImages,
      images,
      clock,
      baseUrl,
      newId: createNewId(),
    }),
    revertBioPage: revertBioPage({ bioPages, bioImages: store.bioImages, clock, baseUrl }),
    getBioAnalytics: getBioAnalytics({ bioEvents, clock }),
    listGuides: listGuides({ guides, baseUrl }),
    getGuide: getGuide({ guides, baseUrl }),
    getProductOverview: getProductOverview({ model: recognizer.model, languageQuality, baseUrl }),
    getPlans: getPlans({ quotaScope, limits }),
    getSession: getSession({ sampleReelUrl: settings.sampleReelUrl }),
    listSessions: listSessions({ sessions, clock }),
    revokeSession: revokeSession({ sessions, clock }),
    revokeOtherSessions: revokeOtherSessions({ sessions, clock }),
    approveExtension: approveExtension({ extensionCodes, clock }),
    connectExtension: connectExtension({ extensionCodes, sessions, clock, drawToken: createExtensionToken }),
    disconnectExtension: disconnectExtension({ sessions, clock }),
    listKeys: listKeys({ keys, allowances, clock, quotaScope }),
    createKey: createKey({ keys, clock, drawKey: createApiKey }),
    renameKey: renameKey({ keys }),
    revokeKey: revokeKey({ keys, clock }),
    listKeyRequests: listKeyRequests({ keys, keyRequests: store.keyRequests }),
    listScriptAccounts: listScriptAccounts({ scripts }),
    deleteScript: deleteScript({ scripts }),
    listScriptReels: listScriptReels({ scripts }),
    sendReelMedia: sendReelMedia({
      store,
      locator,
      clock,
      quotaScope,
      recognizer,
      queueLimit,
      queueLimitPerAccount,
      maxMediaBytes: settings.maxMediaBytes,
    }),
    importReport: importReport({ reports, clock }),
    deleteReport: deleteReport({ reports }),
    listReportFigures: listReportFigures({ reports }),
    listReportHooks: listReportHooks({ reports, scripts, locator }),
    claimBioHandle: claimBioHandle({ bioPages, clock, baseUrl }),
    getBioLinkHealth: getBioLinkHealth({ bioLinkHealth: store.bioLinkHealth, clock }),
    getBilling: getBilling({ billing }),
    startCheckout: startCheckout({ billing, biller, refreshSubscription, baseUrl }),
    openBillingPortal: openBillingPortal({ billing, biller, refreshSubscription, baseUrl }),
    exportAccount: exportAccount({
      keys,
      scripts,
      reports,
      bioPages,
      clock,
      baseUrl,
    }),
    deleteAccount: deleteAccount({
      accounts: store.accounts,
      clock,
      endSubscription: endSubscription({ billing, biller }),
    }),
  };
}

import { correctScript, getScriptCorrection, removeScriptCorrection } from "./transcripts/correction.ts";
import { createShareLink, listShareLinks, revokeShareLink } from "./transcripts/share-link.ts";
import { deleteAccount, exportAccount } from "./account/account.ts";
import { getBilling, openBillingPortal, startCheckout } from "./account/billing.ts";
import { getBioLinkHealth } from "./bio/bio-link-health.ts";
import { approveExtension, connectExtension, disconnectExtension } from "./account/extension.ts";
import { getBioAnalytics } from "./bio/bio-analytics.ts";
import { claimBioHandle } from "./bio/bio-handle.ts";
import { getMyBioPage, revertBioPage, updateBioPage } from "./bio/bio-page.ts";
import { getGuide, listGuides } from "./guide.ts";
import { getScript } from "./transcripts/full-script.ts";
import { createKey, listKeyRequests, listKeys, renameKey, revokeKey } from "./account/key.ts";
import { getScriptSubtitles, getScriptText } from "./transcripts/script-files.ts";
import { countScriptKinds, deleteScript, deleteScripts, listScriptAccounts } from "./transcripts/library.ts";
import { getMe } from "./account/me.ts";
import { getPlans, getProductOverview } from "./product.ts";
import { resolveReel } from "./reel.ts";
import { retranscribeScript } from "./transcripts/retranscribe.ts";
import { listReportFigures } from "./reports/report-figures.ts";
import { listReportHooks } from "./reports/report-hooks.ts";
import { deleteReport, getCompetitorReport, importReport, listCompetitorReports } from "./reports/report.ts";
import { sendReelMedia } from "./transcripts/reel-media.ts";
import { listScriptReels } from "./transcripts/script-reels.ts";
import { searchMyScripts } from "./transcripts/script.ts";
import { getSession, listSessions, revokeOtherSessions, revokeSession } from "./account/session.ts";
import { getTranscription, transcribeReel } from "./transcripts/transcription.ts";
import { getUsage } from "./account/usage.ts";
import { getUsageByDay } from "./account/usage-by-day.ts";
import { createWebhook, deleteWebhook, enableWebhook, listWebhooks, testWebhook } from "./account/webhook.ts";

/** The whole surface of the service. The keys are the operation ids and the client's method names. */
export const operations = {
  transcribeReel,
  getTranscription,
  searchMyScripts,
  getScript,
  getScriptText,
  getScriptSubtitles,
  retranscribeScript,
  getUsage,
  resolveReel,
  getMe,
  listCompetitorReports,
  getCompetitorReport,
  getMyBioPage,
  updateBioPage,
  revertBioPage,
  getBioAnalytics,
  listGuides,
  getGuide,
  getProductOverview,
  getPlans,
};
export type Operations = typeof operations;
export type OperationName = keyof Operations;

/** What only signed-in people may ask for, beside all of the above; never part of the documented interface of programs. */
export const peopleOperations = {
  getSession,
  listSessions,
  revokeSession,
  revokeOtherSessions,
  approveExtension,
  connectExtension,
  disconnectExtension,
  listKeys,
  createKey,
  renameKey,
  revokeKey,
  listKeyRequests,
  getUsageByDay,
  listWebhooks,
  createWebhook,
  deleteWebhook,
  enableWebhook,
  testWebhook,
  listScriptAccounts,
  countScriptKinds,
  deleteScript,
  deleteScripts,
  getScriptCorrection,
  correctScript,
  removeScriptCorrection,
  listShareLinks,
  createShareLink,
  revokeShareLink,
  listScriptReels,
  sendReelMedia,
  importReport,
  deleteReport,
  listReportFigures,
  listReportHooks,
  claimBioHandle,
  getBioLinkHealth,
  getBilling,
  startCheckout,
  openBillingPortal,
  exportAccount,
  deleteAccount,
};
export type PeopleOperations = typeof peopleOperations;
export type PeopleOperationName = keyof PeopleOperations;

/** Everything that a signed-in person may ask for. */
export const allOperations = { ...operations, ...peopleOperations };
export type AllOperations = typeof allOperations;
export type AnyOperationName = keyof AllOperations;

/** What a connected browser extension may ask for with its token, and nothing else. */
export const extensionOperations = [
  "importReport",
  "transcribeReel",
  "getTranscription",
  "sendReelMedia",
  "listScriptReels",
  "getScript",
  "getUsage",
  "disconnectExtension",
] as const satisfies readonly AnyOperationName[];
export type ExtensionOperationName = (typeof extensionOperations)[number];

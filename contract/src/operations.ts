import { correctScript, getScriptCorrection, removeScriptCorrection } from "./transcripts/correction.ts";
import { createReportLink, listReportLinks, revokeReportLink } from "./reports/report-link.ts";
import { createShareLink, listShareLinks, revokeShareLink } from "./transcripts/share-link.ts";
import { deleteAccount, exportAccount, getMe } from "./account/account.ts";
import { getBilling, openBillingPortal, startCheckout } from "./account/billing.ts";
import {
  checkBioHandle,
  claimBioHandle,
  getBioLinkHealth,
  getMyBioPage,
  revertBioPage,
  updateBioPage,
} from "./bio/bio-page.ts";
import { approveExtension, connectExtension, disconnectExtension } from "./account/extension.ts";
import { getBioAnalytics } from "./bio/bio-analytics.ts";
import { getGuide, listGuides } from "./guide.ts";
import { cancelBatch, createBatch, getBatch, listBatches, retryBatch } from "./transcripts/batch.ts";
import { createFile, deleteFile, getFile, renameScript } from "./transcripts/file.ts";
import { createVideo, deleteVideo, getVideo, listVideos } from "./transcripts/video.ts";
import { getScript } from "./transcripts/full-script.ts";
import {
  createKey,
  disconnectProgram,
  listKeyRequests,
  listKeys,
  listPrograms,
  renameKey,
  revokeKey,
} from "./account/key.ts";
import {
  getScriptSubtitles,
  getScriptText,
  countScriptKinds,
  deleteScript,
  deleteScripts,
  eraseScripts,
  listScriptAccounts,
  listScriptReels,
  restoreScripts,
} from "./transcripts/library.ts";
import {
  changeAccountPlan,
  inviteAccount,
  listAccounts,
  suspendAccount,
  unsuspendAccount,
} from "./operator/operator-accounts.ts";
import { cancelQueued, drainQueue, listQueue, resumeQueue, retryQueued } from "./operator/operator-queue.ts";
import { getServiceStatus, listAudit } from "./operator/operator-status.ts";
import { getPlans, getProductOverview } from "./product.ts";
import { resolveReel } from "./reel.ts";
import {
  retranscribeScript,
  sendReelMedia,
  getTranscription,
  listTranscriptions,
  transcribeReel,
} from "./transcripts/transcription.ts";
import {
  listReportFigures,
  listReportHooks,
  deleteReport,
  getCompetitorReport,
  importReport,
  listCompetitorReports,
} from "./reports/competitor-reports.ts";
import { deleteSavedSearch, listSavedSearches, saveSearch } from "./transcripts/saved-search.ts";
import { listTags, setScriptTags } from "./transcripts/tag.ts";
import { tagScripts } from "./transcripts/tag-scripts.ts";
import { translateScript } from "./transcripts/translation.ts";
import { linkScriptExport, searchMyScripts } from "./transcripts/search-my-scripts.ts";
import { getSession, listSessions, revokeOtherSessions, revokeSession } from "./account/session.ts";
import { getUsage, getUsageByDay } from "./account/usage.ts";
import {
  createWebhook,
  deleteWebhook,
  enableWebhook,
  listWebhookDeliveries,
  listWebhooks,
  redeliverWebhook,
  rotateWebhook,
  testWebhook,
} from "./account/webhook.ts";

/** All operations for programs. The keys are the operation ids and the client's method names. */
export const operations = {
  transcribeReel,
  getTranscription,
  listTranscriptions,
  createBatch,
  listBatches,
  getBatch,
  cancelBatch,
  retryBatch,
  createFile,
  getFile,
  deleteFile,
  createVideo,
  listVideos,
  getVideo,
  deleteVideo,
  searchMyScripts,
  tagScripts,
  getScript,
  setScriptTags,
  deleteScript,
  renameScript,
  getScriptText,
  getScriptSubtitles,
  retranscribeScript,
  translateScript,
  deleteScripts,
  restoreScripts,
  linkScriptExport,
  listTags,
  getUsage,
  resolveReel,
  getMe,
  listCompetitorReports,
  getCompetitorReport,
  getMyBioPage,
  updateBioPage,
  revertBioPage,
  getBioAnalytics,
  listWebhooks,
  createWebhook,
  enableWebhook,
  testWebhook,
  listWebhookDeliveries,
  redeliverWebhook,
  rotateWebhook,
  deleteWebhook,
  listGuides,
  getGuide,
  getProductOverview,
  getPlans,
};
export type Operations = typeof operations;
export type OperationName = keyof Operations;

/** Additional operations for signed-in people; they aren't in the documented interface for programs. */
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
  listPrograms,
  disconnectProgram,
  getUsageByDay,
  listScriptAccounts,
  countScriptKinds,
  eraseScripts,
  listSavedSearches,
  saveSearch,
  deleteSavedSearch,
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
  listReportLinks,
  createReportLink,
  revokeReportLink,
  checkBioHandle,
  claimBioHandle,
  getBioLinkHealth,
  getBilling,
  startCheckout,
  openBillingPortal,
  exportAccount,
  deleteAccount,
};

/** Additional operations for people who operate the service; to everybody else they don't exist. */
export const operatorOperations = {
  getServiceStatus,
  listQueue,
  retryQueued,
  cancelQueued,
  drainQueue,
  resumeQueue,
  listAccounts,
  changeAccountPlan,
  suspendAccount,
  unsuspendAccount,
  inviteAccount,
  listAudit,
};

/** The names of all tools, as the operations declare them. */
export type ToolName = NonNullable<Operations[OperationName]["tools"]>[number]["name"];

export type PeopleOperations = typeof peopleOperations;
export type PeopleOperationName = keyof PeopleOperations;
export type OperatorOperationName = keyof typeof operatorOperations;

/** All operations of signed-in people, including the operator's. */
export const allOperations = { ...operations, ...peopleOperations, ...operatorOperations };
export type AllOperations = typeof allOperations;
export type AnyOperationName = keyof AllOperations;

/** The only operations that a connected browser extension may call with its token. */
export const extensionOperations = [
  "importReport",
  "transcribeReel",
  "getTranscription",
  "createBatch",
  "getBatch",
  "retryBatch",
  "cancelBatch",
  "sendReelMedia",
  "listScriptReels",
  "getScript",
  "searchMyScripts",
  "getUsage",
  "getProductOverview",
  "disconnectExtension",
] as const satisfies readonly AnyOperationName[];
export type ExtensionOperationName = (typeof extensionOperations)[number];

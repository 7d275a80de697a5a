import { deleteAccount, exportAccount } from "./account.ts";
import { getBilling, openBillingPortal, startCheckout } from "./billing.ts";
import { getBioAnalytics } from "./bio-analytics.ts";
import { claimBioHandle } from "./bio-handle.ts";
import { getMyBioPage, revertBioPage, updateBioPage } from "./bio-page.ts";
import { getGuide, listGuides } from "./guide.ts";
import { getScript } from "./full-script.ts";
import { createKey, listKeyRequests, listKeys, revokeKey } from "./key.ts";
import { deleteScript, listScriptAccounts } from "./library.ts";
import { getMe } from "./me.ts";
import { getPlans, getProductOverview } from "./product.ts";
import { resolveReel } from "./reel.ts";
import { getCompetitorReport, importReport, listCompetitorReports } from "./report.ts";
import { searchMyScripts } from "./script.ts";
import { getSession, listSessions, revokeOtherSessions, revokeSession } from "./session.ts";
import { getTranscription, transcribeReel } from "./transcription.ts";
import { getUsage } from "./usage.ts";

export { BioAnalytics, bioDefinitions, deviceNames } from "./bio-analytics.ts";
export { BioContent, type BioLink } from "./bio-content.ts";
export { BioHandle, isReservedHandle } from "./bio-handle.ts";
export { keptBioRevisions, type BioChange, type BioPage } from "./bio-page.ts";
export { dayNames } from "./day-names.ts";
export { engagementRate } from "./engagement-rate.ts";
export { type FullScript } from "./full-script.ts";
export { Guide, guideCategories, GuideCategory } from "./guide.ts";
export { rememberedRequests, type Key } from "./key.ts";
export { Me } from "./me.ts";
export { operation, type Format, type Operation, type Tool } from "./operation.ts";
export { PlanName } from "./plan-name.ts";
export { recognitionQualities, type RecognitionQuality } from "./product.ts";
export { Receipt } from "./receipt.ts";
export { Reel } from "./reel.ts";
export { largestCollection, ReelCollection } from "./reel-collection.ts";
export {
  CompetitorReport,
  CompetitorReportSummary,
  ReportFindings,
  type PostingHour,
  type PostingTime,
  type ReportWeek,
  type TopReel,
} from "./report.ts";
export { listedTranscriptLength, Script } from "./script.ts";
export { ErrorEnvelope, errors, ServiceError, type ErrorCode, type InvalidRequestStatus } from "./service-error.ts";
export { type Session } from "./session.ts";
export { tags, type Tag } from "./tag.ts";
export { TranscribeResult, type Transcription } from "./transcription.ts";
export { TranscriptionUsage, Usage } from "./usage.ts";
export {
  bioHandleLimits,
  bioLimits,
  bioPresets,
  contrastOf,
  contrastProblem,
  keysPerAccount,
  languageCodes,
  languages,
  leastContrast,
  mixOf,
  plans,
  readableGround,
  readableInk,
  supportedLanguage,
  type Language,
} from "./values.ts";

/** The whole surface of the service. The keys are the operation ids and the client's method names. */
export const operations = {
  transcribeReel,
  getTranscription,
  searchMyScripts,
  getScript,
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
  listKeys,
  createKey,
  revokeKey,
  listKeyRequests,
  listScriptAccounts,
  deleteScript,
  importReport,
  claimBioHandle,
  getBilling,
  startCheckout,
  openBillingPortal,
  exportAccount,
  deleteAccount,
};
export type PeopleOperations = typeof peopleOperations;
export type PeopleOperationName = keyof PeopleOperations;

/** Where signed-in people reach all operations, with a session instead of a key. */
export const peopleBasePath = "/app/api";

/** Where the REST operations live under the service's address; carries the major version. */
export const restBasePath = "/api/v1";

import { getBioAnalytics } from "./bio-analytics.ts";
import { getMyBioPage, revertBioPage, updateBioPage } from "./bio-page.ts";
import { getGuide, listGuides } from "./guide.ts";
import { getScript } from "./full-script.ts";
import { getMe } from "./me.ts";
import { getPlans, getProductOverview } from "./product.ts";
import { resolveReel } from "./reel.ts";
import { getCompetitorReport, listCompetitorReports } from "./report.ts";
import { searchMyScripts } from "./script.ts";
import { getTranscription, transcribeReel } from "./transcription.ts";
import { getUsage } from "./usage.ts";

export { BioAnalytics, bioDefinitions, deviceNames } from "./bio-analytics.ts";
export { BioContent, bioLimits, type BioLink } from "./bio-content.ts";
export { keptBioRevisions, type BioChange, type BioPage } from "./bio-page.ts";
export { engagementRate } from "./engagement-rate.ts";
export { type FullScript } from "./full-script.ts";
export { Guide, guideCategories, GuideCategory } from "./guide.ts";
export { languageCodes, languages, supportedLanguage, type Language } from "./language.ts";
export { Me } from "./me.ts";
export { operation, type Format, type Operation, type Tool } from "./operation.ts";
export { keysPerAccount, plans, PlanName } from "./plan.ts";
export { recognitionQualities, type RecognitionQuality } from "./product.ts";
export { Receipt } from "./receipt.ts";
export { Reel } from "./reel.ts";
export { largestCollection, ReelCollection } from "./reel-collection.ts";
export { CompetitorReport, CompetitorReportSummary, ReportFindings, type PostingTime, type TopReel } from "./report.ts";
export { listedTranscriptLength, Script } from "./script.ts";
export { ErrorEnvelope, errors, ServiceError, type ErrorCode, type InvalidRequestStatus } from "./service-error.ts";
export { tags, type Tag } from "./tag.ts";
export { TranscribeResult, type Transcription } from "./transcription.ts";
export { TranscriptionUsage, Usage } from "./usage.ts";

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

/** Where the REST operations live under the service's address; carries the major version. */
export const restBasePath = "/api/v1";

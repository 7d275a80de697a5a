export { BioAnalytics, bioDefinitions, deviceNames } from "./bio/bio-analytics.ts";
export { BioContent, type BioLink } from "./bio/bio-content.ts";
export { BioHandle, isReservedHandle } from "./bio/bio-handle.ts";
export { keptBioRevisions, type BioChange, type BioPage } from "./bio/bio-page.ts";
export { cleanLine } from "./transcripts/correction.ts";
export { fewestReels, reportSentences } from "./values/comparison-words.ts";
export { dayNames } from "./values/day-names.ts";
export { engagementRate } from "./reports/engagement-rate.ts";
export { subtitlesOf, type FullScript } from "./transcripts/full-script.ts";
export { Guide, guideCategories, GuideCategory } from "./guide.ts";
export { mostUsageDays } from "./account/usage-by-day.ts";
export { rememberedRequests, type Key } from "./account/key.ts";
export { Me } from "./account/me.ts";
export {
  allOperations,
  extensionOperations,
  operations,
  peopleOperations,
  type AllOperations,
  type AnyOperationName,
  type ExtensionOperationName,
  type OperationName,
  type Operations,
  type PeopleOperationName,
  type PeopleOperations,
} from "./operations.ts";
export { onlyReads, operation, type Format, type Operation, type Tool } from "./operation.ts";
export { PlanName } from "./account/plan-name.ts";
export { recognitionQualities, type RecognitionQuality } from "./product.ts";
export { Receipt } from "./transcripts/receipt.ts";
export { Reel } from "./reel.ts";
export { largestCollection, ReelCollection } from "./reports/reel-collection.ts";
export {
  CompetitorReport,
  CompetitorReportSummary,
  ReportFindings,
  type Comparison,
  type PostingHour,
  type PostingTime,
  type ReportWeek,
  type TopReel,
  ReportMetrics,
} from "./reports/report.ts";
export { longestHook } from "./reports/report-hooks.ts";
export { listedTranscriptLength, Script } from "./transcripts/script.ts";
export { withImages } from "./bio/with-images.ts";
export { ErrorEnvelope } from "./error-envelope.ts";
export { type Session } from "./account/session.ts";
export { tags, type Tag } from "./tag.ts";
export { TranscribeResult, type Transcription } from "./transcripts/transcription.ts";
export { TranscriptionUsage, Usage } from "./account/usage.ts";
export { webhookEvents, type Webhook } from "./account/webhook.ts";
export {
  bioHandleLimits,
  bioLimits,
  bioPresets,
  contrastOf,
  contrastProblem,
  errorReasons,
  errors,
  fieldPlace,
  fieldsInPath,
  fillPath,
  hasBody,
  hostedImageId,
  hostedImagePath,
  keysPerAccount,
  languageCodes,
  languages,
  leastContrast,
  mixOf,
  peopleBasePath,
  plans,
  readableGround,
  readableInk,
  restBasePath,
  scriptLengthNames,
  scriptLengthOf,
  ServiceError,
  supportedLanguage,
  shareLinksPerAccount,
  webhooksPerAccount,
  type ErrorCode,
  type ErrorReason,
  type InvalidRequestStatus,
  type Language,
  type RequestShape,
  type ScriptLength,
} from "./values.ts";

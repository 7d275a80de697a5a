export {
  type Batch,
  type BatchCounts,
  type BatchEstimate,
  type BatchLink,
  type ListedBatch,
} from "./transcripts/batch.ts";
export { BioAnalytics, bioDefinitions, deviceNames } from "./bio/bio-analytics.ts";
export { BioContent, type BioLink } from "./bio/bio-content.ts";
export { BioHandle, isReservedHandle } from "./bio/bio-handle.ts";
export {
  BioUpdateInput,
  keptBioRevisions,
  listedBioRevisions,
  type BioChange,
  type BioPage,
  withImages,
} from "./bio/bio-page.ts";
export { namesService, outlineOf } from "./bio/look-alikes.ts";
export { cleanLine } from "./transcripts/correction.ts";
export {
  engagementRate,
  listedTranscriptLength,
  longestSentence,
  mostHits,
  Receipt,
  Script,
} from "./transcripts/script.ts";
export { usualRules, type SubtitleRules } from "./subtitles/subtitle-rules.ts";
export { OwnFile } from "./transcripts/file.ts";
export type { SubtitledVideo } from "./transcripts/video.ts";
export { videoSubtitleFile } from "./subtitles/substation-alpha.ts";
export { videoCues } from "./subtitles/video-cues.ts";
export { videoStyleNames, type VideoStyleName } from "./subtitles/video-styles.ts";
export {
  bareTextOf,
  subtitlesOf,
  type FullScript,
  type SubtitleFormat,
  type Subtitles,
  type TextOfFile,
} from "./transcripts/full-script.ts";
export { Translation } from "./transcripts/translation.ts";
export { TranslationText } from "./transcripts/translation-text.ts";
export { Guide, guideCategories, GuideCategory } from "./guide.ts";
export { mostUsageDays, PlanName, TranscriptionUsage, Usage } from "./account/usage.ts";
export { rememberedRequests, type Key } from "./account/key.ts";
export { Me } from "./account/account.ts";
export {
  allOperations,
  extensionOperations,
  operations,
  operatorOperations,
  peopleOperations,
  type AllOperations,
  type AnyOperationName,
  type ExtensionOperationName,
  type OperationName,
  type Operations,
  type OperatorOperationName,
  type PeopleOperationName,
  type PeopleOperations,
  type ToolName,
} from "./operations.ts";
export { onlyReads, operation, type Format, type Operation, type Tool, sections, type Section } from "./operation.ts";
export { Reel } from "./reel.ts";
export type { TranscribeReason } from "./transcripts/reel-reasons.ts";
export {
  earliestMoment,
  largestCollection,
  longestCaption,
  longestVideo,
  ReelCollection,
} from "./reports/reel-collection.ts";
export {
  CompetitorReport,
  CompetitorReportSummary,
  ReportFindings,
  type Comparison,
  type KindOfReels,
  type PostingBlock,
  type PostingHour,
  type PostingTime,
  type ReportWeek,
  ReportMetrics,
  StoredReportMetrics,
} from "./reports/report.ts";
export {
  type Benchmark,
  benchmarkedMetrics,
  type NotCompared,
  type ReportAdvice,
  type SteadyFigure,
} from "./reports/report-advice.ts";
export { type TopReel } from "./reports/top-reel.ts";
export { wholeScripts } from "./transcripts/search-my-scripts.ts";
export { ErrorEnvelope } from "./error-envelope.ts";
export { type Session } from "./account/session.ts";
export { listedMilliseconds, TranscribeResult, type Transcription } from "./transcripts/transcription.ts";
export {
  BatchEvent,
  formerSecretHours,
  listedDeliveries,
  redeliveriesPerMinute,
  TestEvent,
  TranscriptionEvent,
  webhookEvents,
  webhookProblems,
  type Webhook,
  type WebhookDelivery,
  type WebhookPayload,
} from "./account/webhook.ts";
export * from "./values.ts";

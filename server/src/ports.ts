export type { Account, Accounts, ApiKey, Keys } from "./ports/accounts.ts";
export type { Allowance, Allowances } from "./ports/allowances.ts";
export type {
  BilledSubscription,
  Biller,
  BillingEvent,
  DevelopmentBillerPages,
  DevelopmentPage,
  PaidPlan,
  Payment,
  SubscriptionStatus,
} from "./ports/biller.ts";
export type { Billing, StoredSubscription } from "./ports/billing.ts";
export type { BioEvents, BioExclusion, BioFigures, BioPages, BioVisit, StoredBioPage } from "./ports/bio.ts";
export type { Clock, NewId } from "./ports/clock.ts";
export type { StoredGuide } from "./ports/guides.ts";
export type { IdempotentAnswer, IdempotentAnswers } from "./ports/idempotent-answers.ts";
export type { Identities, SignInAttempts } from "./ports/identities.ts";
export type { KeyRequest, KeyRequests } from "./ports/key-requests.ts";
export type { RateBucket, RateLimits, RateState } from "./ports/rate-limits.ts";
export type { ReelAddress, ReelDetails, ReelIdentity, ReelLocator, ReelSource } from "./ports/reels.ts";
export type { PostAllowance, Report, Reports, ReportSummary } from "./ports/reports.ts";
export type { ListPosition, ScriptRow, Scripts } from "./ports/scripts.ts";
export type { Sessions, StoredSession } from "./ports/sessions.ts";
export type { Store } from "./ports/store.ts";
export type { Picture, PictureSize, PictureSource, Thumbnails } from "./ports/thumbnails.ts";
export type {
  Claim,
  Failure,
  StoredTranscription,
  TranscriptionRequest,
  TranscriptionState,
  Transcriptions,
} from "./ports/transcriptions.ts";
export type { Segment, Transcriber, Transcript } from "./ports/transcripts.ts";

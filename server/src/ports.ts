export type { Account, Accounts, ApiKey, Keys } from "./ports/accounts.ts";
export type { Allowance, Allowances, UsedBySlot } from "./ports/allowances.ts";
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
export type {
  BioAddress,
  BioEvents,
  BioBatch,
  BioExclusion,
  BioOutcome,
  BioFigures,
  BioPages,
  BioVisit,
  ListedBioPage,
  ListedBioPages,
  PublicBioPages,
  StoredBioPage,
} from "./ports/bio/bio.ts";
export type { BioImages, Crop, DrawnImage, ImageForm, ImageSource } from "./ports/bio/bio-images.ts";
export type { BioLinkHealth, LinkState, ProbeLink } from "./ports/bio/bio-links.ts";
export type { Canary } from "./ports/canary.ts";
export type { Clock, NewId } from "./ports/clock.ts";
export type { Correctable, Corrections } from "./ports/library/corrections.ts";
export type { ExtensionCodes } from "./ports/sessions/extension-codes.ts";
export type { StoredGuide } from "./ports/guides.ts";
export type { IdempotentAnswer, IdempotentAnswers } from "./ports/idempotent-answers.ts";
export type { Identities, SignInAttempts } from "./ports/sessions/identities.ts";
export type { KeyRequest, KeyRequests } from "./ports/key-requests.ts";
export type { AuditEntry, ModeratedBioPage, Moderation, NamedBioPage } from "./ports/moderation.ts";
export type { PeriodicTask, TaskLeases } from "./ports/periodic.ts";
export type { RateBucket, RateLimits, RateState } from "./ports/rate-limits.ts";
export type {
  PlatformContact,
  ReelAddress,
  ReelDetails,
  ReelIdentity,
  ReelLocator,
  ReelSource,
} from "./ports/reels.ts";
export type {
  RecognizerVersion,
  RepairOutcome,
  RepairRequest,
  RepairRun,
  Repairs,
  RepairSelection,
} from "./ports/repairs.ts";
export type { Objects } from "./ports/objects.ts";
export type { Remnants } from "./ports/remnants.ts";
export type { PostAllowance, Report, Reports, ReportSummary } from "./ports/reports.ts";
export type { FoundScript, ListPosition, ScriptRow, Scripts } from "./ports/library/scripts.ts";
export type { SentMedia } from "./ports/sent-media.ts";
export type { Sessions, StoredSession } from "./ports/sessions/sessions.ts";
export type { ShareLink, ShareLinks } from "./ports/library/share-links.ts";
export type { Store } from "./ports/store.ts";
export type { StoredWebhook, WebhookAttempt, WebhookSender, Webhooks } from "./ports/webhooks.ts";
export type { FellowWorker, Workers } from "./ports/workers.ts";
export type { PlatformTurns } from "./ports/platform-turns.ts";
export type { Picture, PictureSize, PictureSource, Thumbnails } from "./ports/thumbnails.ts";
export type {
  Claim,
  Failure,
  InterimText,
  NumberedPassage,
  Passage,
  StoredTranscription,
  TranscriptionOutcome,
  TranscriptionRequest,
  TranscriptionState,
  Transcriptions,
} from "./ports/transcriptions.ts";
export type {
  CachedTranscript,
  Gap,
  NewTranscript,
  Segment,
  OwnText,
  SpokenText,
  Transcriber,
  Transcript,
  Word,
} from "./ports/transcripts.ts";

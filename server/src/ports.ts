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
export {
  type Canary,
  type PlatformContact,
  type ReelAddress,
  type ReelDetails,
  type ReelIdentity,
  type ReelLocator,
  type ReelSource,
  type Picture,
  type PictureSize,
  type PictureSource,
  type Thumbnails,
} from "./ports/reels.ts";
export type { Clock, NewId } from "./ports/clock.ts";
export type { Correctable, Corrections } from "./ports/library/corrections.ts";
export type { FetchDocument, OauthArtifacts } from "./ports/sessions/oauth-artifacts.ts";
export type { ExtensionCodes } from "./ports/sessions/extension-codes.ts";
export type { StoredGuide } from "./ports/guides.ts";
export type { IdempotentAnswer, IdempotentAnswers } from "./ports/idempotent-answers.ts";
export type { Identities, SignInAttempts } from "./ports/sessions/identities.ts";
export type { KeyRequest, KeyRequests } from "./ports/key-requests.ts";
export type { AuditEntry, ModeratedBioPage, Moderation, NamedBioPage } from "./ports/moderation.ts";
export type { PeriodicTask, TaskLeases } from "./ports/periodic.ts";
export type { RateBucket, RateLimits, RateState } from "./ports/rate-limits.ts";
export type {
  RecognizerVersion,
  RetranscriptionStart,
  RetranscriptionRun,
  Retranscriptions,
  RetranscriptionSelection,
} from "./ports/retranscriptions.ts";
export type { RetranscriptionOutcome } from "./ports/transcriptions.ts";
export type { Objects } from "./ports/objects.ts";
export type { Store } from "./ports/store.ts";
export type { PostAllowance, Report, Reports } from "./ports/reports.ts";
export type { FoundScript, ListPosition, ScriptRow, Scripts } from "./ports/library/scripts.ts";
export type { SentMedia } from "./ports/sent-media.ts";
export type { Sessions, StoredSession } from "./ports/sessions/sessions.ts";
export type { ShareLink, ShareLinks } from "./ports/library/share-links.ts";
export type { StoredDelivery, StoredWebhook, WebhookAttempt, WebhookSender, Webhooks } from "./ports/webhooks.ts";
export {
  type FellowWorker,
  type Workers,
  type PlatformPace,
  type Claim,
  type Failure,
  type InterimText,
  type NumberedPassage,
  type ListedTranscription,
  type StoredTranscription,
  type TranscriptionOutcome,
  type TranscriptionRequest,
  type TranscriptionState,
  type Transcriptions,
} from "./ports/transcriptions.ts";
export { type Passage } from "./ports/transcripts.ts";
export type {
  CachedTranscript,
  Gap,
  NewTranscript,
  Segment,
  OwnText,
  Transcriber,
  Transcript,
  Word,
} from "./ports/transcripts.ts";

import type { Language, RecognitionQuality } from "@reelscript/contract";
import type { AccountCaller } from "../caller.ts";
import type {
  Biller,
  Clock,
  FetchDocument,
  ImageSource,
  LongWork,
  NewId,
  PictureSource,
  RecognizerVersion,
  ReelLocator,
  ReelSource,
  Store,
  StoredGuide,
  WebhookSender,
} from "../ports.ts";
import type { createApiKey, createExtensionToken, createShareToken } from "../callers/api-key.ts";
import type { QuotaScope } from "../rules/allowance.ts";
import type { RateLimitSettings, SessionRateLimits } from "./admission.ts";
import type { ExportTurns } from "./export-turns.ts";
import type { AskPlatform } from "./ask-platform.ts";

/** The dependencies of handlers and pages; each one lists those that it uses. */
export type Needs<Name extends keyof AllNeeds> = Pick<AllNeeds, Name>;

export interface AllNeeds extends Store {
  readonly store: Store;
  readonly locator: ReelLocator;
  readonly source: ReelSource;
  readonly askPlatform: AskPlatform;
  readonly pictures: PictureSource;
  readonly images: ImageSource;
  readonly webhookSender: WebhookSender;
  readonly biller: Biller;
  readonly fetchDocument: FetchDocument;
  readonly longWork: LongWork;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly drawKey: typeof createApiKey;
  readonly drawToken: typeof createExtensionToken;
  readonly drawShareToken: typeof createShareToken;
  readonly exportTurns: ExportTurns;
  readonly guides: readonly StoredGuide[];
  /** The service's address, as users see it. */
  readonly baseUrl: () => string;
  /** Address for reports of bio pages. */
  readonly abuseContact?: string | undefined;
  /** The sample reel, which anybody may transcribe without charge, if there is one. */
  readonly sampleReelUrl?: string | undefined;
  readonly quotaScope: QuotaScope;
  readonly limits: RateLimitSettings;
  readonly limitsOf: (caller: Pick<AccountCaller, "kind">) => SessionRateLimits;
  readonly queueLimit: number;
  readonly queueLimitPerAccount: number;
  readonly maxMediaBytes: number;
  readonly sentBytesPerHour: number;
  readonly recognizer: RecognizerVersion;
  readonly languageQuality: Readonly<Record<Language, RecognitionQuality>>;
  readonly languageErrors: Readonly<
    Partial<Record<Language, { readonly wordErrorPercent: number; readonly clips: number }>>
  >;
  /** Receives errors that are our fault. */
  readonly onFault: (error: unknown, where: string) => void;
  /** Receives errors with outside causes, such as an unavailable storage. */
  readonly onNotice: (error: unknown, where: string) => void;
}

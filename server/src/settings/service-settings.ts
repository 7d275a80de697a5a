import type { Language, RecognitionQuality } from "@reelscript/contract";
import type {
  Biller,
  Canary,
  Clock,
  DevelopmentBillerPages,
  ImageSource,
  PictureSource,
  FetchDocument,
  ProbeLink,
  RecognizerVersion,
  ReelLocator,
  ReelSource,
  Store,
  Transcriber,
  WebhookSender,
} from "../ports.ts";
import type { RateLimitSettings, SessionRateLimits } from "../run/run.ts";
import type { SignInSettings } from "../sign-in/sign-in-parts.ts";

export interface ServiceSettings {
  readonly host: string;
  readonly port: number;
  /** The address that users see; derived from host and port when not set. */
  readonly baseUrl: string | undefined;
  readonly trustProxy: boolean | string;
  /** The header in which a trusted proxy names the visitor's country, in small letters. */
  readonly countryHeader?: string | undefined;
  /** Origins of pages that may call MCP, besides the service's own. */
  readonly corsOrigins?: readonly string[] | undefined;
  /** Where people report weaknesses: an https or mailto URL. */
  readonly securityContact?: string | undefined;
  /** Where people report bio pages: an https or mailto URL. */
  readonly abuseContact?: string | undefined;
  /** Who runs the service, for the pages about privacy and terms; the address has lines. */
  readonly operator?:
    | {
        readonly name?: string | undefined;
        readonly address?: string | undefined;
        readonly contact?: string | undefined;
      }
    | undefined;
  /** How long a request may take to arrive, in seconds; 30 unless given. */
  readonly bodySeconds?: number | undefined;
  /** How long one may stall meanwhile; 5 unless given. */
  readonly stallSeconds?: number | undefined;
  /** A reel of the stand-in for a first try, where it runs. */
  readonly sampleReelUrl?: string | undefined;
  /** Where the stand-in's videos come from, where it runs. */
  readonly videoOrigins?: readonly string[] | undefined;
  readonly role: "all" | "api" | "worker";
  readonly quotaScope: "key" | "account";
  readonly rateLimits: RateLimitSettings;
  readonly sessionRateLimits: SessionRateLimits;
  /** How people sign in, and how many requests of it one network may make in an hour. */
  readonly signIn: SignInSettings;
  readonly signInLimit: number;
  readonly queueLimit: number;
  readonly queueLimitPerAccount: number;
  /** Transcriptions that are recognized at a time; one more is fetched meanwhile. */
  readonly slots: number;
  /** Where media lie while they are worked on; theirs alone. */
  readonly workDirectory: string;
  /** What hears the reels: what it refused or heard once, another model or revision may hear better. */
  readonly recognizer: RecognizerVersion;
  /** Of one media file; the disk must have room for it before a transcription is claimed. */
  readonly maxMediaBytes: number;
  /** Of the media that an account sends from browsers. */
  readonly sentBytesPerHour: number;
  /** How well it reads each language. */
  readonly languageQuality: Readonly<Record<Language, RecognitionQuality>>;
}

export interface Ports {
  readonly store: Store;
  readonly locator: ReelLocator;
  readonly source: ReelSource;
  readonly canary?: Canary | undefined;
  readonly pictures: PictureSource;
  /** Images that people bring for their bio pages. */
  readonly images: ImageSource;
  readonly probeLink: ProbeLink;
  readonly webhookSender: WebhookSender;
  readonly fetchDocument: FetchDocument;
  /** Not needed by a process that only answers the API. */
  readonly transcriber: Transcriber | undefined;
  /** Not needed by a process that only works the queue. */
  readonly biller: Biller | undefined;
  /** The pages on which people pay where the biller is the one for development. */
  readonly developmentBiller?: DevelopmentBillerPages | undefined;
  readonly clock: Clock;
}

/** Gets what callers may not see. */
export interface FaultListener {
  /** Something of ours broke. */
  readonly onFault: (error: unknown, where: string) => void;
  /** Something outside was not as it should be. */
  readonly onNotice: (error: unknown, where: string) => void;
}

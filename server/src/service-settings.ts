import type { Language, RecognitionQuality } from "@reelscript/contract";
import type {
  Biller,
  Clock,
  DevelopmentBillerPages,
  PictureSource,
  ReelLocator,
  ReelSource,
  Store,
  Transcriber,
} from "./ports.ts";
import type { RateLimitSettings, SessionRateLimits } from "./run.ts";
import type { SignInSettings } from "./sign-in/create-sign-in.ts";

export interface ServiceSettings {
  readonly host: string;
  readonly port: number;
  /** The address that users see; derived from host and port when not set. */
  readonly baseUrl: string | undefined;
  readonly trustProxy: boolean | string;
  readonly role: "all" | "api" | "worker";
  readonly quotaScope: "key" | "account";
  readonly rateLimits: RateLimitSettings;
  readonly sessionRateLimits: SessionRateLimits;
  /** How people sign in, and how many requests of it one network may make in an hour. */
  readonly signIn: SignInSettings;
  readonly signInLimit: number;
  readonly queueLimit: number;
  /** Transcriptions that are recognised at a time; one more is fetched meanwhile. */
  readonly slots: number;
  /** Where media lie while they are worked on; theirs alone. */
  readonly workDirectory: string;
  /** What remembers a refusal: another model may do better. */
  readonly model: string;
  /** How well it reads each language. */
  readonly languageQuality: Readonly<Record<Language, RecognitionQuality>>;
}

export interface Ports {
  readonly store: Store;
  readonly locator: ReelLocator;
  readonly source: ReelSource;
  readonly pictures: PictureSource;
  /** Not needed by a process that only answers the API. */
  readonly transcriber: Transcriber | undefined;
  /** Not needed by a process that only works the queue. */
  readonly biller: Biller | undefined;
  /** The pages on which people pay where the biller is the one for development. */
  readonly developmentBiller?: DevelopmentBillerPages | undefined;
  readonly clock: Clock;
}

/** Gets what callers may not see. */
export interface Report {
  /** Something of ours broke. */
  readonly onFault: (error: unknown, where: string) => void;
  /** Something outside was not as it should be. */
  readonly onNotice: (error: unknown, where: string) => void;
}

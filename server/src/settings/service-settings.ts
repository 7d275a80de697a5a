import type { Language, RecognitionQuality } from "@reelscript/contract";
import type { ReadingErrors } from "@reelscript/whisper";
import type {
  Biller,
  Canary,
  CheckParts,
  Clock,
  ImageSource,
  LocalCheckout,
  Mailer,
  PictureSource,
  FetchDocument,
  ProbeLink,
  RecognizerVersion,
  ReelLocator,
  ReelSource,
  Store,
  Transcriber,
  VideoRenderer,
  WebhookSender,
} from "../ports.ts";
import type { Config } from "./config.ts";

export interface ServiceSettings
  extends
    Pick<
      Config,
      | "host"
      | "port"
      | "baseUrl"
      | "trustProxy"
      | "role"
      | "quotaScope"
      | "callLimits"
      | "platformLimit"
      | "messageLimit"
      | "followingLimit"
      | "rateLimits"
      | "sessionRateLimits"
      | "signIn"
      | "signInLimit"
      | "programLimit"
      | "queueLimit"
      | "queueLimitPerAccount"
      | "slots"
      | "outageSeconds"
      | "maxMediaBytes"
      | "maxAudioSeconds"
      | "maxFileBytes"
      | "maxFileSeconds"
      | "sentBytesPerHour"
    >,
    Partial<
      Pick<
        Config,
        | "countryHeader"
        | "corsOrigins"
        | "securityContact"
        | "abuseContact"
        | "operator"
        | "operatorEmail"
        | "operatorAccounts"
      >
    > {
  /** How long a request may take to arrive, in seconds; 30 unless given. */
  readonly bodySeconds?: number | undefined;
  /** How long one may stall meanwhile; 5 unless given. */
  readonly stallSeconds?: number | undefined;
  /** A reel of the stand-in for a first try, if it runs. */
  readonly sampleReelUrl?: string | undefined;
  /** People sign in by password, and their accounts begin with an invitation. */
  readonly invitesPeople?: boolean | undefined;
  /** Origins of the stand-in's videos, if it runs. */
  readonly videoOrigins?: readonly string[] | undefined;
  /** Folder for media during transcription, used for nothing else. */
  readonly workDirectory: string;
  /** The current recognizer. It may recognize more of a reel than earlier ones. */
  readonly recognizer: RecognizerVersion;
  /** How well it recognizes each language. */
  readonly languageQuality: Readonly<Record<Language, RecognitionQuality>>;
  /** The languages that it translates. */
  readonly translatedLanguages: readonly Language[];
  /** Its error rates on recordings of each language, if somebody measured them. */
  readonly languageErrors: Readonly<Partial<Record<Language, ReadingErrors>>>;
}

export interface Ports extends JoinedPorts {
  readonly store: Store;
}

/** All ports but the store. */
export interface JoinedPorts {
  readonly locator: ReelLocator;
  readonly source: ReelSource;
  readonly canary?: Canary | undefined;
  readonly pictures: PictureSource;
  /** Images that people upload for their bio pages. */
  readonly images: ImageSource;
  readonly probeLink: ProbeLink;
  readonly webhookSender: WebhookSender;
  readonly fetchDocument: FetchDocument;
  /** Absent in a process that only answers the API. */
  readonly transcriber: Transcriber | undefined;
  /** Absent in a process that only answers the API, and where ffmpeg can't draw subtitles. */
  readonly videoRenderer: VideoRenderer | undefined;
  /** Absent in a process that only works the queue. */
  readonly biller: Biller | undefined;
  /** The local biller's payment page, if it is used. */
  readonly localCheckout?: LocalCheckout | undefined;
  readonly clock: Clock;
  /** Absent where no mail is sent. */
  readonly mailer?: Mailer | undefined;
  /** Tests what the settings name, for the operator's page. */
  readonly checkParts?: CheckParts | undefined;
  /** The port on which the service will listen; released right before. */
  readonly heldPort?: { release(): Promise<void> } | undefined;
}

/** Receives details that callers may not see. */
export interface FaultListener {
  /** Receives internal faults. */
  readonly onFault: (error: unknown, where: string) => void;
  /** Receives faults of outside services. */
  readonly onNotice: (error: unknown, where: string) => void;
  /** Called when a platform or recognizer becomes unavailable, with the error, and when it is back. */
  readonly onOutage?:
    | ((needed: string, change: { readonly isAway: boolean; readonly error?: unknown }) => void)
    | undefined;
}

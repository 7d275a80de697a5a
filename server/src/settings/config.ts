import path from "node:path";
import { plans, type PlatformName } from "@reelscript/contract";
import type * as z from "zod";
import type { SignInSettings } from "../sign-in/create-sign-in.ts";
import { Settings } from "./environment-settings.ts";
import { isProduction } from "./is-production.ts";
import { isSecret, settingNames } from "./secret-settings.ts";
import { unknownSettings } from "./unknown-settings.ts";
import { wrongOfDoors, wrongTogether } from "./wrong-settings.ts";
import {
  type ObjectStorage,
  objectStorageOf,
  signInOf,
  type TranscriberSettings,
  transcriberOf,
  trustProxy,
  traceAttributesOf,
} from "./parts-of-config.ts";

/** Every setting of the operator, checked once; nothing else reads the environment. docs/settings.md explains each. */
export interface Config {
  readonly production: boolean;
  /** Variables that look like settings but resemble none. */
  readonly unknownSettings: readonly string[];
  readonly host: string;
  readonly port: number;
  /** The address that users see, without a slash at its end. */
  readonly baseUrl: string | undefined;
  /** An absolute path. */
  readonly dataDirectory: string;
  /** Without it the database is the embedded one. */
  readonly databaseUrl: string | undefined;
  readonly serverLimits: ServerLimits;
  /** A replica of that server, for lists, search, reports and analytics. */
  readonly databaseReadUrl: string | undefined;
  readonly role: "all" | "api" | "worker";
  readonly logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  /** Addresses or networks of the proxies that may state the client's address, separated by commas; `true` trusts all. */
  readonly trustProxy: boolean | string;
  /** The header in which that proxy names the visitor's country, in small letters. */
  readonly countryHeader: string | undefined;
  readonly corsOrigins: readonly string[] | undefined;
  /** The operator's networks that webhooks may reach. */
  readonly webhookNetworks: readonly string[] | undefined;
  /**
   * Seconds between the first sign that this process is ending and its end, in which proxies can react. Workers and development
   * need none.
   */
  readonly drainSeconds: number;
  /** Metrics are served on this port; without it they aren't collected. */
  readonly metricsPort: number | undefined;
  /** Traces are sent to this URL, without a slash at its end; without it there are none. */
  readonly traceEndpoint: string | undefined;
  /** Attributes that the operator gives this process; they go with every trace. */
  readonly traceAttributes: Readonly<Record<string, string>>;
  readonly objectStorage: ObjectStorage;
  /** Contact for security reports: an https or mailto URL. */
  readonly securityContact: string | undefined;
  /** Contact for reports of bio pages: an https or mailto URL. */
  readonly abuseContact: string | undefined;
  /** Named on the pages about privacy and terms. */
  readonly operator: {
    readonly name: string | undefined;
    /** May have several lines. */
    readonly address: string | undefined;
    readonly contact: string | undefined;
  };
  /** The address whose account is the first when people sign in by password, in small letters. */
  readonly operatorEmail: string | undefined;
  /** The server that sends mail, and whom it comes from; without it none is sent. */
  readonly mail: { readonly url: string; readonly from: string } | undefined;
  /** Ids of the accounts that may open the operator's pages. */
  readonly operatorAccounts: readonly string[];
  /** Public platforms whose reels are accepted. */
  readonly platforms: readonly PlatformName[];
  readonly sources: readonly ("platform" | "ytdlp")[];
  readonly standin: { readonly port: number } | undefined;
  /** A public reel that is requested by each route once an hour. */
  readonly platformCanaryUrl: string | undefined;
  /** Routes to the public platforms, each with an address of its own; by default this machine's. */
  readonly platformProxies: readonly { readonly url: string; readonly name: string }[];
  /** Between requests to it, per address. */
  readonly platformIntervalSeconds: number;
  readonly ytdlp: { readonly path: string | undefined; readonly cookiesFile: string | undefined };
  readonly maxMediaBytes: number;
  /** Bytes and seconds of the largest file of an account's own. */
  readonly maxFileBytes: number;
  readonly maxFileSeconds: number;
  /** Bytes of media that one account may send in any hour. */
  readonly sentBytesPerHour: number;
  readonly transcriber: TranscriberSettings;
  /** Transcriptions at a time in this process. */
  readonly slots: number;
  readonly ffmpegPath: string | undefined;
  /** Programs are looked up in these folders, as in PATH. */
  readonly searchPath: string | undefined;
  /** The part of the environment that a package installer sees: its own settings, and those for the network. */
  readonly installerEnvironment: Given;
  readonly maxAudioSeconds: number;
  /** How long a reel waits for an unavailable platform or recognizer. */
  readonly outageSeconds: number;
  /** Transcriptions that may wait in the queue. */
  readonly queueLimit: number;
  readonly queueLimitPerAccount: number;
  readonly quotaScope: "key" | "account";
  /** Limits in this process, for each key, each account's people and each stranger's network. */
  readonly callLimits: { readonly atATime: number; readonly waiting: number };
  /** Calls of a key a minute; `address` is of a stranger's network. */
  readonly rateLimits: CallRates & { readonly address: number };
  /** Platform requests of an account per hour. */
  readonly platformLimit: number;
  /** MCP messages an hour of one key, or of a stranger's network. */
  readonly messageLimit: number;
  /** Requests an hour that follow transcriptions and batches of a key. */
  readonly followingLimit: number;
  readonly signIn: SignInSettings;
  /** Sign-ins of a network in any hour. */
  readonly signInLimit: number;
  /** Registrations of programs by a network in any hour. */
  readonly programLimit: number;
  /** People pay with Stripe; without it, with the local biller, where no money moves. If they sign in by password, the operator sets plans. */
  readonly stripe:
    | {
        readonly secretKey: string;
        readonly webhookSecret: string;
        /** Replaces Stripe's servers, for rehearsals. */
        readonly apiBase: string | undefined;
      }
    | undefined;
  /** Calls of a signed-in person a minute. */
  readonly sessionRateLimits: CallRates;
}

interface CallRates {
  readonly default: number;
  readonly transcribe: number;
  readonly bioWrite: number;
}

interface ServerLimits {
  readonly connections: number;
  readonly connectSeconds: number;
  readonly statementSeconds: number;
}

/** A wrong setting, described for the operator. */
class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const forInstallers = /^(?:HOME|LANG|LC_ALL|SSL_CERT_\w+|PIP_\w+|(?:https?|all|no)_proxy)$/i;

type Given = Readonly<Record<string, string | undefined>>;
type Read = z.output<typeof Settings>;

/**
 * An empty variable counts as not set. Throws `ConfigError`, which names every wrong setting. A program that doesn't serve
 * needs no settings of the doors.
 */
export function readConfig(environment: Given, directory: string, { serves = true } = {}): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
  const read = Settings.safeParse(given);
  if (!read.success)
    throw new ConfigError(
      read.error.issues
        .map(({ path: [name], message }) => `${String(name)}: ${message}${valueNote(String(name), given)}`)
        .join("\n"),
    );
  const settings = read.data;
  const production = isProduction(given);
  const unknown = unknownSettings(given, settingNames);
  const misspelled = unknown.flatMap(({ name, meant }) =>
    meant === undefined ? [] : [`${name} isn't a setting. ${meant} is; correct the name.`],
  );
  const ofDoors = serves ? [...misspelled, ...wrongOfDoors(settings, given, production)] : [];
  const wrong = [...wrongTogether(settings, given), ...ofDoors];
  if (wrong.length > 0) throw new ConfigError(wrong.join("\n"));
  const unlike = unknown.flatMap(({ name, meant }) => (meant === undefined ? [name] : []));
  return configOf({ settings, given, production, directory, searchPath: environment.PATH, unlike });
}

/** Errors are printed and stored, so they leave out values that may contain a password. */
const valueNote = (name: string, given: Given): string => (isSecret(name) ? "" : ` (it is "${given[name]}")`);

interface Origin {
  readonly settings: Read;
  readonly given: Given;
  readonly production: boolean;
  readonly directory: string;
  readonly searchPath: string | undefined;
  /** Names that look like settings but resemble none. */
  readonly unlike: readonly string[];
}

const mediaLimitsOf = (settings: Origin["settings"]) => ({
  maxMediaBytes: settings.MAX_MEDIA_BYTES,
  maxFileBytes: settings.MAX_FILE_BYTES,
  maxFileSeconds: settings.MAX_FILE_SECONDS,
  sentBytesPerHour: settings.SENT_BYTES_PER_HOUR ?? plans.free.transcriptions * settings.MAX_MEDIA_BYTES,
});

const operatorOf = (settings: Origin["settings"]) => ({
  operator: {
    name: settings.OPERATOR_NAME,
    address: settings.OPERATOR_ADDRESS?.replaceAll("\\n", "\n"),
    contact: settings.OPERATOR_CONTACT,
  },
  mail: settings.SMTP_URL && settings.MAIL_FROM ? { url: settings.SMTP_URL, from: settings.MAIL_FROM } : undefined,
  operatorEmail: settings.OPERATOR_EMAIL,
  operatorAccounts: settings.OPERATOR_ACCOUNTS ?? [],
});

function configOf({ settings, given, production, directory, searchPath, unlike }: Origin): Config {
  return {
    production,
    unknownSettings: unlike,
    host: settings.HOST,
    port: settings.PORT,
    baseUrl: settings.BASE_URL?.replace(/\/+$/, ""),
    dataDirectory: path.resolve(directory, settings.DATA_DIR),
    databaseUrl: settings.DATABASE_URL,
    serverLimits: {
      connections: settings.DATABASE_CONNECTIONS,
      connectSeconds: settings.DATABASE_CONNECT_SECONDS,
      statementSeconds: settings.DATABASE_STATEMENT_SECONDS,
    },
    databaseReadUrl: settings.DATABASE_READ_URL,
    role: settings.ROLE,
    logLevel: settings.LOG_LEVEL,
    trustProxy: trustProxy(settings.TRUST_PROXY),
    countryHeader: settings.COUNTRY_HEADER,
    corsOrigins: settings.CORS_ORIGINS,
    webhookNetworks: settings.WEBHOOK_ALLOWED_NETWORKS,
    drainSeconds: settings.DRAIN_SECONDS ?? (production && settings.ROLE !== "worker" ? 5 : 0),
    metricsPort: settings.METRICS_PORT,
    traceEndpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, ""),
    traceAttributes: traceAttributesOf(settings),
    objectStorage: objectStorageOf(settings),
    securityContact: settings.SECURITY_CONTACT,
    abuseContact: settings.ABUSE_CONTACT,
    ...operatorOf(settings),
    platforms: settings.PLATFORMS,
    sources: settings.SOURCES,
    standin: settings.STANDIN ? { port: settings.STANDIN_PORT } : undefined,
    platformCanaryUrl: settings.PLATFORM_CANARY_URL,
    platformProxies: settings.PLATFORM_PROXY ?? [],
    platformIntervalSeconds: settings.PLATFORM_INTERVAL_SECONDS,
    ytdlp: { path: settings.YTDLP_PATH, cookiesFile: settings.YTDLP_COOKIES },
    ...mediaLimitsOf(settings),
    transcriber: transcriberOf(settings, given),
    slots: settings.WHISPER_SLOTS,
    ffmpegPath: settings.FFMPEG_PATH,
    searchPath,
    installerEnvironment: Object.fromEntries(Object.entries(given).filter(([name]) => forInstallers.test(name))),
    maxAudioSeconds: settings.MAX_AUDIO_SECONDS,
    outageSeconds: settings.OUTAGE_SECONDS,
    queueLimit: settings.QUEUE_LIMIT,
    queueLimitPerAccount: settings.QUEUE_LIMIT_PER_ACCOUNT,
    quotaScope: settings.QUOTA_SCOPE,
    callLimits: { atATime: settings.CALLS_AT_A_TIME, waiting: settings.CALLS_WAITING },
    rateLimits: {
      default: settings.RATE_LIMIT_DEFAULT,
      transcribe: settings.RATE_LIMIT_TRANSCRIBE,
      bioWrite: settings.RATE_LIMIT_BIO_WRITE,
      address: settings.RATE_LIMIT_ADDRESS,
    },
    platformLimit: settings.RATE_LIMIT_PLATFORM,
    messageLimit: settings.RATE_LIMIT_MCP_MESSAGES,
    followingLimit: settings.RATE_LIMIT_FOLLOWING,
    signIn: signInOf(settings),
    signInLimit: settings.RATE_LIMIT_SIGN_IN,
    programLimit: settings.RATE_LIMIT_PROGRAMS,
    stripe: settings.STRIPE_SECRET_KEY
      ? {
          secretKey: settings.STRIPE_SECRET_KEY,
          webhookSecret: settings.STRIPE_WEBHOOK_SECRET!,
          apiBase: settings.STRIPE_API_BASE,
        }
      : undefined,
    sessionRateLimits: {
      default: settings.RATE_LIMIT_SESSION,
      transcribe: settings.RATE_LIMIT_SESSION_TRANSCRIBE,
      bioWrite: settings.RATE_LIMIT_SESSION_BIO_WRITE,
    },
  };
}

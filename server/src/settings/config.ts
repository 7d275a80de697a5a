import { availableParallelism } from "node:os";
import path from "node:path";
import { plans } from "@reelscript/contract";
import type * as z from "zod";
import type { SignInSettings } from "../sign-in/create-sign-in.ts";
import { languageModels, Settings, wrongBilling, wrongObjectStorage, wrongSignIn } from "./environment-settings.ts";
import { isLoopback } from "./is-loopback.ts";
import { isSecret } from "./secret-settings.ts";
import { languageEndpoints, wrongLanguageEndpoints } from "./language-endpoints.ts";

/** Everything that an operator may set, checked once; nothing else reads the environment. */
export type Config = ReturnType<typeof configOf>;

/** A wrong setting, described for the operator. */
class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const forInstallers = /^(?:HOME|LANG|LC_ALL|SSL_CERT_\w+|PIP_\w+|(?:https?|all|no)_proxy)$/i;

type Given = Readonly<Record<string, string | undefined>>;
type Read = z.output<typeof Settings>;

/** An empty variable counts as not set. Throws `ConfigError`, which names every wrong setting. */
export function readConfig(environment: Given, directory: string): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
  const read = Settings.safeParse(given);
  if (!read.success)
    throw new ConfigError(
      read.error.issues
        .map(({ path: [name], message }) => `${String(name)}: ${message}${shown(String(name), given)}`)
        .join("\n"),
    );
  const settings = read.data;
  const production =
    settings.NODE_ENV === "production" || (settings.BASE_URL !== undefined && !isLoopback(settings.BASE_URL));
  const wrong = wrongTogether(settings, given, production);
  if (wrong.length > 0) throw new ConfigError(wrong.join("\n"));
  return configOf({ settings, given, production, directory, searchPath: environment.PATH });
}

/** Errors are printed and stored, so values that may hold a password aren't in them. */
const shown = (name: string, given: Given): string => (isSecret(name) ? "" : ` (it is "${given[name]}")`);

/** Finds settings that are valid one by one but not together. */
function wrongTogether(settings: Read, given: Given, production: boolean): string[] {
  const wrong: string[] = [];
  if (production && settings.STANDIN)
    wrong.push("STANDIN: the stand-in of the platform never runs in production; unset it");
  if (production && !settings.BASE_URL)
    wrong.push("BASE_URL: production needs the address that users see, such as https://reelscript.example");
  if (production && settings.BASE_URL?.startsWith("http:") && !isLoopback(settings.BASE_URL))
    wrong.push("BASE_URL: production needs an https address; over plain http anybody on the way could take a session");
  if (settings.ROLE !== "all" && !settings.DATABASE_URL)
    wrong.push(`ROLE: ${settings.ROLE} needs DATABASE_URL; the embedded database belongs to one process`);
  if (settings.DATABASE_READ_URL && !settings.DATABASE_URL)
    wrong.push("DATABASE_READ_URL: a replica needs DATABASE_URL, the server that it follows");
  if (settings.TRANSCRIBER === "openai" && !settings.OPENAI_BASE_URL)
    wrong.push("OPENAI_BASE_URL: TRANSCRIBER=openai needs the endpoint's base URL, such as https://api.example/v1");
  if (settings.TRANSCRIBER === "openai" && !settings.OPENAI_API_KEY)
    wrong.push("OPENAI_API_KEY: TRANSCRIBER=openai needs the endpoint's key");
  wrong.push(...wrongLanguageEndpoints(given));
  wrong.push(...wrongSignIn(settings, production));
  wrong.push(...wrongBilling(settings, production));
  wrong.push(...wrongObjectStorage(settings));
  if (settings.METRICS_PORT && settings.METRICS_PORT === settings.PORT)
    wrong.push("METRICS_PORT: metrics need a port of their own, and PORT is the same");
  return wrong;
}

interface Origin {
  readonly settings: Read;
  readonly given: Given;
  readonly production: boolean;
  readonly directory: string;
  readonly searchPath: string | undefined;
}

function configOf({ settings, given, production, directory, searchPath }: Origin) {
  return {
    production,
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
    /** A replica of that server, for lists, search, reports and analytics. */
    databaseReadUrl: settings.DATABASE_READ_URL,
    role: settings.ROLE,
    logLevel: settings.LOG_LEVEL,
    /** Addresses or networks of the proxies that may name the client, as a comma-separated list; `true` trusts every one. */
    trustProxy: trustProxy(settings.TRUST_PROXY),
    /** The header in which that proxy names the visitor's country. */
    countryHeader: settings.COUNTRY_HEADER,
    corsOrigins: settings.CORS_ORIGINS,
    /** Networks of the operator that webhooks may go to. */
    webhookNetworks: settings.WEBHOOK_ALLOWED_NETWORKS,
    /**
     * Seconds between the first sign that this process ends and its end, for proxies to look elsewhere. Nobody does for a
     * worker, nor in development.
     */
    drainSeconds: settings.DRAIN_SECONDS ?? (production && settings.ROLE !== "worker" ? 5 : 0),
    /** Metrics are served on this port; without it they aren't collected. */
    metricsPort: settings.METRICS_PORT,
    /** Traces are sent to this URL; without it there are none. */
    traceEndpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, ""),
    objectStorage: objectStorageOf(settings),
    /** People report security problems here: an https or mailto URL. */
    securityContact: settings.SECURITY_CONTACT,
    /** People report bio pages here: an https or mailto URL. */
    abuseContact: settings.ABUSE_CONTACT,
    /** Named on the pages about privacy and terms. */
    operator: {
      name: settings.OPERATOR_NAME,
      address: settings.OPERATOR_ADDRESS?.replaceAll("\\n", "\n"),
      contact: settings.OPERATOR_CONTACT,
    },
    /** Public platforms whose reels are taken. */
    platforms: settings.PLATFORMS,
    sources: settings.SOURCES,
    standin: settings.STANDIN ? { port: settings.STANDIN_PORT } : undefined,
    /** A public reel that is requested by each way once an hour. */
    platformCanaryUrl: settings.PLATFORM_CANARY_URL,
    /** Ways to the public platform, each an address of its own; without one there is that of this machine. */
    platformProxies: settings.PLATFORM_PROXY ?? [],
    /** Between requests to it, per address. */
    platformIntervalSeconds: settings.PLATFORM_INTERVAL_SECONDS,
    ytdlp: { path: settings.YTDLP_PATH, cookiesFile: settings.YTDLP_COOKIES },
    maxMediaBytes: settings.MAX_MEDIA_BYTES,
    sentBytesPerHour: settings.SENT_BYTES_PER_HOUR ?? plans.free.transcriptions * settings.MAX_MEDIA_BYTES,
    transcriber: transcriberOf(settings, given),
    /** Transcriptions at a time in this process. */
    slots: settings.WHISPER_SLOTS,
    ffmpegPath: settings.FFMPEG_PATH,
    /** Programs are looked up in these folders. */
    searchPath,
    /** The part of the environment that a package installer sees: its own settings, and those for the network. */
    installerEnvironment: Object.fromEntries(Object.entries(given).filter(([name]) => forInstallers.test(name))),
    maxAudioSeconds: settings.MAX_AUDIO_SECONDS,
    queueLimit: settings.QUEUE_LIMIT,
    queueLimitPerAccount: settings.QUEUE_LIMIT_PER_ACCOUNT,
    quotaScope: settings.QUOTA_SCOPE,
    /** Limits in this process, for each key, each account's people and each stranger's network. */
    callLimits: { atATime: settings.CALLS_AT_A_TIME, waiting: settings.CALLS_WAITING },
    rateLimits: {
      default: settings.RATE_LIMIT_DEFAULT,
      transcribe: settings.RATE_LIMIT_TRANSCRIBE,
      bioWrite: settings.RATE_LIMIT_BIO_WRITE,
      address: settings.RATE_LIMIT_ADDRESS,
    },
    /** Requests an hour of an account that ask the platform. */
    platformLimit: settings.RATE_LIMIT_PLATFORM,
    /** MCP messages an hour of one key, or of a stranger's network. */
    messageLimit: settings.RATE_LIMIT_MCP_MESSAGES,
    signIn: signInOf(settings),
    signInLimit: settings.RATE_LIMIT_SIGN_IN,
    programLimit: settings.RATE_LIMIT_PROGRAMS,
    /** People pay with Stripe; without it, with the development biller, which moves no money. */
    stripe: settings.STRIPE_SECRET_KEY
      ? { secretKey: settings.STRIPE_SECRET_KEY, webhookSecret: settings.STRIPE_WEBHOOK_SECRET! }
      : undefined,
    sessionRateLimits: {
      default: settings.RATE_LIMIT_SESSION,
      transcribe: settings.RATE_LIMIT_SESSION_TRANSCRIBE,
      bioWrite: settings.RATE_LIMIT_SESSION_BIO_WRITE,
    },
  };
}

function transcriberOf(settings: Read, given: Given) {
  if (settings.TRANSCRIBER === "openai")
    return {
      kind: "openai" as const,
      baseUrl: settings.OPENAI_BASE_URL!,
      apiKey: settings.OPENAI_API_KEY!,
      model: settings.OPENAI_MODEL,
    };
  const models = languageModels.flatMap((code) => {
    const model = given[`WHISPER_MODEL_${code}`];
    return model ? [[code.toLowerCase(), model]] : [];
  });
  return {
    kind: "embedded" as const,
    /** A folder or a name of the model hub; the embedded one when not set. */
    model: settings.WHISPER_MODEL,
    languageModels: Object.fromEntries(models) as Record<string, string>,
    /** Endpoints of languages that are recognized elsewhere. */
    endpoints: languageEndpoints(given),
    hubUrl: settings.MODEL_HUB_URL,
    threads: settings.WHISPER_THREADS ?? Math.max(1, Math.floor(availableParallelism() / settings.WHISPER_SLOTS)),
    /** Idle time after which a slot's process ends; the next reel starts another. */
    idleSeconds: settings.WHISPER_IDLE_SECONDS,
  };
}

const signInOf = (settings: Read): SignInSettings =>
  settings.OIDC_ISSUER
    ? {
        kind: "provider",
        issuer: settings.OIDC_ISSUER,
        clientId: settings.OIDC_CLIENT_ID!,
        clientSecret: settings.OIDC_CLIENT_SECRET!,
      }
    : { kind: "development" };

/** Storage for the bytes of pictures. */
function objectStorageOf(settings: Read) {
  const { OBJECT_STORAGE: kind } = settings;
  if (kind !== "s3") return { kind };
  return {
    kind,
    endpoint: settings.S3_ENDPOINT!.replace(/\/+$/, ""),
    bucket: settings.S3_BUCKET!,
    region: settings.S3_REGION,
    accessKeyId: settings.S3_ACCESS_KEY_ID!,
    secretAccessKey: settings.S3_SECRET_ACCESS_KEY!,
  };
}

function trustProxy(value: string | undefined): boolean | string {
  if (value === undefined || value === "false" || value === "0") return false;
  return (
    value === "true" ||
    value
      .trim()
      .split(/[\s,]+/)
      .join(",")
  );
}

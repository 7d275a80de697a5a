import { availableParallelism } from "node:os";
import path from "node:path";
import * as z from "zod";

const flag = z.enum(["0", "1"]).transform((value) => value === "1");
const count = (from: number, to: number) => z.coerce.number().int().min(from).max(to);
const port = count(0, 65_535);
const text = z.string().min(1);

const languageModels = ["EN", "ES", "PT", "FR", "DE", "IT", "HI", "TA", "TE", "AR", "ID"] as const;

const Settings = z.object({
  NODE_ENV: z.string().optional(),
  HOST: text.default("127.0.0.1"),
  PORT: port.default(8787),
  BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATA_DIR: text.default("./data"),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  ROLE: z.enum(["all", "api", "worker"]).default("all"),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("warn"),
  TRUST_PROXY: text.optional(),

  SOURCES: z
    .string()
    .default("platform,ytdlp")
    .transform((names) => names.split(",").map((name) => name.trim()))
    .pipe(z.array(z.enum(["platform", "ytdlp"])).min(1)),
  STANDIN: flag.optional(),
  STANDIN_PORT: port.default(8788),
  YTDLP_PATH: text.optional(),
  YTDLP_COOKIES: text.optional(),
  MAX_MEDIA_BYTES: count(1_000_000, 4_000_000_000).default(200_000_000),

  TRANSCRIBER: z.enum(["embedded", "openai"]).default("embedded"),
  WHISPER_MODEL: text.optional(),
  WHISPER_HUB_URL: z.url({ protocol: /^https?$/ }).optional(),
  WHISPER_SLOTS: count(1, 64).default(1),
  WHISPER_THREADS: count(1, 64).optional(),
  OIDC_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  OIDC_CLIENT_ID: text.optional(),
  OIDC_CLIENT_SECRET: text.optional(),

  STRIPE_SECRET_KEY: text.optional(),
  STRIPE_WEBHOOK_SECRET: text.optional(),

  OPENAI_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  OPENAI_API_KEY: text.optional(),
  OPENAI_MODEL: text.default("whisper-1"),
  FFMPEG_PATH: text.optional(),
  MAX_AUDIO_SECONDS: count(1, 86_400).default(900),
  QUEUE_LIMIT: count(1, 100_000).default(200),

  QUOTA_SCOPE: z.enum(["key", "account"]).default("key"),
  RATE_LIMIT_DEFAULT: count(1, 1_000_000).default(60),
  RATE_LIMIT_TRANSCRIBE: count(1, 1_000_000).default(10),
  RATE_LIMIT_BIO_WRITE: count(1, 1_000_000).default(20),
  RATE_LIMIT_ADDRESS: count(1, 1_000_000).default(600),
  RATE_LIMIT_SIGN_IN: count(1, 1_000_000).default(120),
  RATE_LIMIT_SESSION: count(1, 1_000_000).default(6_000),
  RATE_LIMIT_SESSION_TRANSCRIBE: count(1, 1_000_000).default(120),
  RATE_LIMIT_SESSION_BIO_WRITE: count(1, 1_000_000).default(1_000),
});

/** Everything that an operator may set, checked once; nothing else reads the environment. */
export interface Config {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  readonly baseUrl: string | undefined;
  readonly dataDirectory: string;
  readonly databaseUrl: string | undefined;
  readonly role: "all" | "api" | "worker";
  readonly logLevel: z.infer<typeof Settings>["LOG_LEVEL"];
  /** Addresses or networks of the proxies that may name the client, as a comma-separated list; `true` trusts every one. */
  readonly trustProxy: boolean | string;
  readonly sources: readonly ("platform" | "ytdlp")[];
  readonly standin: { readonly port: number } | undefined;
  readonly ytdlp: { readonly path: string | undefined; readonly cookiesFile: string | undefined };
  readonly maxMediaBytes: number;
  readonly transcriber:
    | {
        readonly kind: "embedded";
        readonly model: string | undefined;
        readonly languageModels: Readonly<Record<string, string>>;
        readonly hubUrl: string | undefined;
        readonly threads: number;
      }
    | { readonly kind: "openai"; readonly baseUrl: string; readonly apiKey: string; readonly model: string };
  /** Transcriptions at a time in this process. */
  readonly slots: number;
  readonly ffmpegPath: string | undefined;
  /** Where programs are looked for. */
  readonly searchPath: string | undefined;
  readonly maxAudioSeconds: number;
  readonly queueLimit: number;
  readonly quotaScope: "key" | "account";
  readonly rateLimits: {
    readonly default: number;
    readonly transcribe: number;
    readonly bioWrite: number;
    readonly address: number;
  };
  /** The operator's identity provider, or the one for development, which lets whoever reaches it be anyone. */
  readonly signIn:
    | { readonly kind: "provider"; readonly issuer: string; readonly clientId: string; readonly clientSecret: string }
    | { readonly kind: "development" };
  readonly signInLimit: number;
  /** Where people pay; without it with the development biller, where no money moves. */
  readonly stripe: { readonly secretKey: string; readonly webhookSecret: string } | undefined;
  readonly sessionRateLimits: { readonly default: number; readonly transcribe: number; readonly bioWrite: number };
}

/** What is wrong with a setting, in words for the operator. */
class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const isLoopback = (url: string): boolean => isLoopbackHost(new URL(url).hostname);
const isLoopbackHost = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[?::1\]?)$/.test(host);

/** An empty variable counts as not set. Throws `ConfigError`, which names every wrong setting. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>, directory: string): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
  const read = Settings.safeParse(given);
  if (!read.success)
    throw new ConfigError(
      read.error.issues
        .map((issue) => `${issue.path.join(".")}: ${issue.message} (it is "${given[String(issue.path[0])]}")`)
        .join("\n"),
    );
  const settings = read.data;
  const production =
    settings.NODE_ENV === "production" || (settings.BASE_URL !== undefined && !isLoopback(settings.BASE_URL));
  const wrong: string[] = [];
  if (production && settings.STANDIN)
    wrong.push("STANDIN: the stand-in of the platform never runs in production; unset it");
  if (production && !settings.BASE_URL)
    wrong.push("BASE_URL: production needs the address that users see, such as https://reelscript.example");
  if (production && settings.BASE_URL?.startsWith("http:") && !isLoopback(settings.BASE_URL))
    wrong.push("BASE_URL: production needs an https address; over plain http anybody on the way could take a session");
  if (settings.ROLE !== "all" && !settings.DATABASE_URL)
    wrong.push(`ROLE: ${settings.ROLE} needs DATABASE_URL; the embedded database belongs to one process`);
  if (settings.TRANSCRIBER === "openai" && !settings.OPENAI_BASE_URL)
    wrong.push("OPENAI_BASE_URL: TRANSCRIBER=openai needs the endpoint's base URL, such as https://api.example/v1");
  if (settings.TRANSCRIBER === "openai" && !settings.OPENAI_API_KEY)
    wrong.push("OPENAI_API_KEY: TRANSCRIBER=openai needs the endpoint's key");
  wrong.push(...wrongSignIn(settings, production));
  wrong.push(...wrongBilling(settings, production));
  if (wrong.length > 0) throw new ConfigError(wrong.join("\n"));

  const spareCores = Math.max(1, availableParallelism() - 1);
  return {
    production,
    host: settings.HOST,
    port: settings.PORT,
    baseUrl: settings.BASE_URL?.replace(/\/+$/, ""),
    dataDirectory: path.resolve(directory, settings.DATA_DIR),
    databaseUrl: settings.DATABASE_URL,
    role: settings.ROLE,
    logLevel: settings.LOG_LEVEL,
    trustProxy: trustProxy(settings.TRUST_PROXY),
    sources: settings.SOURCES,
    standin: settings.STANDIN ? { port: settings.STANDIN_PORT } : undefined,
    ytdlp: { path: settings.YTDLP_PATH, cookiesFile: settings.YTDLP_COOKIES },
    maxMediaBytes: settings.MAX_MEDIA_BYTES,
    transcriber:
      settings.TRANSCRIBER === "openai"
        ? {
            kind: "openai",
            baseUrl: settings.OPENAI_BASE_URL!,
            apiKey: settings.OPENAI_API_KEY!,
            model: settings.OPENAI_MODEL,
          }
        : {
            kind: "embedded",
            model: settings.WHISPER_MODEL,
            languageModels: Object.fromEntries(
              languageModels.flatMap((code) => {
                const model = given[`WHISPER_MODEL_${code}`];
                return model ? [[code.toLowerCase(), model]] : [];
              }),
            ),
            hubUrl: settings.WHISPER_HUB_URL,
            threads: settings.WHISPER_THREADS ?? Math.max(1, Math.floor(spareCores / settings.WHISPER_SLOTS)),
          },
    slots: settings.WHISPER_SLOTS,
    ffmpegPath: settings.FFMPEG_PATH,
    searchPath: environment.PATH,
    maxAudioSeconds: settings.MAX_AUDIO_SECONDS,
    queueLimit: settings.QUEUE_LIMIT,
    quotaScope: settings.QUOTA_SCOPE,
    rateLimits: {
      default: settings.RATE_LIMIT_DEFAULT,
      transcribe: settings.RATE_LIMIT_TRANSCRIBE,
      bioWrite: settings.RATE_LIMIT_BIO_WRITE,
      address: settings.RATE_LIMIT_ADDRESS,
    },
    signIn: settings.OIDC_ISSUER
      ? {
          kind: "provider",
          issuer: settings.OIDC_ISSUER,
          clientId: settings.OIDC_CLIENT_ID!,
          clientSecret: settings.OIDC_CLIENT_SECRET!,
        }
      : { kind: "development" },
    signInLimit: settings.RATE_LIMIT_SIGN_IN,
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

/** Without a provider whoever reaches the service could be anyone, so nobody else may reach it. */
function wrongSignIn(settings: z.output<typeof Settings>, production: boolean): string[] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret, HOST: host, ROLE: role } = settings;
  const given = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret };
  const missing = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [name] : []));
  const all = "OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET";
  if (missing.length === 0)
    return production && issuer!.startsWith("http:") && !isLoopback(issuer!)
      ? ["OIDC_ISSUER: production needs an identity provider on https"]
      : [];
  if (missing.length < 3) return [`${missing.join(", ")}: an identity provider needs ${all}; set all three or none`];
  if (role === "worker") return [];
  if (production) return [`${all}: production needs an identity provider for people to sign in; set all three`];
  if (isLoopbackHost(host)) return [];
  return [
    `HOST: ${host} can be reached from other machines, and without an identity provider everyone there could sign in as anyone; use HOST=127.0.0.1, or set ${all}`,
  ];
}

/** With the development biller everybody has a paid plan for nothing. */
function wrongBilling(settings: z.output<typeof Settings>, production: boolean): string[] {
  const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret, HOST: host, ROLE: role } = settings;
  const both = "STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET";
  if ((key === undefined) !== (secret === undefined))
    return [
      `${key === undefined ? "STRIPE_SECRET_KEY" : "STRIPE_WEBHOOK_SECRET"}: payment needs ${both}; set both or none`,
    ];
  if (key !== undefined || role === "worker") return [];
  if (production) return [`${both}: production needs them for people to pay; set both, as docs/operations.md says`];
  if (isLoopbackHost(host)) return [];
  return [
    `HOST: ${host} can be reached from other machines, and without Stripe everyone there could have a paid plan for nothing; use HOST=127.0.0.1, or set ${both}`,
  ];
}

function trustProxy(value: string | undefined): boolean | string {
  if (value === undefined || value === "false" || value === "0") return false;
  return value === "true" || value;
}

import { platformNames } from "@reelscript/contract/values";
import * as z from "zod";
import { isLoopback, isLoopbackHost } from "./is-loopback.ts";
import { isOwnNetwork } from "./is-own-network.ts";

const flag = z.enum(["0", "1"]).transform((value) => value === "1");
const count = (from: number, to: number) => z.coerce.number().int().min(from).max(to);
const port = count(0, 65_535);
const text = z.string().min(1);
const httpUrl = z.url({ protocol: /^https?$/ });
const postgresUrl = z.url({ protocol: /^postgres(ql)?$/ });
const list = z.string().transform((names) => names.split(",").map((name) => name.trim()));
const contact = (box: string) =>
  z
    .string()
    .regex(/^(?:https:\/\/|mailto:)\S+$/, {
      error: `must be an https or mailto URL, such as mailto:${box}@reelscript.example`,
    })
    .max(500)
    .optional();

/** Proxies separated by commas. No message quotes one, because it may contain a password. */
const proxies = z.string().transform((list, context) => {
  const entries = [...new Set(list.split(",").map((entry) => entry.trim()))];
  const names = new Map<string, number>();
  return entries.map((entry, index) => {
    if (!isProxy(entry))
      context.addIssue({
        code: "custom",
        message: `entry ${index + 1} of ${entries.length} must be like http://user:password@host:port, with other characters than letters and digits percent-encoded`,
      });
    const address = entry.replace(/^.*@|^http:\/\/|\/$/g, "");
    const before = names.get(address) ?? 0;
    names.set(address, before + 1);
    // Behind one gateway the user name may choose the address.
    return { url: entry, name: before === 0 ? address : `${address} #${before + 1}` };
  });
});

function isProxy(text: string): boolean {
  if (!/^http:\/\/(?:[^\s/@:]+(?::[^\s/@:]*)?@)?[^\s/@?#]+:\d{1,5}\/?$/.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return [username, password].every((part) => !/%(?![0-9a-f]{2})/i.test(part) && isText(part));
}

/** True if the decoded text is valid UTF-8 and has at most 500 characters. */
function isText(encoded: string): boolean {
  try {
    return decodeURIComponent(encoded).length <= 500;
  } catch {
    return false;
  }
}

const mostAttributes = 64;
const longestAttribute = 500;

/** `name=value`, separated by commas and percent-encoded, as OpenTelemetry defines it. */
const resourceAttributes = z.string().transform((list, context): Record<string, string> => {
  const attributes: Record<string, string> = {};
  for (const entry of list.split(",").filter((one) => one.trim() !== "")) {
    const [, name = "", value = ""] = /^\s*([\w./-]{1,200})\s*=(.*)$/s.exec(entry) ?? [];
    if (name === "" || !isText(value.trim()) || value.length > longestAttribute)
      context.addIssue({
        code: "custom",
        message: "must be like deployment.environment=prod,team=video, with other characters percent-encoded",
      });
    else attributes[name] = decodeURIComponent(value.trim());
  }
  if (Object.keys(attributes).length > mostAttributes)
    context.addIssue({ code: "custom", message: `must have at most ${mostAttributes} attributes` });
  return attributes;
});

/** Languages that may have settings of their own, named by the code at their end. */
export const languageModels = ["EN", "ES", "PT", "FR", "DE", "IT", "HI", "TA", "TE", "AR", "ID"] as const;

/** The accepted environment, before settings that belong together are combined. */
export const Settings = z.object({
  NODE_ENV: z.enum(["production", "development"]).optional(),
  HOST: text.default("127.0.0.1"),
  PORT: port.default(8787),
  BASE_URL: httpUrl.optional(),
  DATA_DIR: text.default("./data"),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_CONNECTIONS: count(1, 500).default(10),
  DATABASE_CONNECT_SECONDS: count(1, 60).default(5),
  DATABASE_STATEMENT_SECONDS: count(1, 600).default(20),
  DATABASE_READ_URL: postgresUrl.optional(),
  ROLE: z.enum(["all", "api", "worker"]).default("all"),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("warn"),
  TRUST_PROXY: text.optional(),
  COUNTRY_HEADER: z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/i, { error: "must be the name of a header, such as cf-ipcountry" })
    .toLowerCase()
    .optional(),
  CORS_ORIGINS: list
    .pipe(
      z.array(
        z.string().refine((origin) => URL.canParse(origin) && new URL(origin).origin === origin, {
          error: "must be origins with commas between them, such as https://app.example, without paths",
        }),
      ),
    )
    .optional(),
  WEBHOOK_ALLOWED_NETWORKS: list
    .refine((networks) => networks.every(isOwnNetwork), {
      error:
        "must be private networks with commas between them, such as 10.0.0.0/8 or 172.18.0.5/32; link-local and public ones aren't allowed",
    })
    .optional(),
  DRAIN_SECONDS: count(0, 3_600).optional(),
  METRICS_PORT: port.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  OTEL_RESOURCE_ATTRIBUTES: resourceAttributes.optional(),
  OTEL_SERVICE_NAME: text.max(200).optional(),

  OBJECT_STORAGE: z.enum(["database", "disk", "s3"]).default("database"),
  S3_ENDPOINT: httpUrl.optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)
    .optional(),
  S3_REGION: text.default("us-east-1"),
  S3_ACCESS_KEY_ID: text.optional(),
  S3_SECRET_ACCESS_KEY: text.optional(),
  SECURITY_CONTACT: contact("security"),
  ABUSE_CONTACT: contact("abuse"),
  OPERATOR_NAME: text.max(200).optional(),
  OPERATOR_ADDRESS: text.max(1_000).optional(),
  OPERATOR_CONTACT: contact("hello"),

  PLATFORMS: list.prefault(platformNames.join(",")).pipe(z.array(z.enum(platformNames)).min(1)),
  SOURCES: list.prefault("platform,ytdlp").pipe(z.array(z.enum(["platform", "ytdlp"])).min(1)),
  STANDIN: flag.optional(),
  STANDIN_PORT: port.default(8788),
  PLATFORM_CANARY_URL: httpUrl.optional(),
  PLATFORM_PROXY: proxies.optional(),
  PLATFORM_INTERVAL_SECONDS: count(0, 60).default(3),
  YTDLP_PATH: text.optional(),
  YTDLP_COOKIES: text.optional(),
  MAX_MEDIA_BYTES: count(1_000_000, 4_000_000_000).default(200_000_000),
  MAX_FILE_BYTES: count(1_000_000, 4_000_000_000).default(500_000_000),
  MAX_FILE_SECONDS: count(60, 86_400).default(3_600),
  SENT_BYTES_PER_HOUR: count(1_000_000, 1_000_000_000_000).optional(),

  TRANSCRIBER: z.enum(["embedded", "openai"]).default("embedded"),
  WHISPER_MODEL: text.optional(),
  MODEL_HUB_URL: httpUrl.optional(),
  WHISPER_SLOTS: count(1, 64).default(1),
  WHISPER_THREADS: count(1, 64).optional(),
  WHISPER_IDLE_SECONDS: count(1, 1_000_000).default(45),
  AUTH: z.enum(["oidc", "password"]).optional(),
  OPERATOR_EMAIL: z.email({ error: "must be an email address" }).max(254).toLowerCase().optional(),
  OPERATOR_ACCOUNTS: list
    .pipe(
      z.array(
        z
          .string()
          .regex(/^acc_\w{1,60}$/, { error: "must be ids of accounts with commas between them, such as acc_1Pq7Kd" }),
      ),
    )
    .optional(),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, hostname: /^[^\s/]+$/, error: "must be like smtps://user:password@mail.example" })
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(/^(?:[^<>"\p{Cc}]{1,100}<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u, {
      error: "must be an email address, or like Reelscript <no-reply@reelscript.example>",
    })
    .max(320)
    .optional(),
  OIDC_ISSUER: httpUrl.optional(),
  OIDC_CLIENT_ID: text.optional(),
  OIDC_CLIENT_SECRET: text.optional(),

  STRIPE_SECRET_KEY: text.optional(),
  STRIPE_WEBHOOK_SECRET: text.optional(),
  STRIPE_API_BASE: httpUrl.optional(),

  OPENAI_BASE_URL: httpUrl.optional(),
  OPENAI_API_KEY: text.optional(),
  OPENAI_MODEL: text.default("whisper-1"),
  FFMPEG_PATH: text.optional(),
  MAX_AUDIO_SECONDS: count(1, 86_400).default(900),
  OUTAGE_SECONDS: count(0, 86_400).default(1_800),
  QUEUE_LIMIT: count(1, 100_000).default(200),
  QUEUE_LIMIT_PER_ACCOUNT: count(1, 100_000).default(20),

  QUOTA_SCOPE: z.enum(["key", "account"]).default("key"),
  CALLS_AT_A_TIME: count(1, 1_000).default(2),
  CALLS_WAITING: count(0, 100_000).default(60),
  RATE_LIMIT_DEFAULT: count(1, 1_000_000).default(60),
  RATE_LIMIT_TRANSCRIBE: count(1, 1_000_000).default(10),
  RATE_LIMIT_BIO_WRITE: count(1, 1_000_000).default(20),
  RATE_LIMIT_ADDRESS: count(1, 1_000_000).default(600),
  RATE_LIMIT_PLATFORM: count(1, 1_000_000).default(300),
  RATE_LIMIT_MCP_MESSAGES: count(1, 1_000_000).default(600),
  RATE_LIMIT_FOLLOWING: count(1, 1_000_000).default(7_200),
  RATE_LIMIT_SIGN_IN: count(1, 1_000_000).default(120),
  RATE_LIMIT_PROGRAMS: count(1, 1_000_000).default(120),
  RATE_LIMIT_SESSION: count(1, 1_000_000).default(6_000),
  RATE_LIMIT_SESSION_TRANSCRIBE: count(1, 1_000_000).default(120),
  RATE_LIMIT_SESSION_BIO_WRITE: count(1, 1_000_000).default(1_000),
});

/** Without a provider any visitor could sign in as anyone, so only this machine may reach the service. */
export function wrongSignIn(settings: z.output<typeof Settings>, production: boolean): string[] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret, HOST: host, ROLE: role } = settings;
  const given = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret };
  const missing = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [name] : []));
  const all = "OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET";
  if (settings.AUTH === "password")
    return missing.length === 3
      ? []
      : [`AUTH: with password there is no identity provider; unset ${all}, or unset AUTH to use the provider`];
  if (settings.AUTH === "oidc" && missing.length === 3) return [`AUTH: oidc needs ${all}`];
  if (missing.length === 0)
    return production && issuer!.startsWith("http:") && !isLoopback(issuer!)
      ? ["OIDC_ISSUER: production needs an identity provider on https"]
      : [];
  if (missing.length < 3) return [`${missing.join(", ")}: an identity provider needs ${all}; set all three or none`];
  if (role === "worker") return [];
  if (production)
    return [`${all}: production needs an identity provider for people to sign in; set all three, or AUTH=password`];
  if (isLoopbackHost(host)) return [];
  return [
    `HOST: ${host} can be reached from other machines, and without an identity provider everyone there could sign in as anyone; use HOST=127.0.0.1, or set ${all}, or AUTH=password`,
  ];
}

export function wrongMail({ SMTP_URL: url, MAIL_FROM: from }: z.output<typeof Settings>): string[] {
  if ((url === undefined) === (from === undefined)) return [];
  return [`${url === undefined ? "SMTP_URL" : "MAIL_FROM"}: mail needs SMTP_URL and MAIL_FROM; set both or none`];
}

export function wrongObjectStorage(settings: z.output<typeof Settings>): string[] {
  const needed = ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const;
  const missing = needed.filter((name) => settings[name] === undefined);
  if (settings.OBJECT_STORAGE !== "s3" || missing.length === 0) return [];
  return [`${missing.join(", ")}: OBJECT_STORAGE=s3 needs ${needed.join(", ")}`];
}

/** With the local biller everybody could have a paid plan for free. With AUTH=password nobody pays unless Stripe is set up. */
export function wrongBilling(settings: z.output<typeof Settings>, production: boolean): string[] {
  const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret, HOST: host, ROLE: role } = settings;
  const both = "STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET";
  if ((key === undefined) !== (secret === undefined))
    return [
      `${key === undefined ? "STRIPE_SECRET_KEY" : "STRIPE_WEBHOOK_SECRET"}: payment needs ${both}; set both or none`,
    ];
  if (settings.STRIPE_API_BASE !== undefined && key !== undefined && /^(?:sk|rk)_live_/.test(key))
    return ["STRIPE_API_BASE: a live key goes to Stripe alone; unset it, or rehearse with a test key"];
  if (key !== undefined || role === "worker" || settings.AUTH === "password") return [];
  if (production) return [`${both}: production needs them for people to pay; set both, as docs/operations.md says`];
  if (isLoopbackHost(host)) return [];
  return [
    `HOST: ${host} can be reached from other machines, and without Stripe everyone there could have a paid plan for nothing; use HOST=127.0.0.1, or set ${both}`,
  ];
}

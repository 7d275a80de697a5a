import { languageModels, Settings } from "./environment-settings.ts";

/** Secret settings, and addresses that may contain a password. */
export const secretSettings: readonly string[] = [
  "DATABASE_URL",
  "DATABASE_READ_URL",
  "S3_ENDPOINT",
  "S3_ACCESS_KEY_ID",
  "S3_SECRET_ACCESS_KEY",
  "OIDC_CLIENT_SECRET",
  "SMTP_URL",
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "OPENAI_BASE_URL",
  "OPENAI_API_KEY",
  ...languageModels.flatMap((code) => [`OPENAI_BASE_URL_${code}`, `OPENAI_API_KEY_${code}`]),
  "MODEL_HUB_URL",
  "PLATFORM_PROXY",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
];

/** Every name that the environment may hold for this service. */
export const settingNames: readonly string[] = [
  ...Object.keys(Settings.shape),
  ...languageModels.flatMap((code) =>
    ["WHISPER_MODEL", "TRANSCRIBER", "OPENAI_BASE_URL", "OPENAI_API_KEY", "OPENAI_MODEL"].map(
      (name) => `${name}_${code}`,
    ),
  ),
  ...secretSettings.map((name) => `${name}_FILE`),
];

/** These aren't our settings: package installers read them, and they may contain a password. */
const ofInstallers = /^(?:PIP_\w+|(?:https?|all)_proxy)$/i;

/** True if an environment variable may hold a secret. */
export const isSecret = (name: string): boolean => secretSettings.includes(name) || ofInstallers.test(name);

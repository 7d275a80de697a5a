import { availableParallelism } from "node:os";
import type { OwnHead } from "@reelscript/whisper";
import type * as z from "zod";
import type { SignInSettings } from "../sign-in/create-sign-in.ts";
import { languageModels, type Settings } from "./environment-settings.ts";
import { type Endpoint, languageEndpoints } from "./language-endpoints.ts";

type Given = Readonly<Record<string, string | undefined>>;
type Read = z.output<typeof Settings>;

/** Speech is recognized in processes of this machine. */
export interface EmbeddedTranscriberSettings {
  readonly kind: "embedded";
  /** A folder or a name of the model hub; the embedded one when not set. */
  readonly model: string | undefined;
  /** Folders or hub names of models, by the single language that each recognizes. */
  readonly languageModels: Readonly<Record<string, string>>;
  /** The operator's own heads, found by `withChosenModels`, by language. */
  readonly heads: Readonly<Record<string, OwnHead>>;
  /** Endpoints of languages that are recognized elsewhere. */
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  readonly hubUrl: string | undefined;
  /** Threads of each slot. */
  readonly threads: number;
  /** Idle time after which a slot's process ends; the next reel starts another. */
  readonly idleSeconds: number;
}

/** The storage for the bytes of pictures. */
export type ObjectStorage = { readonly kind: "database" | "disk" } | ({ readonly kind: "s3" } & BucketSettings);

interface BucketSettings {
  /** Without a slash at its end. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export type TranscriberSettings = EmbeddedTranscriberSettings | ({ readonly kind: "openai" } & Endpoint);

export function transcriberOf(settings: Read, given: Given): TranscriberSettings {
  if (settings.TRANSCRIBER === "openai")
    return {
      kind: "openai",
      baseUrl: settings.OPENAI_BASE_URL!,
      apiKey: settings.OPENAI_API_KEY!,
      model: settings.OPENAI_MODEL,
    };
  const models = languageModels.flatMap((code) => {
    const model = given[`WHISPER_MODEL_${code}`];
    return model ? [[code.toLowerCase(), model]] : [];
  });
  return {
    kind: "embedded",
    model: settings.WHISPER_MODEL,
    languageModels: Object.fromEntries(models) as Record<string, string>,
    heads: {},
    endpoints: languageEndpoints(given),
    hubUrl: settings.MODEL_HUB_URL,
    threads: settings.WHISPER_THREADS ?? Math.max(1, Math.floor(availableParallelism() / settings.WHISPER_SLOTS)),
    idleSeconds: settings.WHISPER_IDLE_SECONDS,
  };
}

export function signInOf(settings: Read): SignInSettings {
  if (settings.AUTH === "password") return { kind: "password" };
  if (settings.OIDC_ISSUER === undefined) return { kind: "development" };
  return {
    kind: "provider",
    issuer: settings.OIDC_ISSUER,
    clientId: settings.OIDC_CLIENT_ID!,
    clientSecret: settings.OIDC_CLIENT_SECRET!,
  };
}

export function objectStorageOf(settings: Read): ObjectStorage {
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

export function trustProxy(value: string | undefined): boolean | string {
  if (value === undefined || value === "false" || value === "0") return false;
  return (
    value === "true" ||
    value
      .trim()
      .split(/[\s,]+/)
      .join(",")
  );
}

/** The name of the service comes last, as OpenTelemetry has it. */
export const traceAttributesOf = ({
  OTEL_RESOURCE_ATTRIBUTES: attributes,
  OTEL_SERVICE_NAME: name,
}: Read): Readonly<Record<string, string>> => ({
  ...attributes,
  ...(name !== undefined && { "service.name": name }),
});

import {
  keysPerAccount,
  languageCodes,
  languageSentence,
  languages,
  operations,
  plans,
  recognitionQualities,
  restBasePath,
  type Language,
  type Operation,
  type RecognitionQuality,
} from "@reelscript/contract";
import type { QuotaScope } from "../../rules/allowance.ts";
import type { RateLimitSettings } from "../../run/admission.ts";
import type { StoredGuide } from "../../ports.ts";

export const webhooksGuideSlug = "receive-webhooks";

interface LlmsTextParts {
  readonly guides: readonly StoredGuide[];
  readonly limits: RateLimitSettings;
  readonly quotaScope: QuotaScope;
  readonly languageQuality: Readonly<Record<Language, RecognitionQuality>>;
  readonly baseUrl: string;
}

/** Everything an agent should know before its first call, in Markdown, from the contract, the guides and the limits in force. */
export function llmsText({ baseUrl, guides, limits, quotaScope, languageQuality }: LlmsTextParts): string {
  const declared: readonly Operation[] = Object.values(operations);
  const rest = `${baseUrl}${restBasePath}`;
  const guideUrl = (slug: string): string => rest + operations.getGuide.http.path.replace("{slug}", slug);
  const keyless = ({ access }: Operation): string => (access === "public" ? " (no key needed)" : "");
  return `# Reelscript

> Turns the speech of public short videos (reels) into text, keeps it in a searchable library, and serves it to programs and AI agents.

REST is at ${rest}, MCP (streamable HTTP, stateless) at ${baseUrl}/mcp; both take the same API keys and do the same things.
Errors of REST are \`{"error":{"code":"…","message":"…"}}\`; where waiting helps, \`Retry-After\` says how long.

## Languages

${languageSentence(languageQuality)} How well the running model reads each:

${qualityLines(languageQuality)}

## API key

Send \`Authorization: Bearer svc_sk_…\`. A person signs in at ${baseUrl}/app and creates a key under API keys; it is shown once.
An account holds up to ${keysPerAccount} keys and may revoke any at any time. A key may expire (401, reason \`keyExpired\`) or be read-only (401 for what transcribes or changes something, reason \`keyReadOnly\`).

## REST operations

${declared.map((operation) => `- \`${operation.http.method} ${restBasePath}${operation.http.path}\`: ${operation.summary}${keyless(operation)}`).join("\n")}

## MCP tools

${declared.flatMap(({ tools = [] }) => tools.map(({ name, description }) => `- \`${name}\`: ${description.split("\n", 1)[0]}`)).join("\n")}

## Webhooks

An endpoint, created by \`${operations.createWebhook.http.method} ${restBasePath}${operations.createWebhook.http.path}\`, gets a signed POST when a transcription is done or has failed, and when a batch is finished. [How to check the signature, in TypeScript and Python](${guideUrl(webhooksGuideSlug)})

## Limits

- In any hour and per key: ${limits.default} requests, of which ${limits.transcribe} may transcribe and ${limits.bioWrite} change the bio page. Without a key: ${limits.address} requests per address.
- Transcriptions: ${Object.values(plans)
    .map(({ name, transcriptions, period }) => `${name} ${transcriptions} ${period === "month" ? "a month" : "in all"}`)
    .join(", ")}; counted per ${quotaScope}.
- A reel that someone has already transcribed, a reel without speech and a failure cost nothing.

## Documentation

- [API reference](${baseUrl}/docs): for people, in a browser
- [OpenAPI 3.1](${baseUrl}/openapi.json): every field, limit and error, for programs

## Guides

Send \`Accept: text/markdown\` to get the text; other callers get JSON.

${guides.map(({ slug, title, summary }) => `- [${title}](${guideUrl(slug)}): ${summary}`).join("\n")}
`;
}

const qualityLines = (quality: Readonly<Record<Language, RecognitionQuality>>): string =>
  Object.entries(recognitionQualities)
    .flatMap(([name, meaning]) => {
      const read = languageCodes.filter((code) => quality[code] === name);
      return read.length === 0
        ? []
        : [`- ${name} (${meaning}): ${read.map((code) => `${languages[code]} (${code})`).join(", ")}`];
    })
    .join("\n");

import {
  errorReasons,
  errors,
  type ErrorCode,
  type ErrorReason,
  hasBody,
  onlyReads,
  type Operation,
} from "@reelscript/contract";
import type { Json } from "../../run/json-schema.ts";
import { answerHeaders, type HeaderName } from "./answer-headers.ts";

/** Every operation may answer with these. */
const commonCodes: readonly ErrorCode[] = [
  "invalidRequest",
  "unauthorized",
  "rateLimited",
  "internalError",
  "unavailable",
];
export const commonReasons: readonly ErrorReason[] = [
  "keyMissing",
  "keyMalformed",
  "keyUnknown",
  "keyExpired",
  "accountSuspended",
  "tooManyRequests",
  "shuttingDown",
  "databaseUnavailable",
];

/** Reasons of wrong requests that are no 400. */
const statusOfReason: Partial<Record<ErrorReason, number>> = {
  notAVideo: 422,
  videoTooLarge: 422,
  noAudio: 422,
  unreadableMedia: 422,
  unsupportedLanguage: 422,
  speechNotRecognized: 422,
  alreadyHeard: 422,
  idempotencyKeyReused: 422,
  staleRevision: 412,
  keyReadOnly: 403,
};

const invalidRequests: Readonly<Record<number, string>> = {
  412: "The revision is stale.",
  413: "The body is too large.",
  415: "The body is not JSON.",
  422: "The request is right, but this can't be done: the reel can never be transcribed here, or not again, or the `idempotency-key` was used with another body. The message says why.",
  431: "The headers are too large.",
};

/** The error answers of operations, each written once, in the components. */
export interface ErrorResponses {
  /** References by status, for one operation. */
  of(operation: Operation): Json;
  readonly components: Json;
}

export function createErrorResponses(schema: Json): ErrorResponses {
  const components: Record<string, Json> = {};

  function referenceTo(status: number, causes: readonly Cause[]): Json {
    const body = describeError(status, causes, schema);
    const wanted = JSON.stringify(body);
    const base = causes.map(({ code }) => (status === errors[code].status ? code : `${code}${status}`)).join("-");
    let name = base;
    for (let variant = 2; name in components && JSON.stringify(components[name]) !== wanted; variant += 1)
      name = `${base}-${variant}`;
    components[name] = body;
    return { $ref: `#/components/responses/${name}` };
  }

  return {
    components,
    of(operation) {
      const refusesReadOnlyKeys = operation.access === "key" && !onlyReads(operation);
      const reasons: ErrorReason[] = [
        ...commonReasons,
        ...(refusesReadOnlyKeys ? (["keyReadOnly"] as const) : []),
        ...(operation.reasons ?? []),
      ];
      const causes = new Map<number, Cause[]>();
      const add = (status: number, code: ErrorCode): void => {
        const ofCode = Object.keys((errorReasons as Readonly<Record<string, object>>)[code] ?? {});
        const found = reasons.filter(
          (reason) => ofCode.includes(reason) && (statusOfReason[reason] ?? errors[code].status) === status,
        );
        causes.set(status, [...(causes.get(status) ?? []), { code, reasons: found }]);
      };
      for (const code of [...commonCodes, ...operation.errors]) add(errors[code].status, code);
      const further = [
        ...(hasBody(operation.http) ? [413, 415] : []),
        ...(operation.invalidRequestStatuses ?? []),
        431,
      ];
      for (const status of further) add(status, "invalidRequest");
      if (refusesReadOnlyKeys) add(403, "unauthorized");
      return Object.fromEntries([...causes].map(([status, found]) => [status, referenceTo(status, found)]));
    },
  };
}

/** What a status may mean. */
interface Cause {
  readonly code: ErrorCode;
  readonly reasons: readonly ErrorReason[];
}

const describeCause = (status: number, code: ErrorCode): string =>
  status === 403 && code === "unauthorized"
    ? "The API key is read-only."
    : (invalidRequests[status] ?? errors[code].description);

function describeError(status: number, causes: readonly Cause[], schema: Json): Json {
  const [{ code }] = causes as [Cause];
  const reasons = causes.flatMap((cause) => cause.reasons);
  const names: HeaderName[] = [];
  if (errors[code].retryable && code !== "internalError" && code !== "upstreamError") names.unshift("retry-after");
  if (causes.some((cause) => cause.code === "unauthorized")) names.unshift("www-authenticate");
  const description = causes.map((cause) => `\`${cause.code}\`: ${describeCause(status, cause.code)}`).join(" ");
  const known = (errorReasons as Readonly<Record<string, Readonly<Record<string, string>>>>)[code] ?? {};
  return {
    description,
    headers: {
      ...answerHeaders(...names),
      ...(reasons.length > 0 && {
        "x-error-reason": {
          description: "Why, where there is more to say.",
          schema: { type: "string", enum: reasons },
        },
      }),
    },
    content: {
      "application/json": {
        schema,
        example: { error: { code, message: known[reasons[0] ?? ""] ?? describeCause(status, code) } },
      },
    },
  };
}

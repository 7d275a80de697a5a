import {
  errorReasons,
  errors,
  type ErrorCode,
  type ErrorReason,
  onlyReads,
  type Operation,
  statusOfReason,
} from "@reelscript/contract";
import type { Json } from "../../run/schemas.ts";
import { answerHeaders, withHeaders, type HeaderName } from "./describe-answers.ts";

/** Every operation may fail with these, in addition to those of `describeOthers`. */
const commonCodes: readonly ErrorCode[] = ["invalidRequest", "unauthorized", "rateLimited"];
const commonReasons: readonly ErrorReason[] = [
  "keyMissing",
  "keyMalformed",
  "keyUnknown",
  "keyExpired",
  "accountSuspended",
  "tooManyRequests",
  "tooManyAtATime",
  "shuttingDown",
  "databaseUnavailable",
];

/** Requests with an `Idempotency-Key` may be refused for it. */
const idempotencyReasons: readonly ErrorReason[] = ["idempotencyKeyReused", "idempotencyKeyInUse"];

const invalidRequests: Readonly<Record<number, string>> = {
  412: "The revision is stale.",
  422: "The request is valid, but can't be carried out; the message says why.",
  431: "The headers are too large.",
};

/** The error answers of an operation by status. `schema` is that of the envelope. */
export function describeErrors(operation: Operation, schema: Json): Json {
  const refusesReadOnlyKeys = operation.access === "key" && !onlyReads(operation);
  const { idempotent } = operation.http;
  const ofOperation = [...(operation.reasons ?? []), ...(idempotent ? idempotencyReasons : [])];
  const codes = new Set([...commonCodes, ...operation.errors, ...(idempotent ? (["inProgress"] as const) : [])]);
  const reasons: ErrorReason[] = [
    ...commonReasons,
    ...(refusesReadOnlyKeys ? (["keyReadOnly"] as const) : []),
    ...ofOperation,
  ];
  const causes = new Map<number, Cause[]>();
  const add = (status: number, code: ErrorCode): void => {
    const reasonsOfStatus = reasonsOf(code, reasons).filter(
      (reason) => (statusOfReason[reason] ?? errors[code].status) === status,
    );
    causes.set(status, [...(causes.get(status) ?? []), { code, reasons: reasonsOfStatus }]);
  };
  for (const code of codes) add(errors[code].status, code);
  if (reasonsOf("unavailable", reasons).length > reasonsOf("unavailable", commonReasons).length)
    add(errors.unavailable.status, "unavailable");
  const statuses = new Set(ofOperation.map((reason) => statusOfReason[reason]));
  for (const status of statuses) if (status !== undefined) add(status, "invalidRequest");
  const described = [...causes].map(([status, causesOfStatus]) => [
    status,
    describeError(status, causesOfStatus, schema),
  ]);
  return { ...Object.fromEntries(described), default: describeOthers(schema) };
}

const reasonsOf = (code: ErrorCode, reasons: readonly ErrorReason[]): ErrorReason[] => {
  const reasonNames = Object.keys((errorReasons as Readonly<Record<string, object>>)[code] ?? {});
  return reasons.filter((reason) => reasonNames.includes(reason));
};

/** Errors that any request may get, written once rather than for each operation. */
function describeOthers(schema: Json): Json {
  return {
    description:
      "Errors that any request may get: `invalidRequest` as 413 (body too large), 415 (body not JSON, or compressed) or 431 (headers too large), `internalError` as 500, `unavailable` as 503.",
    headers: { ...answerHeaders("retry-after"), ...reasonHeader(reasonsOf("unavailable", commonReasons)) },
    content: {
      "application/json": {
        schema,
        example: { error: { code: "internalError", message: errors.internalError.description } },
      },
    },
  };
}

const reasonHeader = (reasons: readonly ErrorReason[]): Json =>
  reasons.length > 0 ? { "x-error-reason": { schema: { enum: reasons } } } : {};

/** One meaning of a status. */
interface Cause {
  readonly code: ErrorCode;
  readonly reasons: readonly ErrorReason[];
}

const describeCause = (status: number, code: ErrorCode): string => invalidRequests[status] ?? errors[code].description;

function describeError(status: number, causes: readonly Cause[], schema: Json): Json {
  const [{ code }] = causes as [Cause];
  const reasons = causes.flatMap((cause) => cause.reasons);
  const names: HeaderName[] = [];
  if (errors[code].retryable && code !== "internalError" && code !== "upstreamError") names.unshift("retry-after");
  if (reasons.includes("transcriptionRunning")) names.unshift("location");
  if (causes.some((cause) => cause.code === "unauthorized")) names.unshift("www-authenticate");
  const description = causes.map((cause) => `\`${cause.code}\`: ${describeCause(status, cause.code)}`).join(" ");
  const meanings = (errorReasons as Readonly<Record<string, Readonly<Record<string, string>>>>)[code] ?? {};
  return {
    description,
    ...withHeaders({ ...answerHeaders(...names), ...reasonHeader(reasons) }),
    content: {
      "application/json": {
        schema,
        example: { error: { code, message: meanings[reasons[0] ?? ""] ?? describeCause(status, code) } },
      },
    },
  };
}

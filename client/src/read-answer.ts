import { errors, type ErrorCode, type ErrorReason, type InvalidRequestStatus } from "@reelscript/contract/values";
import { RefusedError, UnexpectedAnswer } from "./client-errors.ts";
import type { ReceivedAnswer } from "./send-request.ts";

const invalidRequestStatuses: readonly number[] = [400, 405, 412, 413, 415, 422] satisfies InvalidRequestStatus[];

/**
 * The output of an answer; throws `RefusedError` or `UnexpectedAnswer`. `outputOf` reads the JSON of a success, undefined
 * where there is none, and gives undefined for what the contract does not promise.
 */
export function readAnswer<Output>(
  { response, text }: ReceivedAnswer,
  outputOf: (body: unknown, text: string, status: number) => Output | undefined,
): Output {
  const body = parseJson(text);
  if (response.ok) {
    const output = outputOf(body, text, response.status);
    if (output !== undefined) return output;
    throw unexpected(response, "instead of what the contract promises; are client and service of the same version?");
  }
  const error = errorIn(body);
  if (error === undefined) throw unexpected(response, "instead of an answer of Reelscript; is the address right?");
  const retryAfter = readRetryAfter(response.headers.get("retry-after"));
  const { status } = response;
  const isKind = error.code === "invalidRequest" && status !== errors.invalidRequest.status && isInvalidRequest(status);
  throw new RefusedError(error.code, error.message, {
    requestId: requestId(response),
    reason: readReason(response.headers.get("x-error-reason")),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(isKind && { status }),
  });
}

/** What is in an error envelope. */
function errorIn(body: unknown): { readonly code: ErrorCode; readonly message: string } | undefined {
  const { error } = (body ?? {}) as { readonly error?: unknown };
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  const isKnown = typeof code === "string" && Object.hasOwn(errors, code) && typeof message === "string";
  return isKnown ? { code: code as ErrorCode, message } : undefined;
}

/** The list of all reasons would be a third of what a page loads, and a newer service may have more of them. */
const readReason = (header: string | null): ErrorReason | undefined =>
  header !== null && /^[a-z][A-Za-z]{1,60}$/.test(header) ? (header as ErrorReason) : undefined;

/** `Retry-After` in whole seconds; proxies may send a date instead of a number. */
export function readRetryAfter(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Math.max(1, Number(text));
  const moment = /^[A-Za-z]{3}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? undefined : Math.max(1, Math.ceil((moment - now) / 1000));
}

const isInvalidRequest = (status: number): status is InvalidRequestStatus => invalidRequestStatuses.includes(status);

const requestId = (response: Response): string | undefined => response.headers.get("x-request-id") ?? undefined;

function unexpected(response: Response, rest: string): UnexpectedAnswer {
  const location = response.headers.get("location");
  const kind = response.headers.get("content-type")?.split(";", 1)[0]?.trim() || "no content type";
  const redirected = response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400);
  const what = redirected
    ? `The address redirects${location === null ? "" : ` to ${location}`}, and redirects are not followed; use the address of the service itself.`
    : `Status ${response.status} with ${kind} came ${rest}`;
  return new UnexpectedAnswer(what, {
    status: response.status,
    retryAfter: readRetryAfter(response.headers.get("retry-after")),
    requestId: requestId(response),
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { ErrorEnvelope, errors, type InvalidRequestStatus, type Operation } from "@reelscript/contract";
import { RefusedError, UnexpectedAnswer } from "./client-errors.ts";

const invalidRequestStatuses: readonly number[] = [400, 405, 412, 413, 415, 422] satisfies InvalidRequestStatus[];

/** The output that the contract promises, out of an answer whose body was read; throws `RefusedError` or `UnexpectedAnswer`. */
export function readAnswer(operation: Operation, { response, text }: { response: Response; text: string }): unknown {
  const body = parseJson(text);
  if (response.ok) {
    const output = operation.output.safeParse(body);
    if (output.success) return output.data;
    throw unexpected(response, "instead of what the contract promises; are client and service of the same version?");
  }
  const envelope = ErrorEnvelope.safeParse(body);
  if (!envelope.success) throw unexpected(response, "instead of an answer of Reelscript; is the address right?");
  const { code, message } = envelope.data.error;
  const retryAfter = readRetryAfter(response.headers.get("retry-after"));
  const { status } = response;
  throw new RefusedError(code, message, {
    requestId: requestId(response),
    ...(retryAfter !== undefined && { retryAfter }),
    ...(code === "invalidRequest" && status !== errors.invalidRequest.status && isInvalidRequest(status) && { status }),
  });
}

/** `Retry-After` in whole seconds; proxies may send a date instead of a number. */
function readRetryAfter(header: string | null, now = Date.now()): number | undefined {
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

import type { OperationRequest } from "@reelscript/contract/requests";
import type { ErrorCode, ErrorReason } from "@reelscript/contract/values";
import { CallError } from "./call-error.ts";
import type { ReceivedAnswer } from "./build-request.ts";

/** Codes and reasons; a newer service may have more of them. */
const word = /^[a-z][A-Za-z]{1,60}$/;

/** The output of an answer, with all that it always has. Throws `CallError`. */
export function readAnswer<Output>(
  { response, text }: ReceivedAnswer,
  { bare, numbers, output }: Pick<OperationRequest, "bare" | "numbers" | "output">,
): Output {
  const body = parseJson(text);
  if (response.ok) {
    const value =
      bare === undefined || response.status === 202 ? body : { [bare]: text, ...readNumbers(response, numbers) };
    if (isWhole(value, output)) return value as Output;
    throw unexpectedAnswer(response);
  }
  const { code, message, problems } = ((body as { readonly error?: unknown } | undefined | null)?.error ??
    {}) as Partial<CallError>;
  if (typeof code !== "string" || !word.test(code) || typeof message !== "string") throw unexpectedAnswer(response);
  const reason = response.headers.get("x-error-reason");
  throw new CallError(code as ErrorCode, message, {
    ...detailsOf(response),
    problems: Array.isArray(problems) ? problems : undefined,
    reason: reason !== null && word.test(reason) ? (reason as ErrorReason) : undefined,
  });
}

/** The output field of a header such as `average=12.4, fastest=17.1`. */
function readNumbers({ headers }: Response, numbers: OperationRequest["numbers"]): object | undefined {
  const header = numbers && headers.get(numbers.header);
  if (!header) return undefined;
  const entries = header.split(",").map((part) => part.trim().split("="));
  return { [numbers.field]: Object.fromEntries(entries.map(([name = "", value]) => [name, Number(value)])) };
}

/** Checks that an output has every field that is always present. */
export const isWhole = (value: unknown, output: readonly string[] = []): boolean =>
  typeof value === "object" && value !== null && output.every((field) => field in value);

/** `Retry-After` in whole seconds; proxies may send a date instead of a number. */
export function readRetryAfter(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Math.max(1, Number(text));
  const moment = /^[A-Za-z]{3}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? undefined : Math.max(1, Math.ceil((moment - now) / 1000));
}

const detailsOf = ({ status, headers }: Response) => ({
  status,
  retryAfter: readRetryAfter(headers.get("retry-after")),
  requestId: headers.get("x-request-id") ?? undefined,
});

function unexpectedAnswer(response: Response): CallError {
  const { type, status, headers } = response;
  const location = headers.get("location");
  const kind = headers.get("content-type")?.split(";", 1)[0]?.trim() || "no content type";
  const message =
    type === "opaqueredirect" || (status >= 300 && status < 400)
      ? `The address redirects${location === null ? "" : ` to ${location}`}, and redirects are not followed; use the address of the service itself.`
      : `Something other than Reelscript responded (status ${status}, ${kind}).`;
  return new CallError("unexpectedAnswer", message, detailsOf(response));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

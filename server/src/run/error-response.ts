import { ServiceError, type ErrorEnvelope } from "@reelscript/contract";

export const envelopeOf = ({ code, message, problems }: ServiceError): ErrorEnvelope => ({
  error: {
    code,
    message,
    ...(problems && { problems: problems.map(({ path, problem }) => ({ path: [...path], problem })) }),
  },
});

/** The error for an internal fault. It hides the cause, which only the operator sees. */
export const internalError = (cause?: unknown): ServiceError =>
  new ServiceError(
    "internalError",
    "Something went wrong on our side. Try again. If it keeps happening, report the request id.",
    {
      cause,
    },
  );

/** Headers that go with an error. */
export function errorHeaders(error: ServiceError): Record<string, string> {
  return {
    ...(error.retryAfter !== undefined && { "retry-after": String(error.retryAfter) }),
    ...(error.code === "unauthorized" && { "www-authenticate": 'Bearer realm="reelscript"' }),
    ...(error.status === 413 && { connection: "close" }),
  };
}

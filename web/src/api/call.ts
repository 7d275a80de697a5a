import type { ErrorEnvelope } from "@reelscript/contract";
import { operationTable } from "virtual:operation-table";
import { ApiError } from "./api-error.ts";
import { addressOf, fieldText } from "./operation-address.ts";
import type { Input, OperationName, Output } from "./operation-types.ts";

/** Asks the service. Throws `ApiError`; who is not signed in is taken to the sign-in page. */
export async function call<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  { signal, prefer }: { readonly signal?: AbortSignal; readonly prefer?: "respond-async" } = {},
): Promise<Output<Name>> {
  const { method, ifMatch } = operationTable[name]!; // safe: made of the same operations
  const { url, rest } = addressOf(name, input);
  const { [ifMatch ?? ""]: revision, ...body } = rest;
  const hasBody = method === "POST" || method === "PATCH";
  const response = await fetch(url, {
    method,
    signal: signal ?? null,
    headers: {
      accept: "application/json",
      ...(hasBody && { "content-type": "application/json" }),
      ...(prefer && { prefer }),
      ...(revision !== undefined && { "if-match": `"${fieldText(revision)}"` }),
    },
    body: hasBody ? JSON.stringify(body) : null,
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError("unreachable", "Reelscript did not answer. Check the connection.");
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok && answer !== undefined) return answer as Output<Name>;
  if (response.status === 401) return goToSignIn();
  throw errorOf(response, answer);
}

function errorOf(response: Response, answer: unknown): ApiError {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  const details = { status: response.status, retryAfter: Number.isFinite(seconds) ? seconds : undefined };
  const { error } = (answer ?? {}) as Partial<ErrorEnvelope>;
  if (error === undefined) return new ApiError("unavailable", "The answer was not one of Reelscript's.", details);
  return new ApiError(error.code, error.message, details);
}

let leaving = false;

/** A new document, so that nothing of the person who was signed in stays in memory. What was asked for has no end any more. */
function goToSignIn(): Promise<never> {
  if (!leaving)
    location.replace(`/app/sign-in?${new URLSearchParams({ return_to: location.pathname + location.search })}`);
  leaving = true;
  return new Promise(() => undefined);
}

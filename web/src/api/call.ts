import { buildRequest, readAnswer, sendRequest } from "@reelscript/client/core";
import { peopleBasePath } from "@reelscript/contract/values";
import { operationTable } from "virtual:operation-table";
import { toApiError } from "./api-error.ts";
import { signedInAgain } from "./session-end.ts";
import type { Input, OperationName, Output } from "./operation-types.ts";

interface Options {
  readonly signal?: AbortSignal;
  readonly prefer?: "respond-async";
}

/**
 * Asks the service. Throws `ApiError`. Who is not signed in is taken to the sign-in page, or, where that would lose what
 * was typed, is asked to sign in again in another tab, and then the call is made again.
 */
export async function call<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  { signal, prefer }: Options = {},
): Promise<Output<Name>> {
  const { origin: baseUrl } = location;
  const request = buildRequest({ http: operationTable[name] }, input, { baseUrl, basePath: peopleBasePath, prefer });
  try {
    const answer = await sendRequest(request, { fetch, service: "Reelscript", signal });
    // The pages come from the service itself, so that its answers need no schemas to be trusted.
    return readAnswer(answer, (body) => body as Output<Name> | undefined);
  } catch (error) {
    if (signal?.aborted) throw error;
    const problem = toApiError(error);
    if (problem.status !== 401) throw problem;
    const again = signedInAgain();
    if (again === undefined) return goToSignIn();
    await again;
    signal?.throwIfAborted();
    return call(name, input, { ...(signal && { signal }), ...(prefer && { prefer }) });
  }
}

let leaving = false;

/** A new document, so that nothing of the person who was signed in stays in memory. What was asked for has no end any more. */
function goToSignIn(): Promise<never> {
  if (!leaving)
    location.replace(`/app/sign-in?${new URLSearchParams({ return_to: location.pathname + location.search })}`);
  leaving = true;
  return new Promise(() => undefined);
}

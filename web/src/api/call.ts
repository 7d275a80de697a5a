import {
  CallError,
  createCore,
  type AnyOperationName,
  type Core,
  type InnerOptions,
  type Input,
  type Output,
  type Transcription,
  addressOf,
} from "@reelscript/client/core";
import { peopleRequests, programRequests, type OperationRequests } from "@reelscript/contract/requests";
import { peopleBasePath } from "@reelscript/contract/values";
import { signedInAgain } from "./session-end.ts";
import { QueryClient } from "@tanstack/react-query";

export const requests = { ...programRequests, ...peopleRequests } as OperationRequests; // safe: pages with others add them first

/** Adds the requests of operations that only few people have, before a page calls one. */
export const addRequests = (added: Partial<OperationRequests>): void => void Object.assign(requests, added);

let core: Core<AnyOperationName> | undefined;
/** The pages retry failed calls themselves and show the retries. */
const service = (): Core<AnyOperationName> =>
  (core ??= createCore({
    baseUrl: location.origin,
    basePath: peopleBasePath,
    requests,
    service: "Reelscript",
    retry: false,
    followPace: { longestPause: 3, failures: 8 },
  }));

/** Calls the service. Waits when asked to only within the bounds of `retry`. Throws `CallError`. */
export const call = <Name extends AnyOperationName>(
  name: Name,
  input: Input<Name>,
  options: Pick<InnerOptions, "signal" | "retry"> = {},
): Promise<Output<Name>> => signedIn(() => service().call(name, input, options), options.signal);

/** Starts transcribing a reel, or returns its transcript if there already is one. */
export const beginTranscription = (input: Input<"transcribeReel">): Promise<Output<"transcribeReel"> | Transcription> =>
  signedIn(() => service().call("transcribeReel", input, { respondAsync: true }));

export const followTranscription = (
  id: string,
  onProgress: (transcription: Transcription) => void,
): Promise<Transcription> => signedIn(() => service().follow(id, { onProgress }));

/**
 * Takes people who aren't signed in to the sign-in page. If that would lose typed text, they sign in again in another tab
 * instead, and the call is repeated.
 */
async function signedIn<Result>(attempt: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
  try {
    return await attempt();
  } catch (error) {
    if (signal?.aborted || !(error instanceof CallError) || error.status !== 401) throw error;
    const again = signedInAgain();
    if (again === undefined) return goToSignIn();
    await again;
    signal?.throwIfAborted();
    return signedIn(attempt, signal);
  }
}

let leaving = false;

/** Loads a new document, so that nothing of the previous person stays in memory. The pending call never ends. */
function goToSignIn(): Promise<never> {
  if (!leaving)
    location.replace(`/app/sign-in?${new URLSearchParams({ return_to: location.pathname + location.search })}`);
  leaving = true;
  return new Promise(() => undefined);
}

export const operationAddress = (name: AnyOperationName, input: Readonly<Record<string, unknown>>): string =>
  peopleBasePath + addressOf(requests[name], input);

/** If the wait is longer than this, the person decides when to retry. */
const longestSilentWait = 5;

export const queryClient = new QueryClient({
  defaultOptions: {
    // Without a connection a call fails visibly instead of waiting silently.
    mutations: { networkMode: "always" },
    queries: {
      networkMode: "always",
      staleTime: 30_000,
      retry: (failures, error) =>
        failures < 2 &&
        error instanceof CallError &&
        error.retryable &&
        (error.retryAfter === undefined || error.retryAfter <= longestSilentWait),
      retryDelay: (failures, error) =>
        error instanceof CallError && error.retryAfter !== undefined ? error.retryAfter * 1_000 : 500 * 2 ** failures,
    },
  },
});

/** Refetches visible data of these operations now, and the rest when it is shown again. */
export const refresh = (...names: readonly AnyOperationName[]): Promise<unknown> =>
  Promise.all(names.map((name) => queryClient.invalidateQueries({ queryKey: [name] })));

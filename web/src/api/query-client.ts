import { QueryClient } from "@tanstack/react-query";
import { CallError, type AnyOperationName } from "@reelscript/client/core";

/** A longer wait than this is left to the person. */
const longestSilentWait = 5;

export const queryClient = new QueryClient({
  defaultOptions: {
    // Without a connection a call fails visibly, instead of waiting in silence.
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

/** Asks again what is shown of these operations; what isn't shown, when it is. */
export const refresh = (...names: readonly AnyOperationName[]): Promise<unknown> =>
  Promise.all(names.map((name) => queryClient.invalidateQueries({ queryKey: [name] })));

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ApiError } from "./api-error.ts";
import { call } from "./call.ts";
import type { Input, OperationName, Output } from "./operation-types.ts";

interface Options<Name extends OperationName> {
  /** The operations whose answers the change makes stale, whatever their input. */
  readonly stale?: readonly OperationName[];
  readonly onDone?: (output: Output<Name>, input: Input<Name>) => unknown;
}

/** An operation that changes something: `mutate(input)`, `isPending`, `error`. */
export function useChange<Name extends OperationName>(name: Name, { stale = [], onDone }: Options<Name> = {}) {
  const client = useQueryClient();
  const refresh = async (): Promise<unknown> =>
    Promise.all(stale.map((other) => client.invalidateQueries({ queryKey: [other] })));
  return useMutation<Output<Name>, ApiError, Input<Name>>({
    mutationFn: (input) => call(name, input),
    onSuccess: async (output, input) => {
      const refreshed = refresh();
      await onDone?.(output, input);
      await refreshed;
    },
    // It may have happened although no answer came, or be refused because the pages show what is no more.
    onError: () => void refresh(),
  });
}

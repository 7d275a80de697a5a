import { AsyncLocalStorage } from "node:async_hooks";
import type { Span } from "./traces.ts";

/** What is known of a request while it is answered: ids and outcomes, never what was in it. */
export interface RequestScope {
  readonly requestId: string;
  operation?: string;
  door?: string;
  accountId?: string;
  keyId?: string;
  cached?: boolean;
  /** The code of the error that the caller got. */
  code?: string;
  /** Why it failed, when that was not the caller's doing. */
  cause?: unknown;
  span?: Span | undefined;
  ended: boolean;
}

const storage = new AsyncLocalStorage<RequestScope>();

export const runInScope = (scope: RequestScope, run: () => void): void => storage.run(scope, run);

/** The request on whose behalf this code runs; none for work that went on after its answer. */
export function currentScope(): RequestScope | undefined {
  const scope = storage.getStore();
  return scope?.ended === false ? scope : undefined;
}

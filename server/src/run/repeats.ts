import type { AnyOperationName } from "@reelscript/contract";
import type { AccountCaller, Caller } from "../caller.ts";
import type { Needs } from "./needs.ts";

/** The id of the caller's own work whose result a call is for. */
export type FindAwaited = (
  name: AnyOperationName,
  input: unknown,
  caller: AccountCaller,
) => Promise<string | undefined>;

/** Calls for the same work within an hour before they count like others. */
const mostRepeats = 20;

/** True if a call only waits again for work that an earlier, counted call started. */
export type IsRepeat = (name: AnyOperationName, receive: () => unknown, caller: Caller) => Promise<boolean>;

export const createIsRepeat =
  ({
    findAwaited,
    rateLimits,
    clock,
  }: Needs<"rateLimits" | "clock"> & { readonly findAwaited: FindAwaited }): IsRepeat =>
  async (name, receive, caller) => {
    if (caller.kind === "anonymous") return false;
    // Unreadable input is refused later, once the call is counted.
    const input = await Promise.resolve()
      .then(receive)
      .catch(() => undefined);
    const awaited = await findAwaited(name, input, caller);
    if (awaited === undefined) return false;
    const buckets = [{ name: "transcribe", limit: mostRepeats } as const];
    return (await rateLimits.take(`again:${awaited}`, buckets, clock.now())).taken;
  };

import { setTimeout as pause } from "node:timers/promises";

const lookAgainMilliseconds = 1_000;

interface AccountTurnsOptions {
  /** Pieces of work in all, at a time. */
  readonly atATime: number;
  /** Nothing begins after this, counted from the start of `run`. */
  readonly milliseconds: number;
}

interface AccountWork {
  /** The accounts that have work, without those that are given. */
  readonly waiting: (without: readonly string[]) => Promise<readonly string[]>;
  /** Does one piece of an account's work. */
  readonly doNext: (accountId: string) => Promise<void>;
}

/** Does work of accounts until there is none. True if some may be left. */
type RunInAccountTurns = (work: AccountWork, signal: AbortSignal) => Promise<boolean>;

/**
 * For work of accounts that waits for others, such as platforms: one piece of each account at a time, and next that of the account
 * whose work took the least time. So an account with much or slow work holds up nobody but itself. What a process learned
 * about the times is kept between runs.
 */
export function createAccountTurns({ atATime, milliseconds }: AccountTurnsOptions): RunInAccountTurns {
  /** Milliseconds that the work of an account took; one that hasn't worked lately begins where the last one was. */
  const taken = new Map<string, number>();
  let leastTaken = 0;
  const takenBy = (accountId: string): number => Math.max(taken.get(accountId) ?? leastTaken, leastTaken);

  return async ({ waiting, doNext }, signal) => {
    const began = performance.now();
    const inHand = new Map<string, Promise<void>>();
    let failure: { readonly error: unknown } | undefined;

    async function work(accountId: string): Promise<void> {
      const begun = performance.now();
      try {
        await doNext(accountId);
      } catch (error) {
        failure ??= { error };
      }
      taken.set(accountId, takenBy(accountId) + performance.now() - begun);
      inHand.delete(accountId);
    }

    async function begin(): Promise<void> {
      if (inHand.size >= atATime) return;
      const accounts = await waiting([...inHand.keys()]);
      const first = accounts.toSorted((one, other) => takenBy(one) - takenBy(other)).slice(0, atATime - inHand.size);
      const next = first[0];
      if (next !== undefined) leastTaken = takenBy(next);
      for (const [accountId, spent] of taken) if (spent <= leastTaken) taken.delete(accountId);
      for (const accountId of first) inHand.set(accountId, work(accountId));
    }

    const mayBegin = (): boolean =>
      failure === undefined && !signal.aborted && performance.now() - began < milliseconds;
    for (;;) {
      if (mayBegin()) await begin();
      if (inHand.size === 0) break;
      await Promise.race([...inHand.values(), pause(lookAgainMilliseconds, undefined, { ref: false })]);
    }
    if (failure !== undefined && !signal.aborted) throw failure.error;
    return performance.now() - began >= milliseconds;
  };
}

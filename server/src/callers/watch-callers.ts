import { ServiceError } from "@reelscript/contract";
import type { AccountCaller, Caller } from "../rules/caller.ts";
import { isExpired, keyExpired } from "./authenticate.ts";
import type { Keys, Sessions, Clock } from "../ports.ts";

const pollMilliseconds = 2_000;

/** Calls back once, within seconds after the call's key or session ends. Returns a function that stops the watch. */
export type WatchCaller = (caller: Caller, onEnded: (error: ServiceError) => void) => () => void;

const ended: Readonly<Record<AccountCaller["kind"], string>> = {
  key: "This API key was revoked.",
  session: "Your session has ended. Sign in and try again.",
  extension: "The extension was disconnected. Connect it again.",
};

function endOf(caller: AccountCaller, now: Date): ServiceError {
  const hasExpired = caller.kind === "key" && isExpired(caller.key, now);
  return hasExpired ? keyExpired(caller.key) : new ServiceError("unauthorized", ended[caller.kind]);
}

interface WatchNeeds {
  readonly keys: Keys;
  readonly sessions: Sessions;
  readonly clock: Clock;
}

/** One query for all long calls of this process, instead of one for each. */
export function createWatchCallers({ keys, sessions, clock }: WatchNeeds): WatchCaller {
  const watched = new Set<{ readonly caller: AccountCaller; readonly onEnded: (error: ServiceError) => void }>();
  let timer: NodeJS.Timeout | undefined;
  let looking = false;

  async function look(): Promise<void> {
    const before = [...watched];
    const keyIds = new Set(before.flatMap(({ caller }) => (caller.kind === "key" ? [caller.key.id] : [])));
    const sessionIds = new Set(before.flatMap(({ caller }) => (caller.kind === "key" ? [] : [caller.session.id])));
    const live = new Set([
      ...(keyIds.size > 0 ? await keys.live([...keyIds], clock.now()) : []),
      ...(sessionIds.size > 0 ? await sessions.live([...sessionIds], clock.now()) : []),
    ]);
    for (const one of before) {
      const { caller, onEnded } = one;
      if (live.has(caller.kind === "key" ? caller.key.id : caller.session.id) || !watched.delete(one)) continue;
      onEnded(endOf(caller, clock.now()));
    }
  }

  return (caller, onEnded) => {
    if (caller.kind === "anonymous") return () => undefined;
    const one = { caller, onEnded };
    watched.add(one);
    timer ??= setInterval(() => {
      if (looking) return;
      looking = true;
      // While the database is down, ends go unnoticed; the next check makes up for it.
      look()
        .catch(() => undefined)
        .finally(() => (looking = false));
    }, pollMilliseconds).unref();
    return () => {
      watched.delete(one);
      if (watched.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    };
  };
}

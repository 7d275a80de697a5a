import { randomBytes } from "node:crypto";
import type { Clock } from "../../../ports.ts";
import { asNavigation } from "../browser.ts";
import type { PlatformSession } from "../platform-session.ts";
import { SourceFailure } from "../source-failure.ts";
import { queryToken } from "./page-scripts.ts";

/** What queries show of the visitor who makes them. */
export interface Visitor {
  readonly token: string;
  /** As in the header, or "". */
  readonly cookies: string;
  readonly csrfToken: string | undefined;
}

/** Visitors as the front page makes them, one for all reels that are asked for by the same way out. */
export interface FrontPage {
  /** Where the front page gives none, one is made up. Throws the reason of the session's signal only. */
  visitor(session: PlatformSession): Promise<Visitor>;
  /** Another one after `used` was turned away, or `undefined` where another would not help. */
  renewed(session: PlatformSession, used: Visitor): Promise<Visitor | undefined>;
}

interface Entry {
  readonly from: PlatformSession;
  readonly since: number;
  readonly visitor: Promise<Visitor>;
  /** Once it is there. */
  known?: { readonly visitor: Visitor; readonly isMadeUp: boolean };
}

const lastsMilliseconds = 600_000;
/** A front page that gave nothing, or whose visitor was turned away, is asked again after this. */
const pauseMilliseconds = 60_000;

export function createFrontPage(clock: Clock): FrontPage {
  const entries = new Map<string, Entry>();
  /** When a visitor was last turned away. */
  const renewals = new Map<string, number>();

  function enter(session: PlatformSession): Entry {
    const entry: Entry = {
      from: session,
      since: clock.now().getTime(),
      visitor: Promise.resolve().then(async () => {
        const visitor = await askFrontPage(session);
        entry.known = { visitor: visitor ?? madeUp(), isMadeUp: visitor === undefined };
        return entry.known.visitor;
      }),
    };
    entries.set(session.exit, entry);
    entry.visitor.catch(() => {
      if (entries.get(session.exit) === entry) entries.delete(session.exit);
    });
    return entry;
  }

  function isFresh({ since, known }: Entry): boolean {
    const age = clock.now().getTime() - since;
    return age < (known?.isMadeUp ? pauseMilliseconds : lastsMilliseconds);
  }

  async function visitor(session: PlatformSession): Promise<Visitor> {
    for (;;) {
      const found = entries.get(session.exit);
      const entry = found && isFresh(found) ? found : enter(session);
      try {
        return await unlessAborted(entry.visitor, session.signal);
      } catch (error) {
        session.signal.throwIfAborted();
        // Whoever asked has left; now it is asked for this one.
        if (entry.from === session) throw error;
      }
    }
  }

  return {
    visitor,
    async renewed(session, used) {
      const found = entries.get(session.exit);
      if (found?.known?.visitor === used) {
        const now = clock.now().getTime();
        const isSoon = now - (renewals.get(session.exit) ?? -Infinity) < pauseMilliseconds;
        if (found.from === session || isSoon) return undefined;
        renewals.set(session.exit, now);
        entries.delete(session.exit);
      }
      return visitor(session);
    },
  };
}

async function askFrontPage(session: PlatformSession): Promise<Visitor | undefined> {
  try {
    const { text, cookies } = await session.ask("/", { headers: asNavigation });
    const token = queryToken(text);
    if (token === undefined) return undefined;
    return {
      token,
      cookies: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      csrfToken: cookies.get("csrftoken"),
    };
  } catch (error) {
    if (error instanceof SourceFailure) return undefined;
    throw error;
  }
}

const madeUp = (): Visitor => ({ token: randomBytes(8).toString("base64url"), cookies: "", csrfToken: undefined });

function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}

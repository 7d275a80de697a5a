import { setImmediate as turn, setTimeout as pause } from "node:timers/promises";
import { ServiceError } from "@reelscript/contract";

/** Two seconds in a process that isn't busy. */
const patienceTicks = 20;
const tickMilliseconds = 100;
/** A tick that takes longer than this was delayed by work of this process. */
const busyMilliseconds = 1_000;
/** After this long an unanswered query is abandoned, so that a restored connection is noticed. */
const forgetMilliseconds = 10_000;

export interface Readiness {
  /**
   * Resolves if calls can be answered here; throws a `ServiceError` with the reason if not, within about two seconds. Time in
   * which this process only works doesn't count: an answer that waits to be read is not an outage.
   */
  check(): Promise<void>;
  /** New calls should no longer be sent here. */
  drain(): void;
}

/** Any number of callers share one query to the database at a time. */
export function createReadiness(ping: () => Promise<void>): Readiness {
  let draining = false;
  let lastCheck: Promise<void> | undefined;

  function ask(): Promise<void> {
    const question = askUnhurried(ping);
    const forget = (): void => {
      clearTimeout(timer);
      if (lastCheck === question) lastCheck = undefined;
    };
    const timer = setTimeout(forget, forgetMilliseconds).unref();
    question.then(forget, forget);
    return question;
  }

  return {
    async check() {
      if (draining) throw notReady("shuttingDown", "The service is shutting down.");
      lastCheck ??= ask();
      try {
        await withinTicks(lastCheck);
      } catch (error) {
        throw notReady("databaseUnavailable", "The database is not answering.", error);
      }
    },
    drain() {
      draining = true;
    },
  };
}

/** Queries again if it failed right after this process was blocked: the driver's own timeout may have expired meanwhile. */
async function askUnhurried(ping: () => Promise<void>): Promise<void> {
  const watch = watchTicks();
  try {
    await ping();
  } catch (error) {
    if (!watch.wasHeldUp()) throw error;
    await ping();
  } finally {
    watch.stop();
  }
}

/** Watches for delays: `wasHeldUp` is true if this process was blocked since, up to this very moment. */
function watchTicks(): { readonly wasHeldUp: () => boolean; readonly stop: () => void } {
  let heldUp = false;
  let last = performance.now();
  const look = (): void => {
    heldUp ||= performance.now() - last > busyMilliseconds;
    last = performance.now();
  };
  const timer = setInterval(look, tickMilliseconds).unref();
  return {
    wasHeldUp() {
      look();
      return heldUp;
    },
    stop: () => clearInterval(timer),
  };
}

/** Throws if the answer takes longer. After each tick, answers that have arrived are read, however long the tick took. */
async function withinTicks(answer: Promise<void>): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  async function wait(): Promise<never> {
    for (let tick = 0; tick < patienceTicks; tick += 1) {
      await pause(tickMilliseconds, undefined, { signal });
      await turn(undefined, { signal });
    }
    throw new Error("no answer in time");
  }
  try {
    await Promise.race([answer, wait()]);
  } finally {
    over.abort();
  }
}

const notReady = (reason: "shuttingDown" | "databaseUnavailable", message: string, cause?: unknown): ServiceError =>
  new ServiceError("unavailable", message, { reason, retryAfter: 5, cause });

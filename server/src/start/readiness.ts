import { setImmediate as turn, setTimeout as pause } from "node:timers/promises";
import { ServiceError } from "@reelscript/contract";

/** Two seconds of a process that isn't busy. */
const patienceTicks = 20;
const tickMilliseconds = 100;
/** A tick that takes longer than this was held up by work of this process. */
const busyMilliseconds = 1_000;
/** After this long a question that was never answered is given up, so that a connection that came back is noticed. */
const forgetMilliseconds = 10_000;

export interface Readiness {
  /**
   * Resolves when calls can be answered here; throws a `ServiceError` that says why not, within about two seconds. While
   * this process does nothing but work, no time passes: an answer that waits to be read is no outage.
   */
  check(): Promise<void>;
  /** New calls should no longer be sent here. */
  drain(): void;
}

/** Any number of callers make one question to the database at a time. */
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

/** Asks again when it failed right after this process was held up: the driver's own time may have run out meanwhile. */
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

/** Watches for delays: `wasHeldUp` is true if this process was held up since, up to this very moment. */
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

/** Throws when the answer takes longer. After each tick what has arrived meanwhile is read, however long the tick took. */
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

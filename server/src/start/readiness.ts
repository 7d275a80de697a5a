import { ServiceError } from "@reelscript/contract";
import { within } from "../within.ts";

const patienceMilliseconds = 2_000;
/** After this long a question that was never answered is given up, so that a connection that came back is noticed. */
const forgetMilliseconds = 10_000;

export interface Readiness {
  /** Resolves when calls can be answered here; throws a `ServiceError` that says why not, within about two seconds. */
  check(): Promise<void>;
  /** From now on nobody should send new calls here. */
  drain(): void;
}

/** Any number of callers make one question to the database at a time. */
export function createReadiness(ping: () => Promise<void>): Readiness {
  let draining = false;
  let asked: Promise<void> | undefined;

  function ask(): Promise<void> {
    const question = ping();
    const forget = (): void => {
      clearTimeout(timer);
      if (asked === question) asked = undefined;
    };
    const timer = setTimeout(forget, forgetMilliseconds).unref();
    question.then(forget, forget);
    return question;
  }

  return {
    async check() {
      if (draining) throw notReady("shuttingDown", "The service is shutting down.");
      asked ??= ask();
      try {
        if ((await within(patienceMilliseconds, asked)) === "late") throw new Error("no answer in time");
      } catch (error) {
        throw notReady("databaseUnavailable", "The database is not answering.", error);
      }
    },
    drain() {
      draining = true;
    },
  };
}

const notReady = (reason: "shuttingDown" | "databaseUnavailable", message: string, cause?: unknown): ServiceError =>
  new ServiceError("unavailable", message, { reason, retryAfter: 5, cause });

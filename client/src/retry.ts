import { CallError } from "./call-error.ts";

/** One wait before a call is tried again. */
export interface Wait {
  /** Why: another transcription of the reel runs, too many requests, the service is busy, or the connection failed. */
  readonly reason: "inProgress" | "rateLimited" | "unavailable" | "network";
  readonly seconds: number;
  /** 1 for the first wait of a call. */
  readonly attempt: number;
}

const reasonOfStatus: Readonly<Record<number, "inProgress" | "rateLimited" | "unavailable">> = {
  409: "inProgress",
  429: "rateLimited",
  503: "unavailable",
};

/** Bounds of waiting within one call. */
export interface RetryBounds {
  /** All waits and attempts together, in seconds; a wait that does not fit is not begun. 300 unless set. */
  readonly totalSeconds?: number;
  /** 20 unless set. */
  readonly waits?: number;
}

const networkRetries = 2;
const patientRetries = 20;
const patientSeconds = 30;

/** Seconds to wait after an answer without `Retry-After`. */
const usualWait = { inProgress: 30, rateLimited: 10, unavailable: 5 } as const;

/** True if a proxy answered that it can't reach the service. */
export const isAway = ({ code, status }: CallError): boolean =>
  code === "unexpectedAnswer" && status >= 502 && status <= 504;

/**
 * Tries until an attempt succeeds or fails permanently. Waits as `Retry-After` says after 409, 429 and 503, and one and two
 * seconds after the first two failures of the connection if repeating the call does nothing twice; a patient caller waits 30
 * seconds after each of the first 20. Throws the last error when the bounds are met.
 */
export async function retry<Result>(
  attempt: () => Promise<Result>,
  options: {
    readonly bounds: RetryBounds;
    readonly repeatable: boolean;
    readonly patient?: boolean | undefined;
    readonly onWait: (wait: Wait) => void;
    readonly sleep: (seconds: number) => Promise<void>;
  },
): Promise<Result> {
  const { totalSeconds = 300, waits: mostWaits = 20 } = options.bounds;
  let spent = 0;
  let failures = 0;
  for (let wait = 1; ; wait += 1) {
    const started = performance.now();
    try {
      return await attempt();
    } catch (error) {
      spent += (performance.now() - started) / 1000;
      const serviceWait = toldWait(error);
      failures = serviceWait === undefined ? failures + 1 : 0;
      const isRepeatable = options.repeatable && failures <= (options.patient ? patientRetries : networkRetries);
      const next =
        serviceWait ?? (isRepeatable ? networkWait(error, options.patient ? patientSeconds : failures) : undefined);
      if (next === undefined || wait > mostWaits || spent + next.seconds > totalSeconds) throw error;
      options.onWait({ ...next, attempt: wait });
      await options.sleep(next.seconds);
      spent += next.seconds;
    }
  }
}

function networkWait(error: unknown, seconds: number): Omit<Wait, "attempt"> | undefined {
  if (!(error instanceof CallError) || !(isAway(error) || error.code === "unreachable")) return undefined;
  return { reason: "network", seconds: error.retryAfter ?? seconds };
}

function toldWait(error: unknown): Omit<Wait, "attempt"> | undefined {
  const reason = error instanceof CallError ? reasonOfStatus[error.status] : undefined;
  if (!(error instanceof CallError) || reason === undefined) return undefined;
  // A page from something other than the service is a reason to wait only if it says how long.
  if (error.code === "unexpectedAnswer" && error.retryAfter === undefined) return undefined;
  return { reason, seconds: error.retryAfter ?? usualWait[reason] };
}

/** Timers of more milliseconds fire immediately. */
const longestTimer = 2 ** 31 - 1;

/** Waits, or throws the signal's reason as soon as it is aborted. */
export function sleepFor(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      },
      Math.min(seconds * 1000, longestTimer),
    );
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}

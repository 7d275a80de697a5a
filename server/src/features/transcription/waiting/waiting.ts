import type { AnyOperationName } from "@reelscript/contract";
import type { RateState } from "../../../ports.ts";
import { type Door, doorSeconds, type HandlerAnswer, type HandlerCall } from "../../../run/handler.ts";

/** How long one kind of caller waits, and what its repeats get. Seconds are from the beginning of the call. */
export interface Waiter {
  /** For work that the call itself began. */
  readonly seconds: number;
  /** For work of the same account that an earlier call began. That of other accounts is always an error, `inProgress`. */
  readonly repeatSeconds: number;
  /** The answer while the work still runs: the error, or 202 with the state. */
  readonly thenGets: "inProgress" | "accepted";
  /** True if a repeat counts like any other call. */
  readonly repeatsCount: boolean;
}

/**
 * Everybody who waits for a transcription. A repeat that comes after the end gets the transcript from the cache, whoever sends it. With
 * an `Idempotency-Key` a repeat gets the kept answer of the first call: for a kept 202 the result or the error, once there is
 * one, and until then what `thenGets` says.
 */
export const waiters = {
  /** REST, the dashboard and the extension. The error has a `Location`, at which the work can be followed. */
  request: { seconds: doorSeconds.rest, repeatSeconds: 0, thenGets: "inProgress", repeatsCount: true },
  /** The same with `Prefer: respond-async`. */
  asynchronous: { seconds: 0, repeatSeconds: 0, thenGets: "accepted", repeatsCount: true },
  /** MCP. The error says how far the work is and when to call again. */
  tool: { seconds: doorSeconds.mcp, repeatSeconds: doorSeconds.mcp, thenGets: "inProgress", repeatsCount: false },
  /** MCP, if the client takes progress. */
  watchingTool: { seconds: doorSeconds.mcp, repeatSeconds: 240, thenGets: "inProgress", repeatsCount: false },
  /** A stream of events. It ends with the last state or after this time; a repeat gets every change from then on. */
  follower: { seconds: 600, repeatSeconds: 600, thenGets: "inProgress", repeatsCount: true },
} as const satisfies Record<string, Waiter>;

/** At most so many repeats of a transcription aren't counted in an hour, while it runs and shortly after its end. */
export const freeRepeats = { most: 20, recentMilliseconds: 10 * 60_000 } as const;

/** How a caller waits, as its door says it. */
export interface CallerWait {
  /** Shows the caller how far the work is. */
  readonly onProgress?: OnProgress | undefined;
  /** The caller prefers to follow the work rather than wait for it. */
  readonly respondAsync?: boolean | undefined;
  /**
   * Receives every state but the last, which is the answer, with the state of the tightest bucket. Returns whether
   * the caller got it. A later state makes up for one that was lost, except for passages that only that one had.
   */
  readonly onChange?: ((output: Record<string, unknown>, rate: RateState | undefined) => boolean) | undefined;
}

/** `done` is 0 to 1; the message is for people. */
export type OnProgress = (progress: { readonly done: number; readonly message: string }) => void;

/** A call that waits for the transcription of a reel. */
export interface Wait {
  readonly waiter: Waiter;
  /** A moment of `performance.now()`. */
  readonly begun: number;
  readonly onProgress: OnProgress | undefined;
}

export function beginWait(door: Door, { respondAsync, onProgress }: CallerWait): Wait {
  const tool = onProgress ? waiters.watchingTool : waiters.tool;
  const request = respondAsync ? waiters.asynchronous : waiters.request;
  return { waiter: door === "mcp" ? tool : request, begun: performance.now(), onProgress };
}

/** A handler of an operation that queues a reel. */
export type WaitingHandler<Name extends AnyOperationName> = (
  call: HandlerCall<Name>,
  wait: Wait,
) => Promise<HandlerAnswer<Name>>;

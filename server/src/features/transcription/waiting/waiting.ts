import type { AnyOperationName } from "@reelscript/contract";
import type { RateState } from "../../../ports.ts";
import { doorSeconds, type HandlerAnswer, type HandlerCall } from "../../../run/handler.ts";

/**
 * Who waits for a transcription, how long, and what a repeated call gets. Over REST and in the dashboard every call counts.
 *
 * | who                                 | waits                | then gets                | a repeat while the work runs                      | a repeat after its end                  |
 * | ----------------------------------- | -------------------- | ------------------------ | ------------------------------------------------- | --------------------------------------- |
 * | REST, dashboard, extension          | `request`            | 409 and its `Location`   | 409 at once                                       | the transcript, from the cache          |
 * | the same, `Prefer: respond-async`   | no time              | 202 and its `Location`   | the same 202; 409 if another account's work       | the transcript, from the cache          |
 * | the same, with an `Idempotency-Key` | as without           | as without; kept if 2xx  | 409 while the first waits; a kept 202: as it is   | the kept 200; a kept 202: result, error |
 * | `GET /transcriptions/{id}`          | no time              | the state                | the state                                         | result or error                         |
 * | the same as a stream of events      | `follower`           | the end of the stream    | every change from now on                          | the last event; 204 if it has that      |
 * | a tool of MCP                       | `tool`               | an error with progress   | waits `tool` again, or `watchingTool`; not counted | the transcript, from the cache          |
 */
export const waits = {
  /** Seconds from the beginning of the call, like the next three. */
  request: doorSeconds.rest,
  tool: doorSeconds.mcp,
  /** A client that sees progress waits longer when it repeats a call whose work still runs. */
  watchingTool: 240,
  /** Followers then reconnect, possibly to a newer process. */
  follower: 600,
} as const;

/** Repeats of tools that aren't counted: at most so many for a transcription in an hour, while it runs or shortly after it. */
export const freeRepeats = { most: 20, recentMilliseconds: 10 * 60_000 } as const;

/** How a caller waits, as its door says it. */
export interface CallerWait {
  /** Shows the caller how far the work is. */
  readonly onProgress?: OnProgress | undefined;
  /** The caller prefers to follow the work rather than wait for it. */
  readonly respondAsync?: boolean | undefined;
  /**
   * Asks for every state until the last, which is the answer; with the state of the tightest bucket. Answers whether the
   * caller got it; a later state makes up for one that is lost, except for what was in it alone.
   */
  readonly onChange?: ((output: Record<string, unknown>, rate: RateState | undefined) => boolean) | undefined;
}

/** `done` is 0 to 1; the message is for people. */
export type OnProgress = (progress: { readonly done: number; readonly message: string }) => void;

/** How a call that queues a reel waits for it. */
export interface Wait {
  /** A moment of `performance.now()`. */
  readonly deadline: number;
  /** The same for work that an earlier call of the account began; without it such a call doesn't wait. */
  readonly repeatDeadline: number | undefined;
  readonly respondAsync: boolean;
  readonly onProgress: OnProgress | undefined;
}

/** A handler of an operation that queues a reel. */
export type WaitingHandler<Name extends AnyOperationName> = (
  call: HandlerCall<Name>,
  wait: Wait,
) => Promise<HandlerAnswer<Name>>;

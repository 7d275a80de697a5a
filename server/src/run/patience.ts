/** How a caller waits for work that continues without it, and what its repeats get. Seconds are from the beginning of the call. */
export interface Patience {
  /** For work that the call itself began. */
  readonly seconds: number;
  /** For work of the same account that an earlier call began. That of other accounts is always an error, `inProgress`. */
  readonly repeatSeconds: number;
  /** The answer while the work still runs: the error, or 202 with the state. */
  readonly thenGets: "inProgress" | "accepted";
  /** True if a repeat counts like any other call. */
  readonly repeatsCount: boolean;
  /** Shows the caller how far the work is. */
  readonly onProgress?: OnProgress | undefined;
  /**
   * Receives every state but the last, which is the answer. Returns whether the caller got it. A later state makes up for one
   * that was lost, except for passages that only that one had.
   */
  readonly onChange?: ((output: Record<string, unknown>) => boolean) | undefined;
}

/** `done` is 0 to 1; the message is for people. */
export type OnProgress = (progress: { readonly done: number; readonly message: string }) => void;

/** Entrance of a call: REST and MCP for programs, `people` for signed-in people. */
export type Door = "rest" | "mcp" | "people";

/** Seconds that a call may take. Clients and proxies of each door commonly wait this long. */
export const doorSeconds: Readonly<Record<Door, number>> = { rest: 150, people: 150, mcp: 50 };

/**
 * All kinds of callers; each door chooses among its own. A repeat that comes after the end gets the transcript from the cache,
 * whoever sends it. With an `Idempotency-Key` a repeat gets the kept answer of the first call: for a kept 202 the result or the
 * error, once there is one, and until then what `thenGets` says.
 */
export const patiences = {
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
} as const satisfies Record<string, Patience>;

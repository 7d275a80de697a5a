interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** What a run of the command line has to do with the world. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdout: Stream;
  readonly stderr: Stream;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
}

/** Exit codes, as the help states them. */
export const exit = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

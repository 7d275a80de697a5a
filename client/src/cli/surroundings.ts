interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** The parts outside the program that a run of the command line uses. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdout: Stream;
  readonly stderr: Stream;
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal;
}

/** Exit codes, as the help states them. */
export const exit = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/** How a stream shows text. */
export interface Page {
  /** Columns to fill; `Infinity` if the text goes to a file or a pipe. */
  readonly width: number;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
}

const widest = 100;

/** Colors only on a terminal that has them and when `NO_COLOR` is unset or empty. */
export function createPage(stream: Omit<Stream, "write">, environment: Surroundings["environment"]): Page {
  const terminal = stream.isTTY === true;
  const colored = terminal && !environment["NO_COLOR"] && environment["TERM"] !== "dumb";
  const style = (on: number, off: number) => (text: string) =>
    colored && text !== "" ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    width: terminal ? Math.min(widest, Math.max(40, stream.columns ?? 80)) : Infinity,
    bold: style(1, 22),
    dim: style(2, 22),
    red: style(31, 39),
    green: style(32, 39),
    yellow: style(33, 39),
  };
}

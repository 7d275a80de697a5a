/** A public reel that is asked for again and again, so that an operator learns which ways lead to the platform today. */
export interface Canary {
  readonly ways: readonly string[];
  /** What one way gave, in a word: data, shell, wall, gone, gated, changed, unreachable, broken, or busy
   * where no address had a turn for it. Throws the signal's reason. */
  ask(way: string, signal: AbortSignal): Promise<string>;
}

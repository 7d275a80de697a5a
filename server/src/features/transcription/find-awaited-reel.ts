import { operations } from "@reelscript/contract";
import type { Clock, ReelLocator, Store } from "../../ports.ts";
import type { FindAwaited } from "../../run/repeats.ts";

/** What agents wait for a call; what takes longer they have to ask for again. */
const waitedSeconds = 50;
const recentMilliseconds = 10 * 60_000;

/** The transcription whose result a repeated call is for. Share links aren't followed for it. */
export const findAwaitedReel =
  ({
    store,
    locator,
    clock,
  }: {
    readonly store: Store;
    readonly locator: ReelLocator;
    readonly clock: Clock;
  }): FindAwaited =>
  async (name, input, caller) => {
    if (name !== "transcribeReel") return undefined;
    const read = operations.transcribeReel.input.safeParse(input);
    const reel = read.success ? locator.read(read.data.url) : undefined;
    if (reel === undefined) return undefined;
    const since = new Date(clock.now().getTime() - recentMilliseconds);
    return store.transcriptions.findAwaited(reel, caller.account.id, { seconds: waitedSeconds, since });
  };

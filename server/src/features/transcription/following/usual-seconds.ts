import type { Transcription } from "@reelscript/contract";
import type { Clock, Transcriptions } from "../../../ports.ts";

/** Seconds from a request to its result, by the latest transcriptions. */
export type UsualSeconds = () => Promise<number>;

const rememberedMilliseconds = 10_000;
/** Before the service has finished a transcription. */
const secondsWithoutExperience = 10;

/** Reads the figure at most every ten seconds, because every look at unfinished work needs it. */
export function createUsualSeconds({
  transcriptions,
  clock,
}: {
  readonly transcriptions: Pick<Transcriptions, "usualSeconds">;
  readonly clock: Clock;
}): UsualSeconds {
  let last: { readonly seconds: Promise<number>; readonly until: number } | undefined;
  return () => {
    const now = clock.now().getTime();
    if (last !== undefined && now < last.until) return last.seconds;
    const seconds = transcriptions.usualSeconds().then((measured) => measured ?? secondsWithoutExperience);
    const reading = { seconds, until: now + rememberedMilliseconds };
    last = reading;
    seconds.catch(() => {
      if (last === reading) last = undefined;
    });
    return seconds;
  };
}

/** An unfinished transcription with the estimate of its rest, unless it has to wait; at least a second. */
export function withSecondsLeft(state: Transcription, usualSeconds: number): Transcription {
  if (state.waitingFor !== undefined) return state;
  return { ...state, secondsLeft: Math.max(1, Math.ceil(usualSeconds * (1 - state.progress))) };
}

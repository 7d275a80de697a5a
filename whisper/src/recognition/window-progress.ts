import type { WindowSegment, WindowSegments } from "./segments.ts";
import type { Span } from "./signal/speech-spans.ts";
import { speechBetween, type SpeechWindow } from "./speech-window.ts";

export interface WindowProgress {
  readonly segments: readonly WindowSegment[];
  /** Where the next window may begin, in seconds of the recording; up to here nothing is left to be heard again. */
  readonly heardUntil: number;
  /** The model stopped early and hearing the window again from where it stopped would be the same again. */
  readonly isStuck: boolean;
  /** Seconds of detected speech that the model jumped over, at the end of `segments`. */
  readonly jumpedSeconds: number;
}

/** Less progress than this doesn't change what the model hears. */
const leastProgressSeconds = 1;
/** So much detected speech after the last closed timestamp means that the model stopped too early. */
const unheardSeconds = 1;
/** So much detected speech between two segments means that the model jumped over it. */
const jumpedOverSeconds = 1;

/**
 * How much of a window a reading has really written down, by where speech was detected: models stop early, jump over
 * sentences, leave the last one open or run out of tokens. `isCutOff`: the text ended because it was too long.
 */
export function windowProgress(
  { segments, open, closedAt }: WindowSegments,
  window: SpeechWindow,
  spans: readonly Span[],
  isCutOff: boolean,
): WindowProgress {
  const isFarEnough = (seconds: number) => window.endInRecording(seconds) - window.start >= leastProgressSeconds;
  let last = 0;
  for (const [index, { start, end }] of segments.entries()) {
    const jumped = speechBetween(spans, window.endInRecording(last), window.startInRecording(start));
    if (jumped > jumpedOverSeconds && isFarEnough(last))
      return {
        segments: segments.slice(0, index),
        heardUntil: window.endInRecording(last),
        isStuck: false,
        jumpedSeconds: jumped,
      };

    last = end;
  }
  const everything = open ? [...segments, open] : segments;
  if (closedAt === undefined)
    return { segments: everything, heardUntil: window.end, isStuck: isCutOff, jumpedSeconds: 0 };
  const stopped = window.endInRecording(closedAt);
  const unheard = speechBetween(spans, stopped, window.end);
  if (unheard <= unheardSeconds && !open) return { segments, heardUntil: window.end, isStuck: false, jumpedSeconds: 0 };
  if (isFarEnough(closedAt)) return { segments, heardUntil: stopped, isStuck: false, jumpedSeconds: 0 };
  return { segments: everything, heardUntil: window.end, isStuck: true, jumpedSeconds: 0 };
}

import type { Gap, ReelDetails, Segment } from "../../../ports.ts";
import { isNumber, isObjectOf, isOneOf, isText, orNull } from "../engine/columns.ts";

/** What the service reads of every reel; releases before this one stored less of the rest. */
export const isReel = isObjectOf<ReelDetails>({
  url: isText,
  shortcode: isText,
  caption: orNull(isText),
  author: isObjectOf<ReelDetails["author"]>({ handle: orNull(isText) }),
});

export const isSegment = isObjectOf<Segment>({ start: isNumber, end: isNumber, text: isText });

export const isGap = isObjectOf<Gap>({
  start: isNumber,
  end: isNumber,
  reason: isOneOf("repetition", "wrongScript", "lowConfidence", "noText", "skipped"),
});

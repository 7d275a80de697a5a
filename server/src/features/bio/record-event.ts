import { randomBytes } from "node:crypto";
import type { BioEvents, BioExclusion, Clock } from "../../ports.ts";
import { deviceOf, judge, referrerOf, visitorOf, type BioRequest } from "./event-rules.ts";

/** What became of a request: `repeated` is a click too soon after the last, `ignored` asked for no content. */
type Recorded = "counted" | "repeated" | "unknown" | "ignored" | BioExclusion;

/** Counts one request for a bio page or one of its links by the rules. Neither address nor browser is kept. */
export type RecordBioEvent = (request: BioRequest) => Promise<Recorded>;

export function createRecordBioEvent({
  bioEvents,
  clock,
}: {
  readonly bioEvents: BioEvents;
  readonly clock: Clock;
}): RecordBioEvent {
  let today: { readonly day: string; readonly salt: Uint8Array } | undefined;
  return async (request) => {
    const verdict = judge(request);
    if (verdict === undefined) return "ignored";
    const at = clock.now();
    const { bioId, linkId, country } = request;
    if (verdict !== "counted") {
      await bioEvents.exclude(bioId, verdict, at);
      return verdict;
    }
    const day = at.toISOString().slice(0, 10);
    if (today?.day !== day) today = { day, salt: await bioEvents.saltOf(day, randomBytes(32)) };
    return bioEvents.record({
      bioId,
      linkId,
      visitor: visitorOf(today.salt, request),
      at,
      referrer: referrerOf(request),
      country,
      device: deviceOf(request),
    });
  };
}

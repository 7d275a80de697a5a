import type { BioExclusion, BioVisit, Clock } from "../../../ports.ts";
import { browserOf, deviceOf, judgeBioRequest, type BioRequest } from "./judge-bio-request.ts";
import { sourceOf } from "./source-of.ts";
import { hash } from "node:crypto";

/** What is to become of a request: `ignored` asked for no content, `dropped` found no room. */
export type Judged = "counted" | "ignored" | "dropped" | BioExclusion;

/** A visit whose visitor is not hashed with the day's salt yet. */
export interface WaitingVisit extends Omit<BioVisit, "visitor"> {
  /** Of network and browser; never written. */
  readonly browser: Uint8Array;
}

interface Excluded {
  readonly bioId: string;
  readonly reason: BioExclusion;
  readonly day: string;
  requests: number;
}

/** Of visits and of kinds of excluded requests; what comes when there is no more room is dropped. */
const mostWaiting = 20_000;

/** The visits of a process that are to be written, judged by the rules. Neither addresses nor browsers are kept. */
export function createWaitingVisits(clock: Clock) {
  const isWelcome = createFloodGate();
  let visits: WaitingVisit[] = [];
  let excluded = new Map<string, Excluded>();
  let dropped = 0;

  function drop(): Judged {
    dropped += 1;
    return "dropped";
  }

  function exclude(bioId: string, reason: BioExclusion, day: string): Judged {
    const name = `${bioId} ${reason} ${day}`;
    const known = excluded.get(name);
    if (known) known.requests += 1;
    else if (excluded.size >= mostWaiting) return drop();
    else excluded.set(name, { bioId, reason, day, requests: 1 });
    return reason;
  }

  return {
    note(request: BioRequest): Judged {
      const verdict = judgeBioRequest(request);
      if (verdict === undefined) return "ignored";
      const at = clock.now();
      const { bioId, linkId, country, network } = request;
      if (verdict !== "counted") return exclude(bioId, verdict, dayOf(at));
      if (!isWelcome(network, at)) return exclude(bioId, "floods", dayOf(at));
      if (visits.length >= mostWaiting) return drop();
      const [referrer, device, browser] = [sourceOf(request), deviceOf(request), browserOf(request)];
      visits.push({ bioId, linkId, browser, at, referrer, country, device });
      return "counted";
    },
    isEmpty: () => visits.length === 0 && excluded.size === 0,
    first: (most: number): readonly WaitingVisit[] => visits.slice(0, most),
    removeFirst(count: number): void {
      visits = visits.slice(count);
    },
    takeExcluded(): readonly Excluded[] {
      const taken = [...excluded.values()];
      excluded = new Map();
      return taken;
    },
    takeDropped(): number {
      const taken = dropped;
      dropped = 0;
      return taken;
    },
  };
}

/** Of UTC. */
export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);

/** Views and clicks of one network that are counted in a minute and in a day. A whole school or café may share one. */
const floodLimits = { minute: 300, day: 10_000 };

interface Seen {
  minute: number;
  inMinute: number;
  day: number;
  inDay: number;
}

/** Networks that are told apart; beyond, those seen longest ago are forgotten. */
const mostNetworks = 50_000;

const minuteMilliseconds = 60_000;
const dayMilliseconds = 86_400_000;

/** Says whether one more visit of a network is counted, so that a flood from one address does not fill the database. */
function createFloodGate(): (network: string, now: Date) => boolean {
  const networks = new Map<string, Seen>();
  return (network, now) => {
    const name = hash("sha256", network, "base64url").slice(0, 16);
    const minute = Math.floor(now.getTime() / minuteMilliseconds);
    const day = Math.floor(now.getTime() / dayMilliseconds);
    const seen = networks.get(name) ?? { minute, inMinute: 0, day, inDay: 0 };
    networks.delete(name);
    networks.set(name, seen);
    for (const oldest of networks.keys()) {
      if (networks.size <= mostNetworks) break;
      networks.delete(oldest);
    }
    if (seen.minute !== minute) Object.assign(seen, { minute, inMinute: 0 });
    if (seen.day !== day) Object.assign(seen, { day, inDay: 0 });
    if (seen.inMinute >= floodLimits.minute || seen.inDay >= floodLimits.day) return false;
    seen.inMinute += 1;
    seen.inDay += 1;
    return true;
  };
}

import { dayMilliseconds } from "@reelscript/contract";
import { hash } from "node:crypto";

/** Views and clicks of one network that are counted in a minute and in a day. A whole school or café may share one. */
const floodLimits = { minute: 300, day: 10_000 };

interface Seen {
  minute: number;
  inMinute: number;
  day: number;
  inDay: number;
}

/** Limit of remembered networks; those seen longest ago are forgotten. */
const mostNetworks = 50_000;

const minuteMilliseconds = 60_000;

/** Says whether one more visit of a network is counted, so that a flood from one address does not fill the database. */
export function createFloodGate(): (network: string, now: Date) => boolean {
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

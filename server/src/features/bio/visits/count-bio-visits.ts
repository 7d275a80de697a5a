import { randomBytes, randomUUID } from "node:crypto";
import { dayOf, ServiceError } from "@reelscript/contract";
import type { BioBatch, BioEvents, BioExclusion, BioVisit, Clock, PeriodicTask } from "../../../ports.ts";
import { createFloodGate } from "./flood-gate.ts";
import { browserOf, deviceOf, judgeBioRequest, visitorOf, type BioRequest } from "./judge-bio-request.ts";
import { sourceOf } from "./source-of.ts";

/** The decision on a request: `ignored` asked for no content, `dropped` found no room. */
type Judged = "counted" | "ignored" | "dropped" | BioExclusion;

export interface CountBioVisits {
  /** Counts one request for a bio page or one of its links by the rules, when it is written with others. Never waits. */
  readonly note: (request: BioRequest) => Judged;
  /** Writes the visits that wait to be written. */
  readonly write: () => Promise<void>;
  /** Writes about once a second. */
  readonly task: PeriodicTask;
}

/** A visit whose visitor is not hashed with the day's salt yet. */
interface WaitingVisit extends Omit<BioVisit, "visitor"> {
  /** Hash of network and browser; never written. */
  readonly browser: Uint8Array;
}

/** Limit of waiting visits and of kinds of excluded requests; further ones are dropped. */
const mostWaiting = 20_000;
const mostInABatch = 2_000;

/** Counts without holding any request up: a process that is killed forgets its last second. Keeps neither addresses nor browsers. */
export function createCountBioVisits({
  bioEvents,
  clock,
  onFault,
}: {
  readonly bioEvents: Pick<BioEvents, "saltOf" | "write">;
  readonly clock: Clock;
  readonly onFault: (error: unknown) => void;
}): CountBioVisits {
  const isWelcome = createFloodGate();
  const saltOf = createSalts(bioEvents);
  let visits: WaitingVisit[] = [];
  let excluded = new Map<string, BioBatch["excluded"][number]>();
  let dropped = 0;
  /** Perhaps written, because the answer was lost: it is tried again as it is. */
  let unfinished: BioBatch | undefined;
  let writing: Promise<void> = Promise.resolve();

  function note(request: BioRequest): Judged {
    const verdict = judgeBioRequest(request);
    if (verdict === undefined) return "ignored";
    const at = clock.now();
    const { bioId, linkId, country, network } = request;
    const reason = verdict === "counted" && !isWelcome(network, at) ? "floods" : verdict;
    const kind = { bioId, reason, day: dayOf(at) };
    const name = Object.values(kind).join(" ");
    const isFull = reason === "counted" ? visits.length >= mostWaiting : excluded.size >= mostWaiting;
    if (isFull && !excluded.has(name)) {
      dropped += 1;
      return "dropped";
    }
    if (reason === "counted") {
      const referrer = sourceOf(request);
      const device = deviceOf(request);
      const browser = browserOf(request);
      visits.push({ bioId, linkId, browser, at, referrer, country, device });
    } else excluded.set(name, { ...kind, reason, requests: (excluded.get(name)?.requests ?? 0) + 1 });
    return reason;
  }

  const isEmpty = (): boolean => visits.length === 0 && excluded.size === 0;

  async function nextBatch(): Promise<BioBatch | undefined> {
    if (isEmpty()) return undefined;
    const first = visits.slice(0, mostInABatch);
    const batch = { id: randomUUID(), visits: await hashVisitors(first, saltOf), excluded: [...excluded.values()] };
    visits = visits.slice(first.length);
    excluded = new Map();
    return batch;
  }

  async function writeAll(): Promise<void> {
    if (dropped > 0)
      onFault(new Error(`${dropped} requests for bio pages were not counted, because too many were waiting`));
    dropped = 0;
    for (;;) {
      const batch = unfinished ?? (await nextBatch());
      unfinished = undefined;
      if (batch === undefined) return;
      await bioEvents.write(batch, clock.now()).catch((error: unknown) => {
        // After any other error the same batch would fail again, and hold up all that follow.
        if (error instanceof ServiceError && error.code === "unavailable") unfinished = batch;
        throw error;
      });
    }
  }

  function write(): Promise<void> {
    writing = writing.then(writeAll).catch(onFault);
    return writing;
  }

  return {
    note,
    write,
    task: {
      name: "write-bio-visits",
      everySeconds: 1,
      scope: "process",
      async run() {
        if (unfinished !== undefined || !isEmpty()) await write();
        return false;
      },
    },
  };
}

type SaltOf = (day: string) => Promise<Uint8Array>;

/** Asks for a day's salt once. */
function createSalts(bioEvents: Pick<BioEvents, "saltOf">): SaltOf {
  const salts = new Map<string, Uint8Array>();
  return async (day) => {
    const salt = salts.get(day) ?? (await bioEvents.saltOf(day, randomBytes(32)));
    salts.set(day, salt);
    // Yesterday's may still be needed just after midnight.
    for (const oldest of salts.keys()) if (salts.size > 2) salts.delete(oldest);
    return salt;
  };
}

/** Leaves out a visitor's further clicks on a link, which come too soon after the first. */
async function hashVisitors(waiting: readonly WaitingVisit[], saltOf: SaltOf): Promise<BioVisit[]> {
  const clicks = new Set<string>();
  const hashed: BioVisit[] = [];
  for (const { browser, ...visit } of waiting) {
    const visitor = visitorOf(await saltOf(dayOf(visit.at)), visit.bioId, browser);
    const click = `${visit.linkId} ${Buffer.from(visitor).toString("hex")}`;
    if (visit.linkId === null || !clicks.has(click)) hashed.push({ ...visit, visitor });
    clicks.add(click);
  }
  return hashed;
}

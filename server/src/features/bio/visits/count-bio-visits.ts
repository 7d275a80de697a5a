import { randomBytes, randomUUID } from "node:crypto";
import { ServiceError } from "@reelscript/contract";
import type { BioBatch, BioEvents, BioVisit, Clock, PeriodicTask } from "../../../ports.ts";
import { visitorOf, type BioRequest } from "./judge-bio-request.ts";
import { createWaitingVisits, dayOf, type Judged, type WaitingVisit } from "./waiting-visits.ts";

export interface CountBioVisits {
  /** Counts one request for a bio page or one of its links by the rules, when it is written with others. Never waits. */
  readonly note: (request: BioRequest) => Judged;
  /** Writes what is there. */
  readonly write: () => Promise<void>;
  /** Writes about once a second. */
  readonly task: PeriodicTask;
}

const mostInABatch = 2_000;

/** Counts without holding any request up: a process that is killed forgets its last second. */
export function createCountBioVisits({
  bioEvents,
  clock,
  onFault,
}: {
  readonly bioEvents: Pick<BioEvents, "saltOf" | "write">;
  readonly clock: Clock;
  readonly onFault: (error: unknown) => void;
}): CountBioVisits {
  const waiting = createWaitingVisits(clock);
  const saltOf = createSalts(bioEvents);
  /** Perhaps written, because the answer was lost: it is tried again as it is. */
  let unfinished: BioBatch | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function nextBatch(): Promise<BioBatch | undefined> {
    if (waiting.isEmpty()) return undefined;
    const first = waiting.first(mostInABatch);
    const visits = await hashVisitors(first, saltOf);
    waiting.removeFirst(first.length);
    return { id: randomUUID(), visits, excluded: waiting.takeExcluded() };
  }

  async function writeAll(): Promise<void> {
    const dropped = waiting.takeDropped();
    if (dropped > 0)
      onFault(new Error(`${dropped} requests for bio pages were not counted, because too many were waiting`));
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
    note: (request) => waiting.note(request),
    write,
    task: {
      name: "write-bio-visits",
      everySeconds: 1,
      scope: "process",
      async run() {
        if (unfinished !== undefined || !waiting.isEmpty()) await write();
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
    if (visit.linkId !== null) {
      const click = `${visit.linkId} ${Buffer.from(visitor).toString("hex")}`;
      if (clicks.has(click)) continue;
      clicks.add(click);
    }
    hashed.push({ ...visit, visitor });
  }
  return hashed;
}

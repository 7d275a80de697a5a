import { type Answer, type Callers, createCallers } from "./callers.ts";
import { brokenInvariants } from "./invariants.ts";
import type { Account, KnownReel } from "./ledger.ts";
import type { World } from "./open-world.ts";
import type { Random } from "./random.ts";
import type { Member } from "./start-member.ts";
import { Broken, Impossible, within } from "./waiting.ts";

export interface Fault {
  readonly name: string;
  readonly seconds?: number;
  readonly run: (round: Round) => Promise<void>;
}

/** A requested reel, and its future response. */
export interface RequestedReel {
  readonly reel: KnownReel;
  readonly account: Account;
  readonly answer?: Promise<Answer>;
}

export interface Round {
  readonly world: World;
  readonly callers: Callers;
  readonly random: Random;
  readonly undo: (action: () => unknown) => void;
  /** Printed with the outcome. */
  readonly note: (text: string) => void;
  readonly broken: (reason: string) => void;
  /** A fresh reel, through any answering process except `not`. */
  readonly probe: (options?: { readonly not?: Member | undefined }) => Promise<void>;
  /** In the end the reel of the round has its transcript, and its first caller has an answer. */
  readonly served: (requestedReel: RequestedReel) => Promise<void>;
}

export interface Outcome {
  readonly outcome: "held" | "broken" | "skipped" | "not reached";
  readonly reasons: readonly string[];
  /** Seconds that each probe took. */
  readonly probes: readonly number[];
  readonly notes: readonly string[];
  readonly seconds: number;
  readonly callCount?: number;
  readonly refused?: number;
}

const roundSeconds = 100;
const servedSeconds = 45;
const undoSeconds = 200;

/**
 * One fault and the step that undoes it, with other calls all the while, then the check of everything that must always hold.
 */
export async function runRound(fault: Fault, world: World, random: Random): Promise<Outcome> {
  const started = performance.now();
  const callers = createCallers(world);
  const undoings: (() => unknown)[] = [];
  const reasons: string[] = [];
  const probes: number[] = [];
  const notes: string[] = [];
  const upApis = (not?: Member): Member[] => world.apis().filter((member) => member !== not && member.isUp);
  const round: Round = {
    world,
    callers,
    random,
    undo: (action) => void undoings.push(action),
    note: (text) => void notes.push(text),
    broken: (reason) => void reasons.push(reason),
    async probe({ not } = {}) {
      const reel = await world.addReel("shortest");
      const startedAt = performance.now();
      const what = "a healthy worker serves a fresh reel";
      await callers.insist(upApis(not), world.accounts.quiet, reel, { seconds: world.probeSeconds, what });
      probes.push((performance.now() - startedAt) / 1_000);
    },
    async served({ reel, account, answer }) {
      const seconds = servedSeconds * world.patience;
      if (answer) await within(seconds, "the first caller has an answer", answer);
      await callers.insist(upApis(), account, reel, { seconds, what: `${reel.code} is transcribed` });
    },
  };
  const reels = world.ledger
    .transcripts()
    .slice(-3)
    .map(({ reel }) => reel);
  const hush = callers.murmur(world.apis(), world.accounts.quiet, reels);
  let skipped: string | undefined;
  const fail = (error: unknown): void => {
    if (error instanceof Impossible) skipped = error.message;
    else if (error instanceof Broken) reasons.push(error.message);
    else reasons.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  };
  const { seconds = roundSeconds } = fault;
  await within(seconds * world.patience, fault.name, fault.run(round)).catch(fail);
  for (const undo of undoings.toReversed())
    await within(undoSeconds, "all is as before", Promise.resolve(undo())).catch(fail);
  await hush().catch(fail);
  if (skipped === undefined) {
    await round.probe().catch(fail);
    await brokenInvariants(world, callers, random).then((broken) => void reasons.push(...broken), fail);
  }
  return {
    outcome: reasons.length > 0 ? "broken" : skipped === undefined ? "held" : "skipped",
    reasons: reasons.length > 0 ? reasons : skipped === undefined ? [] : [skipped],
    probes,
    notes,
    seconds: (performance.now() - started) / 1_000,
    ...callers.counts(),
  };
}

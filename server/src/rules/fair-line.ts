/**
 * Why work gets no turn: too much of its owner's (`owners`) or of everybody's (`others`) runs or waits, or its turn didn't come
 * in time (`late`).
 */
type NoTurnReason = "owners" | "others" | "late";

export class NoTurn extends Error {
  override readonly name = "NoTurn";
  readonly reason: NoTurnReason;

  constructor(reason: NoTurnReason) {
    super(messages[reason]);
    this.reason = reason;
  }
}

const messages: Readonly<Record<NoTurnReason, string>> = {
  owners: "too much work of this owner is in the line",
  others: "too much work is in the line",
  late: "the turn did not come in time",
};

export interface FairLineLimits {
  /** Work that runs at a time. */
  readonly atATime: number;
  /** Work of one owner that runs at a time. Default: `atATime`. */
  readonly perOwner?: number;
  /** Work that may wait. */
  readonly waiting: number;
  /** The error for work without a turn; by default a `NoTurn`. */
  readonly refusal?: (reason: NoTurnReason) => Error;
}

/** How long work waits. */
export interface Wait {
  /** Work of its owner that may wait at a time. By default only the limit of all counts. */
  readonly mostWaiting?: number;
  readonly seconds?: number;
  readonly signal?: AbortSignal;
}

/**
 * Work that takes turns. Owners alternate: one with little work passes one with much, who still gets its turn. When all
 * positions for waiting are taken, an owner with less takes the last position of the owner with the most.
 */
export interface FairLine {
  /**
   * Waits for a turn, and returns the function that ends it, which does nothing when called again. Throws the line's refusal and
   * the signal's reason.
   */
  enter(owner: string, wait?: Wait): Promise<() => void>;
  /** Does the work when its turn comes. Throws as `enter` and the work do. */
  run<Result>(owner: string, work: () => Promise<Result>, wait?: Wait): Promise<Result>;
}

interface Waiting {
  readonly owner: string;
  /** Grows with the work of its owner: the lowest rank begins first. */
  readonly rank: number;
  readonly begin: () => void;
  readonly refuse: (reason: NoTurnReason) => void;
}

/** The work that runs, by owner. */
interface Running {
  /** Whether the owner has as many turns as it may. */
  isFull(owner: string): boolean;
  hasTurnFor(owner: string): boolean;
  /** The next rank of an owner of whose waiting work the last has `highest`. */
  nextRank(owner: string, highest: number | undefined): number;
  add(owner: string, rank: number): void;
  remove(owner: string): void;
}

function createRunning({ atATime, perOwner = atATime }: FairLineLimits): Running {
  let count = 0;
  let lastRank = 0;
  /** With the rank of the owner's work that began last. */
  const owners = new Map<string, { readonly count: number; readonly rank: number }>();
  const isFull = (owner: string): boolean => (owners.get(owner)?.count ?? 0) >= perOwner;
  return {
    isFull,
    hasTurnFor: (owner) => count < atATime && !isFull(owner),
    nextRank(owner, highest = owners.get(owner)?.rank) {
      return highest === undefined ? lastRank : Math.max(lastRank, highest + 1);
    },
    add(owner, rank) {
      count += 1;
      lastRank = Math.max(lastRank, rank);
      owners.set(owner, { count: (owners.get(owner)?.count ?? 0) + 1, rank });
    },
    remove(owner) {
      count -= 1;
      const { count: ofOwner, rank } = owners.get(owner)!; // safe: it has the turn that it gives back
      if (ofOwner === 1) owners.delete(owner);
      else owners.set(owner, { count: ofOwner - 1, rank });
    },
  };
}

/** Kept in memory, because the process is what is shared. */
export function createFairLine(limits: FairLineLimits): FairLine {
  const { refusal = (reason) => new NoTurn(reason) } = limits;
  const running = createRunning(limits);
  const waiting: Waiting[] = [];

  const rankFor = (owner: string): number =>
    running.nextRank(owner, waiting.findLast((one) => one.owner === owner)?.rank);

  function giveBack(owner: string): void {
    running.remove(owner);
    const ready = waiting.filter((one) => running.hasTurnFor(one.owner));
    const [next] = ready.toSorted((one, other) => one.rank - other.rank);
    if (next === undefined) return;
    remove(waiting, next);
    // Takes the turn before anybody else can come in between.
    running.add(next.owner, next.rank);
    next.begin();
  }

  /** Throws unless there is a position for the owner to wait. */
  function makeRoom(owner: string, mostOfOwner: number): void {
    const waitingCount = waiting.filter((one) => one.owner === owner).length;
    if (waitingCount >= Math.min(mostOfOwner, limits.waiting))
      throw refusal(waitingCount > 0 || running.isFull(owner) ? "owners" : "others");
    if (waiting.length < limits.waiting) return;
    const last = lastOfGreediest(waiting, owner);
    if (last === undefined) throw refusal("others");
    remove(waiting, last);
    last.refuse("owners");
  }

  async function enter(owner: string, wait: Wait = {}): Promise<() => void> {
    wait.signal?.throwIfAborted();
    if (running.hasTurnFor(owner)) running.add(owner, rankFor(owner));
    else {
      makeRoom(owner, wait.mostWaiting ?? Infinity);
      await waitIn(waiting, owner, { ...wait, rank: rankFor(owner), refusal });
    }
    let hasTurn = true;
    return () => {
      if (hasTurn) giveBack(owner);
      hasTurn = false;
    };
  }

  return {
    enter,
    async run(owner, work, wait) {
      const leave = await enter(owner, wait);
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}

/** Resolves when the turn comes. */
function waitIn(
  waiting: Waiting[],
  owner: string,
  {
    rank,
    seconds,
    signal,
    refusal,
  }: Wait & { readonly rank: number; readonly refusal: (reason: NoTurnReason) => Error },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    const one: Waiting = {
      owner,
      rank,
      begin() {
        settle();
        resolve();
      },
      refuse(reason) {
        settle();
        reject(refusal(reason));
      },
    };
    const onAbort = (): void => {
      remove(waiting, one);
      settle();
      reject(signal?.reason as Error);
    };
    const onLate = (): void => {
      remove(waiting, one);
      one.refuse("late");
    };
    const timer = seconds === undefined ? undefined : setTimeout(onLate, seconds * 1_000);
    signal?.addEventListener("abort", onAbort);
    waiting.push(one);
  });
}

function remove(waiting: Waiting[], one: Waiting): void {
  waiting.splice(waiting.indexOf(one), 1);
}

/** The last waiting work of the owner with the most, if that owner has at least two more than a newcomer. */
function lastOfGreediest(waiting: readonly Waiting[], newcomer: string): Waiting | undefined {
  const counts = new Map<string, number>();
  for (const { owner } of waiting) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  const [greediest, most = 0] = [...counts].toSorted(([, one], [, other]) => other - one)[0] ?? [];
  if (most < (counts.get(newcomer) ?? 0) + 2) return undefined;
  return waiting.findLast(({ owner }) => owner === greediest);
}

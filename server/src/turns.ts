export interface TurnOwner {
  readonly name: string;
  /** How many of it may wait. */
  readonly waiting: number;
}

/** The reason why work was refused: too many others, or too many of its owner, are waiting. */
export class TooManyWaiting extends Error {
  override readonly name = "TooManyWaiting";
  readonly areOwners: boolean;

  constructor(most: number, areOwners: boolean) {
    super(`more than ${most} are waiting`);
    this.areOwners = areOwners;
  }
}

interface Waiting {
  readonly owner: string | undefined;
  /** Grows with the owner's finished and waiting work: the lowest rank begins first. */
  readonly rank: number;
  readonly begin: () => void;
  readonly refuse: (reason: TooManyWaiting) => void;
}

/** The last waiting item of the owner with the most, if that owner has at least two more than a newcomer. */
function lastOfGreediest(waiting: readonly Waiting[], newcomer: string | undefined): Waiting | undefined {
  const counts = new Map<string, number>();
  for (const { owner } of waiting) if (owner !== undefined) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  const [greediest, most = 0] = [...counts].toSorted(([, one], [, other]) => other - one)[0] ?? [];
  if (newcomer === undefined || most < (counts.get(newcomer) ?? 0) + 2) return undefined;
  return waiting.findLast(({ owner }) => owner === greediest);
}

/** Runs something when its turn comes; rejects with `TooManyWaiting` immediately if it may not even wait. */
export type InTurn = <Result>(work: () => Promise<Result>, owner?: TurnOwner) => Promise<Result>;

/**
 * Runs so many things at a time. Things with an owner run one at a time per owner, and owners take turns: an owner with few
 * waiting passes one with many, who still gets a turn. When all waiting places are taken, an owner with fewer takes the last
 * place of the owner with the most.
 */
export function createTurns({
  atATime,
  waiting: mostWaiting,
}: {
  readonly atATime: number;
  readonly waiting: number;
}): InTurn {
  let under = 0;
  let lastRank = 0;
  const busy = new Set<string>();
  const waiting: Waiting[] = [];
  /** The highest rank of an owner's items, as long as there are any. */
  const ranks = new Map<string, number>();

  const mayBegin = (owner: string | undefined): boolean => under < atATime && (owner === undefined || !busy.has(owner));
  function rankFor(owner: string | undefined): number {
    if (owner === undefined) return lastRank;
    const rank = Math.max(lastRank, (ranks.get(owner) ?? -1) + 1);
    ranks.set(owner, rank);
    return rank;
  }
  function take({ owner, rank }: Pick<Waiting, "owner" | "rank">): void {
    under += 1;
    lastRank = Math.max(lastRank, rank);
    if (owner !== undefined) busy.add(owner);
  }
  function giveBack(owner: string | undefined): void {
    under -= 1;
    if (owner !== undefined) {
      busy.delete(owner);
      if (!waiting.some((one) => one.owner === owner)) ranks.delete(owner);
    }
    const [next] = waiting.filter((one) => mayBegin(one.owner)).toSorted((one, other) => one.rank - other.rank);
    if (next === undefined) return;
    waiting.splice(waiting.indexOf(next), 1);
    // Runs before anybody else can come in between.
    take(next);
    next.begin();
  }

  return async (work, owner) => {
    const name = owner?.name;
    if (mayBegin(name)) take({ owner: name, rank: rankFor(name) });
    else {
      if (owner !== undefined && waiting.filter((other) => other.owner === name).length >= owner.waiting)
        throw new TooManyWaiting(owner.waiting, true);
      if (waiting.length >= mostWaiting) {
        const last = lastOfGreediest(waiting, name);
        if (last === undefined) throw new TooManyWaiting(mostWaiting, false);
        waiting.splice(waiting.indexOf(last), 1);
        last.refuse(new TooManyWaiting(mostWaiting, true));
      }
      await new Promise<void>((resolve, reject) =>
        waiting.push({ owner: name, rank: rankFor(name), begin: resolve, refuse: reject }),
      );
    }
    try {
      return await work();
    } finally {
      giveBack(name);
    }
  };
}

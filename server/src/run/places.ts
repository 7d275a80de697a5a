import { ServiceError } from "@reelscript/contract";

/** Releases a call's place while the call waits for work outside this process, and takes one again afterward. */
export type WhileWaiting = <Value>(wait: () => Promise<Value>) => Promise<Value>;

/** A call's share of the process while it works. */
export interface Place {
  /**
   * Overlapping waits release the place once. Never refused on the way back: the call comes before those that haven't begun.
   */
  readonly whileWaiting: WhileWaiting;
  /** Does nothing when called again. */
  leave(): void;
}

export interface Places {
  /**
   * Takes a place for a call of `subject`, in order. Throws `rateLimited` if too many already wait or none is free at
   * `deadline`, a moment of `performance.now()`, and the signal's reason.
   */
  enter(
    subject: string,
    until: { readonly signal?: AbortSignal | undefined; readonly deadline: number },
  ): Place | Promise<Place>;
}

export interface CallLimits {
  /** Calls of one subject that work at a time. */
  readonly atATime: number;
  /** Calls of one subject that may wait for that. */
  readonly waiting: number;
}

/** One subject's share of the process. */
interface Share {
  /** Takes a place and returns true, if one is free. */
  take(): boolean;
  /** Hands the place to the next call, so that nobody comes between. */
  giveBack(): void;
  readonly waiting: Set<() => void>;
  /** Calls that were already working before they waited for something outside. */
  readonly returning: Set<() => void>;
}

const retryAfter = 5;

/** Kept in memory, because the process is what is shared. Finding a free place costs two lookups in a map. */
export function createPlaces({ atATime, waiting: mostWaiting }: CallLimits): Places {
  const shares = new Map<string, Share>();

  function shareOf(subject: string): Share {
    const currentShare = shares.get(subject);
    if (currentShare !== undefined) return currentShare;
    const share = createShare(atATime, () => shares.delete(subject));
    shares.set(subject, share);
    return share;
  }

  return {
    enter(subject, { signal, deadline }) {
      const placeHere = (): Place => createPlace(() => shareOf(subject));
      const share = shareOf(subject);
      if (share.take()) return placeHere();
      if (share.waiting.size >= mostWaiting) throw tooMany(atATime, mostWaiting);
      const late = (): ServiceError => tooMany(atATime, mostWaiting);
      return waitIn(share.waiting, { signal, deadline, late }).then(placeHere);
    },
  };
}

/** Calls `onUnused` when no call works or waits in it any more. */
function createShare(atATime: number, onUnused: () => void): Share {
  let working = 0;
  const waiting = new Set<() => void>();
  const returning = new Set<() => void>();
  return {
    waiting,
    returning,
    take() {
      if (working >= atATime) return false;
      working += 1;
      return true;
    },
    giveBack() {
      const line = returning.size > 0 ? returning : waiting;
      const [begin] = line;
      if (begin !== undefined) {
        line.delete(begin);
        begin();
        return;
      }
      working -= 1;
      if (working === 0) onUnused();
    },
  };
}

/** A place in use. The share is looked up each time, because an unused one is forgotten. */
function createPlace(shareNow: () => Share): Place {
  let holds = true;
  let isOver = false;
  let waitCount = 0;
  let coming: Promise<void> | undefined;

  function release(): void {
    if (!holds) return;
    holds = false;
    shareNow().giveBack();
  }

  function hold(): void {
    coming = undefined;
    holds = true;
    // Another part of the call may have begun to wait meanwhile.
    if (isOver || waitCount > 0) release();
  }

  /** `undefined` once it has its place. */
  function comeBack(): Promise<void> | undefined {
    if (holds || isOver || coming !== undefined) return coming;
    const share = shareNow();
    if (share.take()) {
      hold();
      return undefined;
    }
    coming = new Promise<void>((resolve) => share.returning.add(resolve)).then(hold);
    return coming;
  }

  return {
    async whileWaiting(wait) {
      waitCount += 1;
      release();
      try {
        return await wait();
      } finally {
        waitCount -= 1;
        if (waitCount === 0) await comeBack();
      }
    },
    leave() {
      isOver = true;
      release();
    },
  };
}

/** Waits for a turn. A call that leaves early frees its position immediately. */
function waitIn(
  line: Set<() => void>,
  {
    signal,
    deadline,
    late,
  }: { readonly signal: AbortSignal | undefined; readonly deadline: number; readonly late: () => ServiceError },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      line.delete(begin);
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    const begin = (): void => {
      settle();
      resolve();
    };
    const onAbort = (): void => {
      settle();
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(
      () => {
        settle();
        reject(late());
      },
      Math.max(0, deadline - performance.now()),
    );
    if (signal?.aborted) return onAbort();
    signal?.addEventListener("abort", onAbort);
    line.add(begin);
  });
}

const tooMany = (atATime: number, waiting: number): ServiceError =>
  new ServiceError(
    "rateLimited",
    `Too many of your requests are in progress: at most ${atATime} run at a time and ${waiting} wait. Try again in ${retryAfter} seconds.`,
    { reason: "tooManyAtATime", retryAfter },
  );

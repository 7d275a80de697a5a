import type * as z from "zod";
import { ServiceError, type AllOperations, type AnyOperationName } from "@reelscript/contract";

const megabyte = 1_024 * 1_024;

/**
 * Bytes of large calls at a time. Two of the largest reports fit an account's share.
 */
export const shareLimits: ShareLimits = { ofOwner: 16 * megabyte, ofProcess: 128 * megabyte, waiting: 16 };

/** A script of 100,000 characters of three bytes, read and written. */
const wholeScript = 2 * 300_000;
/** A hit of a list or a search: 40 kB are read of it, and no more is written. */
const hit = 2 * 40_000;
/** Times of 10,000 segments, read and written, with their words if they are wanted. */
const timesOfSegments = 2 * megabyte;
const timesOfWords = 6 * megabyte;

/** A text of 100,000 characters with the times of its segments. */
const translation = wholeScript + timesOfSegments;

/**
 * When a call's cost is known: `body` before its body is received, and `answer` from its input. A call has only one of them, so
 * none waits for bytes while it has some.
 */
type Cost<Input> = { readonly body: number } | { readonly answer: (input: Input) => number };

/**
 * The bytes that a call may read and write at a time, for every operation that may read more than half a megabyte. Operations that
 * aren't here are small and never wait. Exports read a page of a megabyte at a time, and `createExportLine` bounds them.
 */
export const costs: {
  readonly [Name in AnyOperationName]?: Cost<z.output<AllOperations[Name]["input"]>>;
} = {
  importReport: { body: 8 * megabyte },
  correctScript: { body: 2 * megabyte },
  searchMyScripts: {
    answer: ({ ids, url, limit }) => {
      if (ids !== undefined) return new Set(ids.split(",")).size * wholeScript;
      return url === undefined ? limit * hit : wholeScript;
    },
  },
  getScript: { answer: ({ words }) => wholeScript + timesOfSegments + (words ? timesOfWords : 0) + translation },
  getScriptText: { answer: ({ text }) => wholeScript + (text === "translation" ? translation : 0) },
  translateScript: { answer: () => translation },
  getScriptSubtitles: { answer: () => wholeScript + timesOfSegments + timesOfWords },
  createVideo: { answer: () => wholeScript + timesOfSegments + timesOfWords },
  getScriptCorrection: { answer: () => wholeScript + timesOfSegments + timesOfWords },
  getCompetitorReport: { answer: ({ from }) => (from === undefined ? megabyte : 10 * megabyte) },
};

interface ShareLimits {
  /** Bytes of one owner at a time. What is larger on its own is taken alone. */
  readonly ofOwner: number;
  /** Bytes of all owners at a time. */
  readonly ofProcess: number;
  /** Calls of one owner that may wait. */
  readonly waiting: number;
}

interface Wait {
  readonly signal: AbortSignal;
  /** A moment of `performance.now()`. */
  readonly deadline: number;
}

/** Memory that is given out in bytes: what exceeds an owner's share waits in that owner's line. */
export interface ByteShares {
  /**
   * Takes so many bytes, immediately if there is room. Throws `rateLimited` if too many of the owner already wait or its turn
   * doesn't come before the deadline, and the signal's reason.
   */
  take(owner: string, bytes: number, wait: Wait): TakenBytes | Promise<TakenBytes>;
  /** Bytes that are taken, and calls that wait. */
  now(): { readonly bytes: number; readonly waiting: number };
}

/** Its functions do nothing when they are called again. */
export interface TakenBytes {
  /** Gives back only what the process lent, so that a slow reader keeps nothing but its own share. */
  leaveProcess(): void;
  /** Gives everything back. */
  giveBack(): void;
}

interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

interface Owner {
  bytes: number;
  readonly line: Set<Waiting>;
}

const retryAfter = 5;

/** Kept in memory, because the process is what is shared. */
export function createByteShares({ ofOwner, ofProcess, waiting: mostWaiting }: ShareLimits): ByteShares {
  /** In the order of their turns: whoever has begun goes to the end. */
  const owners = new Map<string, Owner>();
  let taken = 0;

  const fitsOwner = (owner: Owner, bytes: number): boolean => owner.bytes === 0 || owner.bytes + bytes <= ofOwner;
  const fitsProcess = (bytes: number): boolean => taken === 0 || taken + bytes <= ofProcess;

  /** The first in its owner's line, if only the process has no room for it. */
  const nextOf = (owner: Owner): Waiting | undefined => {
    const [first] = owner.line;
    return first !== undefined && fitsOwner(owner, first.bytes) ? first : undefined;
  };

  function begin(name: string, owner: Owner, bytes: number): TakenBytes {
    taken += bytes;
    owner.bytes += bytes;
    owners.delete(name);
    owners.set(name, owner);
    let lentByProcess = bytes;
    let lentByOwner = bytes;
    const leaveProcess = (): void => {
      taken -= lentByProcess;
      lentByProcess = 0;
      settle();
    };
    return {
      leaveProcess,
      giveBack() {
        owner.bytes -= lentByOwner;
        lentByOwner = 0;
        leaveProcess();
      },
    };
  }

  /** Begins what fits, one of each owner in turn. A large one isn't passed by others while it waits for the process. */
  function settle(): void {
    // Whoever begins goes to the end, and so comes again.
    for (const [name, owner] of owners) {
      const next = nextOf(owner);
      if (next === undefined) {
        if (owner.bytes === 0) owners.delete(name);
        continue;
      }
      if (!fitsProcess(next.bytes)) return;
      next.begin();
    }
  }

  return {
    take(name, bytes, { signal, deadline }) {
      const owner = owners.get(name) ?? { bytes: 0, line: new Set() };
      owners.set(name, owner);
      const isFree = owner.line.size === 0 && fitsOwner(owner, bytes) && fitsProcess(bytes);
      if (isFree && ![...owners.values()].some(nextOf)) return begin(name, owner, bytes);
      if (owner.line.size >= mostWaiting) throw tooMuch(mostWaiting);
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          owner.line.delete(turn);
          clearTimeout(timer);
          signal.removeEventListener("abort", onAbort);
        };
        const refuse = (reason: unknown): void => {
          leave();
          reject(reason as Error);
          // Whoever is behind may be smaller.
          settle();
        };
        const onAbort = (): void => refuse(signal.reason);
        const turn: Waiting = {
          bytes,
          begin: () => {
            leave();
            resolve(begin(name, owner, bytes));
          },
        };
        const timer = setTimeout(() => refuse(tooMuch(mostWaiting)), Math.max(0, deadline - performance.now()));
        owner.line.add(turn);
        signal.addEventListener("abort", onAbort);
        if (signal.aborted) onAbort();
      });
    },
    now: () => ({ bytes: taken, waiting: [...owners.values()].reduce((sum, { line }) => sum + line.size, 0) }),
  };
}

const tooMuch = (waiting: number): ServiceError =>
  new ServiceError(
    "rateLimited",
    `Too many of your large requests are in progress: at most ${waiting} wait. Try again in ${retryAfter} seconds.`,
    { reason: "tooManyAtATime", retryAfter },
  );

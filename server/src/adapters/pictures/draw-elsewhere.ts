import { ServiceError } from "@reelscript/contract";
import { formatOf, refuse } from "./picture-format.ts";
import { type PictureJob, type PictureOf, createPictureProcess } from "./picture-process.ts";

const atATime = 2;
/** They wait in memory. */
const inTurn = createTurns({ atATime, waiting: 24 });
const free = Array.from({ length: atATime }, createPictureProcess);

/**
 * Draws a stranger's picture in another process, two pictures at a time and one of each owner. Throws `invalidRequest` for
 * what is wrong with the picture, `rateLimited` when too many of the owner are waiting, and `unavailable` when too many of all are.
 */
export async function drawElsewhere<Job extends PictureJob>(
  job: Job,
  owner: TurnOwner,
  longestSeconds?: number,
): Promise<PictureOf<Job>> {
  formatOf(Buffer.from(job.bytes.buffer, job.bytes.byteOffset, job.bytes.byteLength));
  try {
    return await inTurn(async () => {
      const drawer = free.pop()!; // safe: there is one for each turn
      return drawer.draw(job, longestSeconds).finally(() => free.push(drawer));
    }, owner);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    if (!(error instanceof TooManyWaiting))
      throw refuse(
        "the image is damaged, or takes too long to draw. Save it again as JPEG or PNG, then upload it.",
        error,
      );
    if (error.areOwners)
      throw new ServiceError("rateLimited", "Your other images are still being drawn. Try again in a moment.", {
        reason: "tooManyRequests",
        retryAfter: 10,
      });
    throw new ServiceError("unavailable", "Too many images are being drawn. Try again.", { retryAfter: 10 });
  }
}

interface TurnOwner {
  readonly name: string;
  /** How many of it may wait. */
  readonly waiting: number;
}

/** Why something was not done at all: too many others, or too many of its owner, are waiting. */
class TooManyWaiting extends Error {
  override readonly name = "TooManyWaiting";
  readonly areOwners: boolean;

  constructor(most: number, areOwners: boolean) {
    super(`more than ${most} are waiting`);
    this.areOwners = areOwners;
  }
}

/**
 * Does so many things at a time, the others in the order in which they came; throws `TooManyWaiting`. Of those that have an
 * owner, one of each is done at a time, and others pass by those that wait for it.
 */
export function createTurns({ atATime, waiting: mostWaiting }: { readonly atATime: number; readonly waiting: number }) {
  let under = 0;
  const busy = new Set<string | undefined>();
  const waiting: { readonly owner: string | undefined; readonly begin: () => void }[] = [];

  const mayBegin = (owner: string | undefined): boolean => under < atATime && (owner === undefined || !busy.has(owner));
  function take(owner: string | undefined): void {
    under += 1;
    busy.add(owner);
  }
  function giveBack(owner: string | undefined): void {
    under -= 1;
    busy.delete(owner);
    const next = waiting.find((one) => mayBegin(one.owner));
    if (next === undefined) return;
    waiting.splice(waiting.indexOf(next), 1);
    // Before anybody else can come between.
    take(next.owner);
    next.begin();
  }

  return async <Result>(
    work: () => Promise<Result>,
    { name: owner, waiting: mostOfOwner }: Partial<TurnOwner> = {},
  ): Promise<Result> => {
    if (mayBegin(owner)) take(owner);
    else {
      if (waiting.length >= mostWaiting) throw new TooManyWaiting(mostWaiting, false);
      if (mostOfOwner !== undefined && waiting.filter((other) => other.owner === owner).length >= mostOfOwner)
        throw new TooManyWaiting(mostOfOwner, true);
      await new Promise<void>((resolve) => waiting.push({ owner, begin: resolve }));
    }
    try {
      return await work();
    } finally {
      giveBack(owner);
    }
  };
}

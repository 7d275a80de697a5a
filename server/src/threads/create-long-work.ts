import { ServiceError } from "@reelscript/contract";
import type { LongJobs, LongWork } from "../ports.ts";
import { createFairLine } from "../rules/fair-line.ts";
import { createJobThread, type JobLimits } from "./job-threads.ts";
import { jobs, sizes } from "./jobs.ts";

/** An account uses at most one of them, so another account always gets the other. */
const threads = 2;
/** Each keeps its input in memory, up to some megabytes. */
const mostWaiting = 64;
const mostWaitingOfOwner = 16;
/** Some milliseconds on the main thread, which is less than a thread costs. */
const shortest = 16_000;

export interface OpenedLongWork {
  readonly do: LongWork;
  close(): Promise<void>;
}

/** Runs long jobs in threads, and short ones in place. */
export function createLongWork(limits: JobLimits = {}): OpenedLongWork {
  const line = createFairLine({
    atATime: threads,
    perOwner: 1,
    waiting: mostWaiting,
    refusal: (reason) => refusal(reason === "owners"),
  });
  const all = Array.from({ length: threads }, () => createJobThread(limits));
  const free = [...all];

  function inThread<Name extends keyof LongJobs>(
    name: Name,
    given: LongJobs[Name]["given"],
    owner: string,
  ): Promise<LongJobs[Name]["result"]> {
    return line.run(
      owner,
      async () => {
        const thread = free.pop()!; // safe: there is one for each turn
        return await thread.do({ name, given }).finally(() => free.push(thread));
      },
      { mostWaiting: mostWaitingOfOwner },
    );
  }

  return {
    do: async (name, given, owner) =>
      sizes[name](given) <= shortest ? jobs[name](given) : await inThread(name, given, owner),
    async close() {
      await Promise.all(all.map((thread) => thread.close()));
    },
  };
}

const refusal = (isOwners: boolean): ServiceError =>
  isOwners
    ? new ServiceError("rateLimited", "Your other requests are still in progress. Try again in a moment.", {
        reason: "tooManyRequests",
        retryAfter: 5,
      })
    : new ServiceError("unavailable", "Too many long scripts and reports are in progress. Try again.", {
        retryAfter: 10,
      });

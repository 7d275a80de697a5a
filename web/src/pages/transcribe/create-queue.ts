import type { TranscribeResult } from "@reelscript/contract";
import { createJobList, type AskedJob } from "./job-list.ts";
import { isActive, isFinished, type Job } from "./job.ts";
import type { JobStorage } from "./kept-jobs.ts";
import { resultOfJob, type CallError, type TranscribingCalls } from "./result-of-job.ts";

/** Reels that are worked on at the same time; the others wait. */
const mostActive = 2;
/** Seconds to wait where the service does not say. */
const usualWait = 30;
const mostAttempts = 12;

interface CreateQueueNeeds extends TranscribingCalls {
  readonly onStored: (result: TranscribeResult, url: string) => void;
  readonly storage: JobStorage;
  /** Under which the jobs are kept: of one person, so that nobody sees another's. */
  readonly name: string;
  readonly wait: (milliseconds: number, then: () => void) => void;
}

export type Queue = ReturnType<typeof createQueue>;

/** Works on reels one after another, and continues where a reload broke off. */
export function createQueue(needs: CreateQueueNeeds) {
  const { onStored, asCallError, now, wait } = needs;
  const jobs = createJobList(needs.storage, needs.name);
  const { find, enter } = jobs;
  let pausedUntil = 0;

  function pump(): void {
    if (now() < pausedUntil) return;
    while (jobs.all().filter(isActive).length < mostActive) {
      const next = jobs
        .all()
        .filter(({ state }) => state.kind === "waiting")
        .toSorted((a, b) => a.number - b.number)[0];
      if (next === undefined) return;
      void work(next);
    }
  }

  function resumeAt(number: number, until: number): void {
    wait(Math.max(0, until - now()), () => {
      // Timers may come a little early, and nobody else would begin it then.
      if (now() < until) return resumeAt(number, until);
      if (find(number)?.state.kind === "pausing") enter(number, { kind: "waiting" });
      pump();
    });
  }

  async function work(job: Job): Promise<void> {
    const { number } = job;
    jobs.update(number, { state: { kind: "asking" }, attempts: job.attempts + 1 });
    try {
      const result = await resultOfJob(jobs, needs, job);
      if (find(number) === undefined) return;
      const { cached, language, transcript, scriptId } = result;
      enter(number, { kind: "done", cached, language, transcript, ...(scriptId !== undefined && { scriptId }) });
      onStored(result, job.url);
    } catch (error) {
      if (find(number) !== undefined) fail(number, asCallError(error));
    } finally {
      pump();
    }
  }

  function fail(number: number, { code, reason, status, message, retryAfter }: CallError): void {
    const trouble = { code, reason, status, message };
    const passes = code === "inProgress" || code === "rateLimited" || code === "unavailable" || code === "unreachable";
    if (!passes || (find(number)?.attempts ?? 0) >= mostAttempts) return enter(number, { kind: "failed", trouble });
    const until = now() + (retryAfter ?? usualWait) * 1_000;
    if (code !== "inProgress") pausedUntil = Math.max(pausedUntil, until);
    enter(number, { kind: "pausing", until, trouble });
    resumeAt(number, until);
  }

  for (const { number, state } of jobs.all()) if (state.kind === "pausing") resumeAt(number, state.until);
  pump();

  return {
    subscribe: jobs.subscribe,
    /** The newest batch first. */
    jobs: jobs.all,
    add: (asked: readonly AskedJob[]): void => {
      jobs.add(asked);
      pump();
    },
    retry: (number: number): void => {
      jobs.update(number, { attempts: 0, state: { kind: "waiting" } });
      pump();
    },
    remove: (number: number): void => jobs.keepOnly((job) => job.number !== number),
    clearFinished: (): void => jobs.keepOnly((job) => !isFinished(job)),
  };
}

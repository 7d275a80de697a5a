import { CallError, resultOf } from "@reelscript/client/core";
import type { TranscribeResult, Transcription } from "@reelscript/contract";
import {
  createJobList,
  isActive,
  isFinished,
  type AskedJob,
  type JobList,
  type Job,
  type JobState,
} from "./job-list.ts";

/** Reels that are worked on at the same time; the others wait. */
const mostActive = 2;
/** Seconds to wait where the service does not say. */
const usualWait = 30;
const mostAttempts = 12;
const passing: ReadonlySet<CallError["code"]> = new Set([
  "inProgress",
  "rateLimited",
  "unavailable",
  "unexpectedAnswer",
  "unreachable",
  "timeout",
]);

interface CreateQueueNeeds extends TranscribingCalls {
  readonly onStored: (result: TranscribeResult, url: string) => void;
  /** Under which the jobs are kept: of one person, so that nobody sees another's. */
  readonly name: string;
  readonly wait: (milliseconds: number, then: () => void) => void;
}

export type Queue = ReturnType<typeof createQueue>;

export function createQueue(needs: CreateQueueNeeds) {
  const { onStored, now, wait } = needs;
  const jobs = createJobList(needs.name);
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
      if (find(number) !== undefined) fail(number, error);
    } finally {
      pump();
    }
  }

  function fail(number: number, error: unknown): void {
    const known =
      error instanceof CallError ? error : new CallError("internalError", "Something went wrong on this page.");
    const { code, reason, status, message, retryAfter } = known;
    const trouble = { code, reason, status, message };
    const passes = passing.has(code) && (find(number)?.attempts ?? 0) < mostAttempts;
    if (!passes) return enter(number, { kind: "failed", trouble });
    const until = now() + (retryAfter ?? usualWait) * 1_000;
    if (code !== "inProgress") pausedUntil = Math.max(pausedUntil, until);
    enter(number, { kind: "pausing", until, trouble });
    resumeAt(number, until);
  }

  for (const { number, state } of jobs.all()) if (state.kind === "pausing") resumeAt(number, state.until);
  pump();

  return {
    subscribe: jobs.subscribe,
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

interface TranscribingCalls {
  readonly ask: (url: string, languageHint: string | undefined) => Promise<TranscribeResult | Transcription>;
  readonly follow: (id: string, onChange: (transcription: Transcription) => void) => Promise<Transcription>;
  readonly now: () => number;
}

async function resultOfJob(jobs: JobList, calls: TranscribingCalls, job: Job): Promise<TranscribeResult> {
  const { number, transcriptionId } = job;
  if (transcriptionId !== undefined)
    try {
      return await followed(jobs, calls, number, transcriptionId);
    } catch (error) {
      const isForgotten = error instanceof CallError && error.code === "notFound";
      if (!isForgotten || jobs.find(number)?.transcriptionId === undefined) throw error;
      // The service knows nothing of that work any more; the reel itself may still be there.
      jobs.update(number, { transcriptionId: undefined } as Partial<Job>);
    }

  const answer = await calls.ask(job.url, job.languageHint);
  return "status" in answer ? followed(jobs, calls, number, answer.id) : answer;
}

type Listening = NonNullable<Extract<JobState, { kind: "following" }>["listening"]>;

/** Before so much is done nothing can be said about the rest. */
const tellable = 0.12;

/** When listening should end by how it went so far, in milliseconds; never later than it was said before. */
export function endOf({ since, from, until }: Listening, progress: number, now: number): number | undefined {
  const covered = progress - from;
  if (covered < tellable) return until;
  return Math.min(until ?? Infinity, now + ((now - since) / covered) * (1 - progress));
}

async function followed(
  jobs: JobList,
  { follow, now }: TranscribingCalls,
  number: number,
  id: string,
): Promise<TranscribeResult> {
  jobs.update(number, { transcriptionId: id, state: { kind: "following", status: "queued", progress: 0 } });
  const finished = await follow(id, ({ status, progress, waitingFor, interim }) => {
    const state = jobs.find(number)?.state;
    if (state?.kind !== "following" || (status !== "queued" && status !== "running")) return;
    const since = state.listening ?? (progress > 0 ? { since: now(), from: progress } : undefined);
    const listening = since && { ...since, until: endOf(since, progress, now()) };
    const before = state.passages ?? [];
    const passages = interim ? [...before.slice(0, interim.from), ...interim.passages] : before;
    const draft = interim ? interim.draft : state.draft;
    jobs.enter(number, {
      kind: "following",
      status,
      progress,
      ...(waitingFor && { waitsForPlatform: true }),
      ...(listening && { listening }),
      ...(passages.length > 0 && { passages }),
      ...(draft && { draft }),
    });
  });
  // What failed is over: the next request starts new work.
  if (finished.result === undefined) jobs.update(number, { transcriptionId: undefined } as Partial<Job>);
  return resultOf(finished);
}

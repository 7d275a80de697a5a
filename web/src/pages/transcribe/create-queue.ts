import { CallError, resultOf } from "@reelscript/client/core";
import type { TranscribeResult, Transcription } from "@reelscript/contract";
import { keep, parseKept } from "../../api/browser-storage.ts";
import { createStore } from "../../api/create-store.ts";
import { reelKey } from "./reel-links.ts";

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

export type AskedJob = Pick<Job, "url" | "languageHint" | "transcriptionId">;

type JobList = ReturnType<typeof createJobList>;

function createJobList(name: string) {
  const { current: all, subscribe, set } = createStore(readJobs(name));
  /** Never given twice: what is still on its way knows its job by it. */
  let lastNumber = Math.max(0, ...all().map(({ number }) => number));

  function change(jobs: readonly Job[]): void {
    keep(name, JSON.stringify(jobs.map(keptOf)), "sessionStorage");
    set(jobs);
  }

  const update = (number: number, changed: Partial<Job>): void =>
    change(all().map((job) => (job.number === number ? { ...job, ...changed } : job)));

  return {
    all,
    find: (number: number): Job | undefined => all().find((job) => job.number === number),
    update,
    enter: (number: number, state: JobState): void => update(number, { state }),
    keepOnly: (isKept: (job: Job) => boolean): void => change(all().filter(isKept)),
    /** A reel that is under way is not added again; one that is finished makes room for its new job. */
    add: (asked: readonly AskedJob[]): void => {
      const jobs = all();
      const underWay = new Set(jobs.filter((job) => !isFinished(job)).map(({ url }) => reelKey(url)));
      const fresh = asked.filter(({ url }) => !underWay.has(reelKey(url)));
      const again = new Set(fresh.map(({ url }) => reelKey(url)));
      const added = fresh.map((job) => ({
        ...job,
        number: (lastNumber += 1),
        attempts: 0,
        state: { kind: "waiting" as const },
      }));
      change([...added, ...jobs.filter(({ url }) => !again.has(reelKey(url)))]);
    },
    subscribe,
  };
}

/** What a reload brings back: what was under way continues, what is done is shown again. Words are not kept. */
function readJobs(name: string): readonly Job[] {
  const kept = parseKept(name, "sessionStorage");
  return Array.isArray(kept) ? kept.filter(isJob) : [];
}

function keptOf(job: Job): Job {
  const { state } = job;
  if (state.kind === "done") return { ...job, state: { ...state, transcript: undefined } as JobState };
  return state.kind === "failed" || state.kind === "pausing" ? job : { ...job, state: { kind: "waiting" } };
}

function isJob(value: unknown): value is Job {
  const { number, url, state } = (value ?? {}) as Partial<Job>;
  return typeof number === "number" && typeof url === "string" && typeof state?.kind === "string";
}

/** What went wrong; plain, so that it can be kept. */
export type Trouble = Pick<CallError, "code" | "reason" | "status" | "message">;

type Interim = NonNullable<Transcription["interim"]>;

export type JobState =
  | { readonly kind: "waiting" }
  | { readonly kind: "asking" }
  | {
      readonly kind: "following";
      readonly status: "queued" | "running";
      readonly progress: number;
      readonly waitsForPlatform?: boolean;
      /** Milliseconds: when listening was first seen and how far it was, and when it should end, which is never put off. */
      readonly listening?: { readonly since: number; readonly from: number; readonly until?: number | undefined };
      /** What is recognized so far. Not kept over a reload. */
      readonly passages?: Interim["passages"];
      readonly draft?: Interim["draft"];
    }
  /** Goes on by itself at `until` (milliseconds). */
  | { readonly kind: "pausing"; readonly until: number; readonly trouble: Trouble }
  | {
      readonly kind: "done";
      readonly cached: boolean;
      readonly language: string;
      /** Not kept over a reload; the script has it. */
      readonly transcript?: string;
      readonly scriptId?: string;
    }
  | { readonly kind: "failed"; readonly trouble: Trouble };

export interface Job {
  readonly number: number;
  readonly url: string;
  readonly languageHint?: string;
  readonly transcriptionId?: string;
  readonly attempts: number;
  readonly state: JobState;
}

export const isFinished = ({ state }: Job): boolean => state.kind === "done" || state.kind === "failed";
export const isActive = ({ state }: Job): boolean => state.kind === "asking" || state.kind === "following";

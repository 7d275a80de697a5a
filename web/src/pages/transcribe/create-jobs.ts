import { CallError, resultOf } from "@reelscript/client/core";
import type { TranscribeResult, Transcription } from "@reelscript/contract";
import { keep, parseKept } from "../../api/browser-storage.ts";
import { createStore } from "../../api/create-store.ts";
import { reelKey } from "./reel-links.ts";

/** Seconds to wait if the service doesn't say. */
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

/** Browser timers hold at most 24 days. */
const longestTimer = 3_600_000;

interface JobNeeds {
  /** The storage name of the jobs. It includes the person, so that nobody sees another's. */
  readonly name: string;
  readonly ask: (job: AskedJob) => Promise<TranscribeResult | Transcription>;
  readonly follow: (id: string, onChange: (transcription: Transcription) => void) => Promise<Transcription>;
  readonly onStored: (result: TranscribeResult, url: string) => void;
}

/**
 * One person's single reels on this page, whose words appear as they are recognized. They survive a reload; lists of reels are
 * batches.
 */
export interface Jobs {
  readonly all: () => readonly Job[];
  /** The jobs for a component, which is rendered again when they change. */
  readonly useJobs: () => readonly Job[];
  /** A running reel isn't added again; a finished one is replaced by its new job. */
  readonly add: (requestedJobs: readonly AskedJob[]) => void;
  /** Retries a job as if for the first time. */
  readonly retry: (number: number) => void;
  readonly remove: (number: number) => void;
  readonly clearFinished: () => void;
}

export function createJobs(needs: JobNeeds): Jobs {
  const jobs = createJobList(needs.name);
  const { find, enter } = jobs;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Starts every job that may start, and runs again when a pause ends. */
  function pump(): void {
    const now = Date.now();
    for (const { number, state } of jobs.all())
      if (state.kind === "pausing" && state.until <= now) enter(number, { kind: "waiting" });
    const pauses = jobs.all().flatMap(({ state }) => (state.kind === "pausing" ? [state] : []));
    clearTimeout(timer);
    if (pauses.length > 0) timer = setTimeout(pump, Math.min(longestTimer, ...pauses.map(({ until }) => until - now)));
    for (const job of jobs.all().filter(({ state }) => state.kind === "waiting")) void work(job);
  }

  async function work(job: Job): Promise<void> {
    const { number } = job;
    jobs.update(number, { state: { kind: "asking" }, attempts: job.attempts + 1 });
    try {
      const result = await resultOfJob(jobs, needs, job);
      if (find(number) === undefined) return;
      const { cached, language, transcript, scriptId } = result;
      enter(number, { kind: "done", cached, language, transcript, ...(scriptId !== undefined && { scriptId }) });
      needs.onStored(result, job.url);
    } catch (error) {
      if (find(number) !== undefined) enter(number, stateAfter(error, job.attempts + 1));
    } finally {
      pump();
    }
  }

  pump();

  return {
    all: jobs.all,
    useJobs: jobs.useJobs,
    add: (requestedJobs) => {
      jobs.add(requestedJobs);
      pump();
    },
    retry: (number) => {
      jobs.update(number, { attempts: 0, state: { kind: "waiting" } });
      pump();
    },
    remove: (number) => jobs.keepOnly((job) => job.number !== number),
    clearFinished: () => jobs.keepOnly((job) => !isFinished(job)),
  };
}

function stateAfter(error: unknown, attempts: number): JobState {
  const callError =
    error instanceof CallError ? error : new CallError("internalError", "Something went wrong on this page.");
  const { code, reason, message, retryAfter = usualWait } = callError;
  const trouble = { code, reason, message };
  return passing.has(code) && attempts < mostAttempts
    ? { kind: "pausing", until: Date.now() + retryAfter * 1_000, trouble }
    : { kind: "failed", trouble };
}

async function resultOfJob(jobs: JobList, needs: JobNeeds, job: Job): Promise<TranscribeResult> {
  const { number } = job;
  let id = job.transcriptionId;
  if (id === undefined) {
    const answer = await needs.ask(job);
    if (!("status" in answer)) return answer;
    id = answer.id;
  }
  jobs.update(number, { transcriptionId: id, state: { kind: "following", status: "queued", progress: 0 } });
  const finished = await needs
    .follow(id, (transcription) => {
      const state = jobs.find(number)?.state;
      if (state?.kind === "following") jobs.enter(number, followingState(state, transcription));
    })
    .catch((error: unknown) => {
      if (job.transcriptionId === undefined || !(error instanceof CallError) || error.code !== "notFound") throw error;
      return undefined;
    });
  // A failed or missing transcription can't be followed again; the reel itself may still exist.
  if (finished?.result === undefined) jobs.update(number, { transcriptionId: undefined });
  return finished === undefined ? resultOfJob(jobs, needs, { ...job, transcriptionId: undefined }) : resultOf(finished);
}

type Following = Extract<JobState, { kind: "following" }>;

function followingState(before: Following, { status, progress, waitingFor, interim }: Transcription): Following {
  if (status !== "queued" && status !== "running") return before;
  const now = Date.now();
  const since = before.listening ?? (progress > 0 ? { since: now, from: progress } : undefined);
  const earlierPassages = before.passages ?? [];
  const passages = interim ? [...earlierPassages.slice(0, interim.from), ...interim.passages] : earlierPassages;
  const draft = interim ? interim.draft : before.draft;
  return {
    kind: "following",
    status,
    progress,
    ...(waitingFor && { waitingFor }),
    ...(since && { listening: { ...since, until: endOf(since, progress, now) } }),
    ...(passages.length > 0 && { passages }),
    ...(draft && { draft }),
  };
}

/** Below this share, nothing can be said about the rest. */
const tellable = 0.12;

/** Estimates when recognition will end from its progress so far, in milliseconds; never later than the previous estimate. */
export function endOf(
  { since, from, until }: NonNullable<Following["listening"]>,
  progress: number,
  now: number,
): number | undefined {
  const covered = progress - from;
  if (covered < tellable) return until;
  return Math.min(until ?? Infinity, now + ((now - since) / covered) * (1 - progress));
}

interface AskedJob {
  readonly url: string;
  readonly languageHint?: string | undefined;
  readonly translate?: "en" | undefined;
  readonly transcriptionId?: string | undefined;
}

/** The jobs as they are stored; each change is stored immediately. */
interface JobList {
  readonly all: () => readonly Job[];
  readonly find: (number: number) => Job | undefined;
  readonly update: (number: number, changed: Partial<Job>) => void;
  readonly enter: (number: number, state: JobState) => void;
  readonly keepOnly: (isKept: (job: Job) => boolean) => void;
  /** A running reel isn't added again; a finished one is replaced by its new job. */
  readonly add: (requestedJobs: readonly AskedJob[]) => void;
  readonly useJobs: () => readonly Job[];
}

function createJobList(name: string): JobList {
  const { current: all, useValue, set } = createStore(readJobs(name));
  /** Never reused, because responses that are still on their way identify their job by it. */
  let lastNumber = Math.max(0, ...all().map(({ number }) => number));

  function change(jobs: readonly Job[]): void {
    keep(name, JSON.stringify(jobs.map(keptOf)), "sessionStorage");
    set(jobs);
  }

  const update = (number: number, changed: Partial<Job>): void =>
    change(all().map((job) => (job.number === number ? { ...job, ...changed } : job)));

  return {
    all,
    find: (number) => all().find((job) => job.number === number),
    update,
    enter: (number, state) => update(number, { state }),
    keepOnly: (isKept) => change(all().filter(isKept)),
    add: (requestedJobs) => {
      const isOf = (asking: AskedJob) => (job: Job) => reelKey(job.url) === reelKey(asking.url);
      const fresh = requestedJobs.filter((one) => all().filter(isOf(one)).every(isFinished));
      const added = fresh.map((job): Job => ({
        ...job,
        number: (lastNumber += 1),
        attempts: 0,
        state: { kind: "waiting" },
      }));
      change([...added, ...all().filter((job) => !fresh.some((one) => isOf(one)(job)))]);
    },
    useJobs: useValue,
  };
}

/** The jobs after a reload: unfinished ones continue, finished ones are shown again. Transcripts are not stored. */
function readJobs(name: string): readonly Job[] {
  const storedJobs = parseKept(name, "sessionStorage");
  return Array.isArray(storedJobs) ? storedJobs.filter(isJob) : [];
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

/** A `CallError` as plain data, so that it can be stored. */
export interface Trouble {
  readonly code: CallError["code"];
  readonly reason: CallError["reason"];
  readonly message: string;
}

type Interim = NonNullable<Transcription["interim"]>;

export type JobState =
  | { readonly kind: "waiting" }
  | { readonly kind: "asking" }
  | {
      readonly kind: "following";
      readonly status: "queued" | "running";
      readonly progress: number;
      readonly waitingFor?: NonNullable<Transcription["waitingFor"]>;
      /** Milliseconds: when recognition was first seen and how far it was, and when it should end, which never moves later. */
      readonly listening?: { readonly since: number; readonly from: number; readonly until?: number | undefined };
      /** Text recognized so far. Not stored. */
      readonly passages?: Interim["passages"];
      readonly draft?: Interim["draft"];
    }
  /** Retries automatically at `until` (milliseconds). */
  | { readonly kind: "pausing"; readonly until: number; readonly trouble: Trouble }
  | {
      readonly kind: "done";
      readonly cached: boolean;
      readonly language: string;
      /** Not stored; the script has it. */
      readonly transcript?: string;
      readonly scriptId?: string;
    }
  | { readonly kind: "failed"; readonly trouble: Trouble };

export interface Job extends AskedJob {
  readonly number: number;
  readonly attempts: number;
  readonly state: JobState;
}

export const isFinished = ({ state }: Job): boolean => state.kind === "done" || state.kind === "failed";
export const isActive = ({ state }: Job): boolean => state.kind === "asking" || state.kind === "following";

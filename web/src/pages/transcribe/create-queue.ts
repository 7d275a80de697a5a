import type { TranscribeResult, Transcription } from "@reelscript/contract";
import { isActive, isFinished, type Job, type JobState, type Trouble } from "./job.ts";
import { keepJobs, readJobs, type JobStorage } from "./kept-jobs.ts";
import { reelKey } from "./reel-links.ts";

/** Reels that are worked on at the same time; the others wait. */
const mostActive = 2;
/** Seconds to wait where the service does not say. */
const usualWait = 30;
const mostAttempts = 12;

/** An error of a call, as `ApiError` is one. */
interface CallError extends Trouble {
  readonly retryAfter: number | undefined;
}

interface Needs {
  readonly ask: (url: string, languageHint: string | undefined) => Promise<TranscribeResult | Transcription>;
  readonly follow: (id: string, onChange: (transcription: Transcription) => void) => Promise<Transcription>;
  /** Where the result stands in the library. */
  readonly findScript: (url: string, transcript: string) => Promise<string | undefined>;
  readonly onStored: (result: TranscribeResult, url: string) => void;
  readonly asCallError: (error: unknown) => CallError;
  readonly storage: JobStorage;
  /** Under which the jobs are kept: of one person, so that nobody sees another's. */
  readonly name: string;
  readonly now: () => number;
  readonly wait: (milliseconds: number, then: () => void) => void;
}

export type Queue = ReturnType<typeof createQueue>;

/** Works on reels one after another, and goes on where a reload broke off. */
export function createQueue(needs: Needs) {
  const { ask, follow, findScript, onStored, asCallError, storage, name, now, wait } = needs;
  const listeners = new Set<() => void>();
  let jobs = readJobs(storage, name);
  let pausedUntil = 0;
  /** Never given twice: what is still on its way knows its job by it. */
  let lastNumber = Math.max(0, ...jobs.map(({ number }) => number));

  function change(next: readonly Job[]): void {
    jobs = next;
    keepJobs(storage, name, jobs);
    for (const listener of listeners) listener();
  }

  const find = (number: number): Job | undefined => jobs.find((job) => job.number === number);
  const update = (number: number, changed: Partial<Job>): void =>
    change(jobs.map((job) => (job.number === number ? { ...job, ...changed } : job)));
  const enter = (number: number, state: JobState): void => update(number, { state });

  function pump(): void {
    if (now() < pausedUntil) return;
    while (jobs.filter(isActive).length < mostActive) {
      const next = jobs.filter(({ state }) => state.kind === "waiting").toSorted((a, b) => a.number - b.number)[0];
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
    update(number, { state: { kind: "asking" }, attempts: job.attempts + 1 });
    try {
      const result = await resultOf(job);
      if (find(number) === undefined) return;
      const { cached, language, transcript } = result;
      enter(number, { kind: "done", cached, language, transcript });
      onStored(result, job.url);
      void locate(job, transcript);
    } catch (error) {
      if (find(number) !== undefined) fail(number, asCallError(error));
    } finally {
      pump();
    }
  }

  async function resultOf(job: Job): Promise<TranscribeResult> {
    const { number, transcriptionId } = job;
    if (transcriptionId !== undefined) {
      try {
        return await followed(number, transcriptionId);
      } catch (error) {
        if (asCallError(error).code !== "notFound" || find(number)?.transcriptionId === undefined) throw error;
        // The service knows nothing of that work any more; the reel itself may still be there.
        update(number, { transcriptionId: undefined } as Partial<Job>);
      }
    }
    const answer = await ask(job.url, job.languageHint);
    return "status" in answer ? followed(number, answer.id) : answer;
  }

  async function followed(number: number, id: string): Promise<TranscribeResult> {
    update(number, { transcriptionId: id, state: { kind: "following", status: "queued", progress: 0 } });
    const finished = await follow(id, ({ status, progress }) => {
      const state = find(number)?.state;
      if (state?.kind !== "following" || (status !== "queued" && status !== "running")) return;
      const listening = state.listening ?? (progress > 0 ? { since: now(), from: progress } : undefined);
      enter(number, { kind: "following", status, progress, ...(listening && { listening }) });
    });
    if (finished.result !== undefined) return finished.result;
    // What failed is over: asking again begins anew.
    update(number, { transcriptionId: undefined } as Partial<Job>);
    throw finished.error ?? new Error("The transcription ended without a result.");
  }

  function fail(number: number, { code, status, message, retryAfter }: CallError): void {
    const trouble = { code, status, message };
    const passes = code === "inProgress" || code === "rateLimited" || code === "unavailable" || code === "unreachable";
    if (!passes || (find(number)?.attempts ?? 0) >= mostAttempts) return enter(number, { kind: "failed", trouble });
    const until = now() + (retryAfter ?? usualWait) * 1_000;
    if (code !== "inProgress") pausedUntil = Math.max(pausedUntil, until);
    enter(number, { kind: "pausing", until, trouble });
    resumeAt(number, until);
  }

  async function locate({ number, url }: Job, transcript: string): Promise<void> {
    const scriptId = await findScript(url, transcript).catch(() => undefined);
    const state = find(number)?.state;
    if (scriptId !== undefined && state?.kind === "done") enter(number, { ...state, scriptId });
  }

  const add = (asked: readonly Pick<Job, "url" | "languageHint" | "transcriptionId">[]): void => {
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
    pump();
  };

  for (const { number, state } of jobs) if (state.kind === "pausing") resumeAt(number, state.until);
  pump();

  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** The newest batch first. */
    jobs: () => jobs,
    add,
    retry: (number: number): void => {
      update(number, { attempts: 0, state: { kind: "waiting" } });
      pump();
    },
    remove: (number: number): void => change(jobs.filter((job) => job.number !== number)),
    clearFinished: (): void => change(jobs.filter((job) => !isFinished(job))),
  };
}

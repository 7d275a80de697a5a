import { keep, parseKept } from "../../api/browser-storage.ts";
import { createStore } from "../../api/create-store.ts";
import { reelKey } from "./reel-links.ts";
import type { CallError } from "@reelscript/client/core";
import type { Transcription } from "@reelscript/contract";

export type AskedJob = Pick<Job, "url" | "languageHint" | "transcriptionId">;

export type JobList = ReturnType<typeof createJobList>;

export function createJobList(name: string) {
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

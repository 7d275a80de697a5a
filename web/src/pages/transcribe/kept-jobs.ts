import type { Job } from "./job.ts";

/** Where the jobs outlive a reload: a session's storage, or a stand-in for it. */
export type JobStorage = Pick<Storage, "getItem" | "setItem">;

/** What a reload brings back: what was under way continues, what is done is shown again. Words are not kept. */
export function readJobs(storage: JobStorage, name: string): readonly Job[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(name) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isJob).map(resumed) : [];
  } catch {
    return [];
  }
}

export function keepJobs(storage: JobStorage, name: string, jobs: readonly Job[]): void {
  try {
    storage.setItem(name, JSON.stringify(jobs.map((job) => ({ ...job, state: withoutWords(job.state) }))));
  } catch {
    // Full or forbidden: then a reload starts over.
  }
}

function withoutWords(state: Job["state"]): Partial<Job["state"]> {
  if (state.kind === "done") return { ...state, transcript: undefined } as Partial<Job["state"]>;
  return state.kind === "following" ? ({ ...state, passages: undefined } as Partial<Job["state"]>) : state;
}

function resumed(job: Job): Job {
  const { kind } = job.state;
  return kind === "done" || kind === "failed" || kind === "pausing" ? job : { ...job, state: { kind: "waiting" } };
}

function isJob(value: unknown): value is Job {
  const { number, url, state } = (value ?? {}) as Partial<Job>;
  return typeof number === "number" && typeof url === "string" && typeof state?.kind === "string";
}

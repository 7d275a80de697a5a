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
    const kept = jobs.map((job) =>
      job.state.kind === "done" ? { ...job, state: { ...job.state, transcript: undefined } } : job,
    );
    storage.setItem(name, JSON.stringify(kept));
  } catch {
    // Full or forbidden: then a reload starts over.
  }
}

function resumed(job: Job): Job {
  const { kind } = job.state;
  return kind === "done" || kind === "failed" || kind === "pausing" ? job : { ...job, state: { kind: "waiting" } };
}

function isJob(value: unknown): value is Job {
  const { number, url, state } = (value ?? {}) as Partial<Job>;
  return typeof number === "number" && typeof url === "string" && typeof state?.kind === "string";
}

import type { TranscribeResult, Transcription } from "@reelscript/contract";
import type { Trouble, Job } from "./job.ts";
import type { JobList } from "./job-list.ts";

/** An error of a call, as `ApiError` is one. */
export interface CallError extends Trouble {
  readonly retryAfter: number | undefined;
}

export interface TranscribingCalls {
  readonly ask: (url: string, languageHint: string | undefined) => Promise<TranscribeResult | Transcription>;
  readonly follow: (id: string, onChange: (transcription: Transcription) => void) => Promise<Transcription>;
  readonly asCallError: (error: unknown) => CallError;
  readonly now: () => number;
}

/** Follows the work that a job has begun, or begins it. */
export async function resultOfJob(jobs: JobList, calls: TranscribingCalls, job: Job): Promise<TranscribeResult> {
  const { number, transcriptionId } = job;
  if (transcriptionId !== undefined)
    try {
      return await followed(jobs, calls, number, transcriptionId);
    } catch (error) {
      if (calls.asCallError(error).code !== "notFound" || jobs.find(number)?.transcriptionId === undefined) throw error;
      // The service knows nothing of that work any more; the reel itself may still be there.
      jobs.update(number, { transcriptionId: undefined } as Partial<Job>);
    }

  const answer = await calls.ask(job.url, job.languageHint);
  return "status" in answer ? followed(jobs, calls, number, answer.id) : answer;
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
    const listening = state.listening ?? (progress > 0 ? { since: now(), from: progress } : undefined);
    const before = state.passages ?? [];
    const passages = interim ? [...before.slice(0, interim.from), ...interim.passages] : before;
    jobs.enter(number, {
      kind: "following",
      status,
      progress,
      ...(waitingFor && { waitsForPlatform: true }),
      ...(listening && { listening }),
      ...(passages.length > 0 && { passages }),
    });
  });
  if (finished.result !== undefined) return finished.result;
  // What failed is over: the next request starts new work.
  jobs.update(number, { transcriptionId: undefined } as Partial<Job>);
  throw finished.error ?? new Error("The transcription ended without a result.");
}

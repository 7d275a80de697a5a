import { duration } from "../../format/duration.ts";
import type { JobState } from "./job.ts";

/** Share of the work that fetching is, as the service counts it. */
const fetching = 0.05;
/** Before so much is done nothing can be said about the rest. */
const tellable = 0.12;

interface Shown {
  /** 0 to 1 */
  readonly share: number;
  /** 0 found, 1 fetched, 2 listening, 3 saved: the one that is going on. */
  readonly step: number;
  readonly listening: string;
  readonly left: string;
}

/** What is shown of work in progress; `now` in milliseconds. */
export function progressOf(
  state: Extract<JobState, { kind: "asking" | "following" }>,
  seconds: number | undefined,
  now: number,
): Shown {
  const idle = { share: 0, step: 0, listening: "Listening", left: "" };
  if (state.kind === "asking") return idle;
  const { status, progress, listening } = state;
  if (status === "queued") return { ...idle, step: 1, left: "Waiting in the queue" };
  if (state.waitsForPlatform)
    return { ...idle, share: progress, step: 1, left: "Waiting for its turn at the platform" };
  if (progress === 0) return { ...idle, share: fetching / 2, step: 1 };
  const done = Math.max(0, (progress - fetching) / (1 - fetching));
  const heard = seconds === undefined || seconds < 1 ? "" : `, ${duration(done * seconds)} of ${duration(seconds)}`;
  return { share: progress, step: 2, listening: `Listening${heard}`, left: leftOf(progress, listening, now) };
}

function leftOf(
  progress: number,
  listening: { readonly since: number; readonly from: number } | undefined,
  now: number,
): string {
  if (listening === undefined) return "";
  const covered = progress - listening.from;
  if (covered < tellable) return "";
  const left = Math.round((((now - listening.since) / covered) * (1 - progress)) / 1_000);
  return left < 1 ? "" : left < 90 ? `about ${left} s left` : `about ${Math.round(left / 60)} min left`;
}

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
  return { share: progress, step: 2, listening: `Listening${heard}`, left: leftOf(listening, now) };
}

type Listening = NonNullable<Extract<JobState, { kind: "following" }>["listening"]>;

/** When listening should end by how it went so far, in milliseconds; never later than it was said before. */
export function endOf({ since, from, until }: Listening, progress: number, now: number): number | undefined {
  const covered = progress - from;
  if (covered < tellable) return until;
  return Math.min(until ?? Infinity, now + ((now - since) / covered) * (1 - progress));
}

function leftOf(listening: Listening | undefined, now: number): string {
  if (listening?.until === undefined) return "";
  const left = Math.round((listening.until - now) / 1_000);
  if (left < 1) return "almost done";
  return left < 90 ? `about ${left} s left` : `about ${Math.round(left / 60)} min left`;
}

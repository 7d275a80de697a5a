import { useEffect, useState } from "react";
import { Icon } from "../../components/icon.tsx";
import type { JobState } from "./job-list.ts";
import { duration } from "../../format.ts";

interface Props {
  readonly state: Extract<JobState, { kind: "asking" | "following" }>;
  readonly seconds: number | undefined;
  readonly isSilent: boolean;
}

export function JobProgress({ state, seconds, isSilent }: Props) {
  const now = useNow();
  const { share, step, listening, left } = progressOf(state, seconds, now);
  const steps = ["Found", "Fetched", listening, "Saved"];
  return (
    <>
      {isSilent && (
        <span className="live waiting" aria-hidden="true">
          <span className="skeleton-bar" style={{ width: "92%" }} />
          <span className="skeleton-bar" style={{ width: "40%" }} />
        </span>
      )}
      <span
        className="meter voice"
        role="progressbar"
        aria-label="Transcribing"
        aria-valuenow={Math.round(share * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <i style={{ inlineSize: `${share * 100}%` }} />
      </span>
      <div className="row wrap">
        <ol className="steps row wrap">
          {steps.map((name, index) => (
            <li
              key={index}
              className={index < step ? "done" : undefined}
              aria-current={index === step ? "step" : undefined}
            >
              {index < step && <Icon name="check" small />}
              {index === step && <Icon name={step === 2 ? "wave" : "clock"} small />}
              {name}
            </li>
          ))}
        </ol>
        <span className="meta at-end">{left}</span>
      </div>
    </>
  );
}

/** In milliseconds, every second. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Share of the work that fetching is, as the service counts it. */
const fetching = 0.05;
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

function leftOf(listening: Listening | undefined, now: number): string {
  if (listening?.until === undefined) return "";
  const left = Math.round((listening.until - now) / 1_000);
  if (left < 1) return "almost done";
  return left < 90 ? `about ${left} s left` : `about ${Math.round(left / 60)} min left`;
}

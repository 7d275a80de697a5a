import { useEffect, useState } from "react";
import { Icon } from "../../components/icon.tsx";
import type { JobState } from "./job.ts";
import { progressOf } from "./progress-of.ts";

interface Props {
  readonly state: Extract<JobState, { kind: "asking" | "following" }>;
  /** Of the reel, when the platform tells. */
  readonly seconds: number | undefined;
  /** Whether no words are known yet. */
  readonly isSilent: boolean;
}

/** How far the work is: found, fetched, listened to, saved. */
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

import { cutText } from "@reelscript/contract/values";
import { useEffect, useState, useLayoutEffect, useRef } from "react";
import { classNames } from "../../components/class-names.ts";
import { Icon } from "../../components/icon.tsx";
import type { JobState } from "./create-jobs.ts";
import { duration } from "../../format.ts";

interface ProgressProps {
  readonly state: Extract<JobState, { kind: "asking" | "following" }>;
  readonly seconds: number | undefined;
  readonly isSilent: boolean;
}

export function JobProgress({ state, seconds, isSilent }: ProgressProps) {
  const now = useNow();
  const { share, step, listening, left } = progressOf(state, seconds, now);
  const steps = ["Finding", "Fetching", listening, "Saving"];
  return (
    <>
      {isSilent && <AwaitedWords />}
      <span
        className="meter voice"
        role="progressbar"
        aria-label="Transcribing"
        aria-valuenow={Math.round(share * 100)}
        aria-valuetext={`Step ${step + 1} of ${steps.length}: ${steps[step]}`}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <i style={{ inlineSize: `${share * 100}%` }} />
      </span>
      <div className="row wrap">
        <ol className="steps meta row wrap">
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

export const AwaitedWords = () => (
  <span className="live waiting stack tight" aria-hidden="true">
    <span className="skeleton-bar" style={{ width: "92%" }} />
    <span className="skeleton-bar" style={{ width: "40%" }} />
  </span>
);

/** The current time in milliseconds, updated every second. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Share of the work that is fetching, as the service counts it. */
const fetching = 0.05;
interface ProgressView {
  /** 0 to 1 */
  readonly share: number;
  /** The current one: 0 finding, 1 fetching, 2 listening, 3 saving. */
  readonly step: number;
  readonly listening: string;
  readonly left: string;
}

/** Shows work in progress; `now` in milliseconds. */
export function progressOf(state: ProgressProps["state"], seconds: number | undefined, now: number): ProgressView {
  const idle = { share: 0, step: 0, listening: "Listening", left: "" };
  if (state.kind === "asking") return idle;
  const { status, progress, listening } = state;
  const left = waitText(state);
  if (left !== undefined) return { ...idle, share: status === "queued" ? 0 : progress, step: 1, left };
  if (progress === 0) return { ...idle, share: fetching / 2, step: 1 };
  const done = Math.max(0, (progress - fetching) / (1 - fetching));
  const position = seconds === undefined || seconds < 1 ? "" : `, ${duration(done * seconds)} of ${duration(seconds)}`;
  return { share: progress, step: 2, listening: `Listening${position}`, left: leftOf(listening, now) };
}

function waitText({ status, waitingFor }: Following): string | undefined {
  if (waitingFor === "recognizer") return "Waiting until speech recognition is back";
  if (waitingFor === "storage") return "Waiting until your video can be read again";
  if (waitingFor === "platform")
    return status === "queued" ? "Waiting until the platform answers again" : "Waiting for its turn at the platform";
  return status === "queued" ? "Waiting in the queue" : undefined;
}

type Following = Extract<JobState, { kind: "following" }>;
type Listening = NonNullable<Following["listening"]>;

function leftOf(listening: Listening | undefined, now: number): string {
  if (listening?.until === undefined) return "";
  const left = Math.round((listening.until - now) / 1_000);
  if (left < 1) return "almost done";
  return left < 90 ? `about ${left} s left` : `about ${Math.round(left / 60)} min left`;
}

interface WordsProps {
  readonly text: string;
  readonly draft?: string | undefined;
  readonly lang: string;
  readonly arriving: boolean;
  /** While more words come, the newest lines are shown. Afterward the box shows the first ones again. */
  readonly continues: boolean;
}

const mostCharacters = 700;
const longestMilliseconds = 1_800;
const wordMilliseconds = 45;
const wordsSaid = 4;
/** The duration of a browser's scrolling. */
const rewindMilliseconds = 600;

/** Shows three lines at most. Its height fits the whole text known at the start, so that nothing below moves with each word. */
export function SpokenWords({ text, draft, lang, arriving, continues }: WordsProps) {
  const isRolling = useRolling(continues);
  const isCut = !isRolling && text.length > mostCharacters;
  const visibleText = isCut ? `${cutText(text, mostCharacters).replace(/\S*$/, "")}…` : text;
  const wordsIn = (said: string): readonly string[] => (said === "" ? [] : said.split(/(?<=\s)/u));
  const settledWords = wordsIn(visibleText).length;
  const words = wordsIn([visibleText, draft].filter(Boolean).join(" "));
  const count = useArriving(words.length, arriving);
  const isSpeaking = continues || count < words.length;
  const said = isSpeaking ? Math.max(0, count - wordsSaid) : count;
  const box = useRef<HTMLParagraphElement>(null);
  const caret = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (!continues || !box.current || !caret.current) return;
    const line = parseFloat(getComputedStyle(box.current).lineHeight);
    const hidden = caret.current.offsetTop + caret.current.offsetHeight - box.current.clientHeight;
    box.current.scrollTop = Math.round(hidden / line) * line;
  }, [continues, count]);
  useEffect(() => {
    if (!continues && isRolling) box.current?.scrollTo({ top: 0, behavior: isMotionReduced() ? "instant" : "smooth" });
  }, [continues, isRolling]);
  return (
    <p ref={box} className={classNames("live", isRolling ? "rolling" : "clamped")} lang={lang} dir="auto">
      {words.slice(0, Math.min(said, settledWords)).join("")}
      {said > settledWords && <span className="draft muted">{words.slice(settledWords, said).join("")}</span>}
      {said < count && <span className="said">{words.slice(said, count).join("").trimEnd()}</span>}
      {isSpeaking && <span ref={caret} className="caret" />}
      {count < words.length && <span className="keeps-its-place">{words.slice(count).join("")}</span>}
    </p>
  );
}

function useRolling(continues: boolean): boolean {
  const [isRolling, setRolling] = useState(continues);
  if (continues && !isRolling) setRolling(true);
  useEffect(() => {
    if (continues || !isRolling) return undefined;
    const timer = setTimeout(() => setRolling(false), rewindMilliseconds);
    return () => clearTimeout(timer);
  }, [continues, isRolling]);
  return isRolling;
}

function useArriving(total: number, arriving: boolean): number {
  const still = !arriving || isMotionReduced();
  const [count, setCount] = useState(0);
  const reachedWord = useRef(0);
  useEffect(() => {
    if (still) return undefined;
    const from = Math.min(reachedWord.current, total);
    const length = Math.min(longestMilliseconds, (total - from) * wordMilliseconds);
    const begin = performance.now();
    let frame = requestAnimationFrame(function step(now) {
      const share = length === 0 ? 1 : Math.min(1, Math.max(0, now - begin) / length);
      reachedWord.current = from + Math.round((total - from) * share);
      setCount(reachedWord.current);
      if (share < 1) frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [total, still]);
  return still ? total : Math.min(count, total);
}

const isMotionReduced = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

import { countWords, draftOffer, languages, type Language, recognitionQualities } from "@reelscript/contract/values";
import type { CallError } from "@reelscript/client/core";
import { useState, type ReactNode } from "react";
import { useOperation } from "../../api/use-operation.ts";
import { Button, LinkButton, CopyButton } from "../../components/button.tsx";
import { Chip, Handle } from "../../components/inline.tsx";
import { PlatformMark } from "../../components/platform-mark.tsx";
import { Popover } from "../../components/popover.tsx";
import { Cue } from "../../components/cue.tsx";
import { duration, counted, exactNumber, languageName, shownAddress } from "../../format.ts";
import { type Jobs, isActive, isFinished, type Job } from "./create-jobs.ts";
import { AwaitedWords, JobProgress, useNow, SpokenWords } from "./job-progress.tsx";
import { useReels } from "./paste-form.tsx";
import { ErrorNote, Note } from "../../components/page.tsx";
import { ExtensionSteps } from "../../components/extension-steps.tsx";
import { mayHelp, troubleText } from "./trouble-text.ts";
import { UpgradeButtons } from "../usage/upgrade-buttons.tsx";

export function JobCard({ job, jobs }: { readonly job: Job; readonly jobs: Jobs }) {
  const { number, url, state } = job;
  const [awaited] = useState(!isFinished(job));
  const done = state.kind === "done" ? state : undefined;
  const reloaded = done !== undefined && done.transcript === undefined;
  const reel = useReels(isActive(job) || (done && !reloaded) ? [url] : [])[0]?.data;
  const script = useOperation(
    "getScript",
    { id: done?.scriptId ?? "-" },
    { enabled: reloaded && done.scriptId !== undefined },
  );
  const sample = useOperation("getSession", {}, { staleTime: 300_000 }).data?.sampleReelUrl;
  const deleted = script.error?.code === "notFound";
  const handle = reel?.author.handle ?? script.data?.account;
  const seconds = reel?.durationSeconds ?? script.data?.receipt.audioSeconds;
  const transcript = done?.transcript ?? script.data?.transcript;
  const words = wordsOf(state, transcript);
  const language = done?.language ?? words?.language;
  const name = handle === undefined ? shownAddress(url) : `@${handle}`;
  const remove = (
    <Button kind="ghost" size="small" onClick={() => jobs.remove(number)}>
      Remove
    </Button>
  );
  return (
    <article className="job-card" aria-label={name}>
      {isActive(job) || done ? (
        <Cue id={reel?.url ?? script.data?.reelUrl ?? url} text={words?.text ?? ""} lang={language} />
      ) : (
        <span className="cue blank" aria-hidden="true" />
      )}
      <div className="stack tight">
        <div className="row wrap job-heading">
          <h3 className={handle === undefined ? "monospace breaks-anywhere" : undefined}>
            {handle === undefined ? <bdi>{shownAddress(url)}</bdi> : <Handle name={handle} />}
          </h3>
          <span className="meta">
            <PlatformMark url={url} /> <Facts language={language} seconds={seconds} isFresh={done?.cached === false} />
          </span>
          {done ? (
            <span className="job-outcome">
              <StateChip job={job} isSample={url === sample} />
              <DoneActions words={transcript} scriptId={deleted ? undefined : done.scriptId} />
            </span>
          ) : (
            <StateChip job={job} isSample={false} />
          )}
        </div>
        <span className="visually-hidden" role="status">
          {statusOf(job)}
        </span>
        {words && (
          <SpokenWords
            text={words.text}
            draft={words.draft}
            lang={words.language}
            arriving={awaited}
            continues={state.kind === "following"}
          />
        )}
        {(state.kind === "asking" || state.kind === "following") && (
          <JobProgress state={state} seconds={seconds} isSilent={words === undefined} />
        )}
        {done && words === undefined && (
          <JobResult language={done.language} transcript={transcript} scriptId={done.scriptId} script={script} />
        )}
        {(state.kind === "failed" || state.kind === "pausing") && (
          <JobTrouble
            state={state}
            remove={remove}
            onRetry={() => jobs.retry(number)}
            onDraft={(languageHint) => jobs.add([{ url, languageHint }])}
          />
        )}
      </div>
    </article>
  );
}

interface FactsProps {
  readonly language: string | undefined;
  readonly seconds: number | undefined;
  /** True if it was read by the running model; a cached transcript may be by another one. */
  readonly isFresh: boolean;
}

function Facts({ language, seconds, isFresh }: FactsProps) {
  const read = useOperation("getProductOverview", {}, { staleTime: 300_000 }).data?.languages;
  const quality = isFresh ? read?.find(({ code }) => code === language)?.quality : undefined;
  const facts = [language && languageName(language), seconds === undefined ? undefined : duration(seconds)];
  return (
    <>
      {facts.filter(Boolean).join(", ")}
      {language && quality && (
        <>
          {" "}
          <Popover label="How well we read this language" icon="info" iconOnly kind="ghost" className="menu">
            {() => `${languageName(language)}: ${recognitionQualities[quality]}.`}
          </Popover>
        </>
      )}
    </>
  );
}

interface DoneProps {
  readonly words: string | undefined;
  readonly scriptId: string | undefined;
}

function DoneActions({ words, scriptId }: DoneProps) {
  return (
    <span className="at-end row">
      {words && (
        <CopyButton text={words} size="small" done={`Copied ${counted(countWords(words), "word", "words")}`}>
          Copy
        </CopyButton>
      )}
      {scriptId && (
        <LinkButton size="small" to="/scripts/$scriptId" params={{ scriptId }}>
          Open
        </LinkButton>
      )}
    </span>
  );
}

function StateChip({ job: { state }, isSample }: { readonly job: Job; readonly isSample: boolean }) {
  if (state.kind === "failed")
    return (
      <span className="at-end">
        <Chip kind="bad">Not transcribed</Chip>
      </span>
    );
  if (state.kind === "pausing") return <Chip>Waiting</Chip>;
  if (state.kind !== "done" || state.language === "und") return undefined;
  if (isSample) return <Chip kind="ok">Free sample</Chip>;
  return state.cached ? <Chip kind="ok">Free: already transcribed</Chip> : <CostChip />;
}

/** Shows the cost of the reel, and how many transcriptions are left. */
function CostChip() {
  const usage = useOperation("getUsage", {}).data?.transcriptions;
  const left = usage === undefined ? "" : `, ${exactNumber(Math.max(0, usage.limit - usage.used))} left`;
  return <Chip>1 transcription{left}</Chip>;
}

/** Announced when it changes; errors announce themselves. */
function statusOf(job: Job): string {
  const { state } = job;
  if (isActive(job)) return "Transcribing";
  if (state.kind !== "done") return "";
  if (state.language === "und") return "No speech found";
  return `Transcribed${state.transcript ? `, ${counted(countWords(state.transcript), "word", "words")}` : ""}`;
}

interface Props {
  readonly language: string;
  readonly transcript: string | undefined;
  readonly scriptId: string | undefined;
  /** Progress of loading the script. */
  readonly script: { readonly error: CallError | null; readonly refetch: () => Promise<unknown> };
}

function JobResult({ language, transcript, scriptId, script: { error, refetch } }: Props) {
  if (transcript === "" || language === "und") return <Note icon="sound">No speech found. You weren’t charged.</Note>;
  if (error?.code === "notFound") return <p className="muted">You deleted it from your library.</p>;
  if (error) return <ErrorNote error={error} onRetry={() => void refetch()} />;
  if (scriptId === undefined) return <p className="muted">It’s in your library.</p>;
  return <AwaitedWords />;
}

interface Words {
  readonly text: string;
  readonly language: string;
  readonly draft?: string | undefined;
}

function wordsOf(state: Job["state"], transcript: string | undefined): Words | undefined {
  if (state.kind === "following") {
    const { passages = [], draft } = state;
    const language = draft?.language ?? passages.at(-1)?.language;
    return language === undefined
      ? undefined
      : { language, text: passages.map(({ text }) => text).join(" "), draft: draft?.text };
  }
  const isSaid = state.kind === "done" && state.language !== "und" && transcript;
  return isSaid ? { language: state.language, text: transcript } : undefined;
}

interface TroubleProps {
  readonly state: Extract<Job["state"], { kind: "failed" | "pausing" }>;
  readonly remove: ReactNode;
  readonly onRetry: () => void;
  /** Requests a rough draft in a language that is refused unless it is named. */
  readonly onDraft: (language: Language) => void;
}

function JobTrouble({ state, remove, onRetry, onDraft }: TroubleProps) {
  const usage = useOperation("getUsage", {}).data;
  const { kind, trouble } = state;
  const { text, ...look } = troubleText(trouble, usage);
  const { language } = draftOffer(trouble.message);
  return (
    <>
      <Note {...look} live>
        {text}
        {language !== undefined && " A rough draft uses 1 transcription."}
        {kind === "pausing" && <Countdown until={state.until} />}
        {trouble.reason === "platformRefused" && (
          <details>
            <summary className="semibold">Send it from your own browser</summary>
            <ExtensionSteps>
              <b>Transcribe</b>: open the reel on Instagram and choose Transcribe. The extension sends what your browser
              plays.
            </ExtensionSteps>
          </details>
        )}
      </Note>
      <span className="row wrap">
        {language !== undefined && (
          <Button size="small" onClick={() => onDraft(language)}>
            Draft in {languages[language]}
          </Button>
        )}
        {(kind === "pausing" || mayHelp(trouble, usage)) && (
          <Button size="small" onClick={onRetry}>
            {kind === "pausing" ? "Try now" : "Try again"}
          </Button>
        )}
        {remove}
      </span>
      {trouble.code === "limitReached" && usage && <UpgradeButtons plan={usage.plan} />}
    </>
  );
}

/** Not announced every second; the sentence before it is enough. */
function Countdown({ until }: { readonly until: number }) {
  const now = useNow();
  const left = Math.max(0, Math.ceil((until - now) / 1_000));
  return <span aria-live="off"> Retrying in {left < 60 ? `${left} s` : duration(left)}.</span>;
}

import { useState } from "react";
import { useOperation } from "../../api/use-operation.ts";
import { Button } from "../../components/button.tsx";
import { classNames } from "../../components/class-names.ts";
import { Chip } from "../../components/chip.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Cue } from "../../components/cue/cue.tsx";
import { Handle } from "../../components/handle.tsx";
import { LinkButton } from "../../components/link-button.tsx";
import { duration } from "../../format/duration.ts";
import { languageName } from "../../format/language-name.ts";
import { counted } from "../../format/number.ts";
import { shownAddress } from "../../format/shown-address.ts";
import { countWords } from "../library/script/script-words.ts";
import type { Queue } from "./create-queue.ts";
import { JobProgress } from "./job-progress.tsx";
import { JobResult } from "./job-result.tsx";
import { JobWords, wordsOf } from "./job-words.tsx";
import { JobTrouble } from "./job-trouble.tsx";
import { isActive, isFinished, type Job } from "./job.ts";
import { useReels } from "./use-reel.ts";

/** One reel: how it goes, and what is said in it. */
export function JobCard({ job, queue }: { readonly job: Job; readonly queue: Queue }) {
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
  const deleted = script.error?.code === "notFound";
  const handle = reel?.author.handle ?? script.data?.account;
  const seconds = reel?.durationSeconds ?? script.data?.receipt.audioSeconds;
  const transcript = done?.transcript ?? script.data?.transcript;
  const words = wordsOf(state, transcript);
  const language = done?.language ?? words?.language;
  const facts = [language && languageName(language), seconds === undefined ? undefined : duration(seconds)]
    .filter(Boolean)
    .join(", ");
  const name = handle === undefined ? shownAddress(url) : `@${handle}`;
  const remove = (
    <Button kind="ghost" size="small" onClick={() => queue.remove(number)}>
      Remove
    </Button>
  );
  return (
    <article className={classNames("job-card", state.kind === "waiting" && "short")} aria-label={name}>
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
          {facts && <span className="meta">{facts}</span>}
          {done ? (
            <span className="job-outcome">
              <StateChip job={job} />
              <DoneActions words={transcript} scriptId={deleted ? undefined : done.scriptId} />
            </span>
          ) : (
            <StateChip job={job} />
          )}
          {state.kind === "waiting" && <span className="at-end">{remove}</span>}
        </div>
        <span className="visually-hidden" role="status">
          {statusOf(job)}
        </span>
        <JobWords state={state} transcript={transcript} arriving={awaited} />
        {(state.kind === "asking" || state.kind === "following") && (
          <JobProgress state={state} seconds={seconds} isSilent={words === undefined} />
        )}
        {state.kind === "pausing" && <JobTrouble trouble={state.trouble} until={state.until} />}
        {state.kind === "failed" && <JobTrouble trouble={state.trouble} />}
        {done && words === undefined && (
          <JobResult language={done.language} transcript={transcript} scriptId={done.scriptId} script={script} />
        )}
        {(state.kind === "failed" || state.kind === "pausing") && (
          <span className="row">
            {state.trouble.code !== "invalidRequest" && (
              <Button kind="quiet" size="small" onClick={() => queue.retry(number)}>
                {state.kind === "pausing" ? "Try now" : "Try again"}
              </Button>
            )}
            {remove}
            {state.trouble.code === "limitReached" && (
              <LinkButton kind="quiet" size="small" to="/usage">
                Usage and plan
              </LinkButton>
            )}
          </span>
        )}
      </div>
    </article>
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
        <LinkButton kind="quiet" size="small" to="/scripts/$scriptId" params={{ scriptId }}>
          Open
        </LinkButton>
      )}
    </span>
  );
}

function StateChip({ job: { state } }: { readonly job: Job }) {
  switch (state.kind) {
    case "failed":
      return (
        <span className="at-end">
          <Chip kind="bad">Not transcribed</Chip>
        </span>
      );
    case "waiting":
    case "pausing":
      return <Chip>Waiting</Chip>;
    case "done":
      if (state.language === "und") return undefined;
      return state.cached ? <Chip kind="ok">Free: already transcribed</Chip> : <Chip>1 transcription</Chip>;
    case "asking":
    case "following":
      return undefined;
  }
}

/** Read out when it changes; trouble speaks for itself. */
function statusOf({ state }: Job): string {
  switch (state.kind) {
    case "waiting":
      return "Waiting";
    case "asking":
    case "following":
      return "Transcribing";
    case "done":
      if (state.language === "und") return "No speech found";
      return `Transcribed${state.transcript ? `, ${counted(countWords(state.transcript), "word", "words")}` : ""}`;
    case "pausing":
    case "failed":
      return "";
  }
}

import type { Output } from "@reelscript/client/core";
import { useState } from "react";
import { useChange, useOperationPages } from "../../api/use-operation.ts";
import { Button } from "../../components/button.tsx";
import { Choice, optionsOf } from "../../components/field.tsx";
import { Chip, Moment } from "../../components/inline.tsx";
import { EmptyState, ErrorNote, Note, PendingLines } from "../../components/page.tsx";
import { showToast } from "../../components/toast.tsx";
import { counted, percent } from "../../format.ts";
import { SettingsRow } from "../settings/settings-tabs.tsx";
import { DecisionDialog } from "./decision-dialog.tsx";
import { MoreButton } from "./more-button.tsx";

type Work = Output<"listQueue">["transcriptions"][number];
type Decision =
  | { readonly kind: "retry" | "cancel"; readonly work: Work }
  | { readonly kind: "drain" | "resume"; readonly work?: undefined };

const states = optionsOf({ open: "Queued and running", failed: "Failed" });

export function QueuePart() {
  const [state, setState] = useState<"open" | "failed">("open");
  const [decision, setDecision] = useState<Decision>();
  const list = useOperationPages("listQueue", { state }, { staleTime: 0 });
  const [first] = list.data?.pages ?? [];
  const works = list.data?.pages.flatMap(({ transcriptions }) => transcriptions);
  return (
    <section className="stack" aria-label="Queue">
      <div className="row wrap">
        <Choice legend="State" className="choice" value={state} options={states} onChange={setState} />
        <div className="row wrap at-end">
          <Button busy={list.isFetching && list.data && "Loading…"} onClick={() => void list.refetch()}>
            Refresh
          </Button>
          {first && (
            <Button onClick={() => setDecision({ kind: first.drainedSince === null ? "drain" : "resume" })}>
              {first.drainedSince === null ? "Drain" : "Resume"}
            </Button>
          )}
        </div>
      </div>
      {first && first.drainedSince !== null && (
        <Note kind="warn" icon="pause">
          Workers claim nothing since <Moment at={first.drainedSince} />. Reels still enter the queue.
        </Note>
      )}
      <ErrorNote error={list.data ? undefined : list.error} onRetry={() => void list.refetch()} />
      {works === undefined && !list.error && <PendingLines count={5} label="Loading the queue" />}
      {first && first.length > 0 && <p className="meta">{counted(first.length, "reel", "reels")} in the queue.</p>}
      {works?.length === 0 && (
        <EmptyState title={state === "open" ? "The queue is empty" : "Nothing failed"}>
          {state === "open" ? "Reels that wait or run appear here." : "Of the last 10,000 transcriptions, none failed."}
        </EmptyState>
      )}
      {works && works.length > 0 && (
        <ul className="sessions" aria-label="Transcriptions">
          {works.map((work) => (
            <WorkRow key={work.id} work={work} onDecide={(kind) => setDecision({ kind, work })} />
          ))}
        </ul>
      )}
      <MoreButton list={list} />
      {decision && <QueueDialog decision={decision} onClose={() => setDecision(undefined)} />}
    </section>
  );
}

interface RowProps {
  readonly work: Work;
  readonly onDecide: (kind: "retry" | "cancel") => void;
}

function WorkRow({ work, onDecide }: RowProps) {
  const { id, state, accountId, url, queuedAt, attempt, resumeAt } = work;
  const isOpen = state !== "failed";
  return (
    <SettingsRow
      name={
        <bdi dir="ltr" className="breaks-anywhere">
          {url}
        </bdi>
      }
      state={<WorkState work={work} />}
      facts={
        <>
          <span>
            Queued: <Moment at={queuedAt} />
          </span>
          <span>Tries: {attempt}</span>
          <span className="breaks-anywhere">{accountId ?? "Account gone"}</span>
          <span className="breaks-anywhere">{id}</span>
        </>
      }
    >
      <div className="row wrap">
        {(resumeAt !== null || !isOpen) && (
          <Button size="small" onClick={() => onDecide("retry")}>
            Retry<span className="visually-hidden"> {id}</span>
          </Button>
        )}
        {isOpen && (
          <Button size="small" kind="danger" onClick={() => onDecide("cancel")}>
            Cancel<span className="visually-hidden"> {id}</span>
          </Button>
        )}
      </div>
    </SettingsRow>
  );
}

function WorkState({ work: { state, progress, resumeAt, failure } }: { readonly work: Work }) {
  if (state === "failed") return <Chip kind="bad">{failure ?? "failed"}</Chip>;
  if (state === "running") return <Chip kind="ok">Running, {percent(progress * 100, 0)}</Chip>;
  if (resumeAt === null) return <Chip>Queued</Chip>;
  return (
    <Chip kind="warn">
      Tries again <Moment at={resumeAt} style="log" />
    </Chip>
  );
}

const stale = ["listQueue", "getServiceStatus", "listAudit"] as const;

const words = {
  retry: {
    title: "Retry this transcription?",
    about: "One that waits may be taken by any worker now. One that failed starts again for its account and its key.",
    action: "Retry",
    busy: "Retrying…",
    done: "In the queue again",
  },
  cancel: {
    title: "Cancel this transcription?",
    about: "The transcription ends, the account sees why, and gets its unit back.",
    action: "Cancel it",
    busy: "Canceling…",
    done: "Canceled. Its unit is returned.",
  },
  drain: {
    title: "Drain the queue?",
    about: "Workers finish what they have, and claim nothing more until you resume. Reels still enter the queue.",
    action: "Drain",
    busy: "Draining…",
    done: "Workers claim nothing more",
  },
  resume: {
    title: "Resume the queue?",
    about: "Workers claim reels again.",
    action: "Resume",
    busy: "Resuming…",
    done: "Workers claim again",
  },
} as const;

function QueueDialog({ decision, onClose }: { readonly decision: Decision; readonly onClose: () => void }) {
  const { done, ...question } = words[decision.kind];
  const onDone = (): void => {
    onClose();
    showToast(done);
  };
  const retry = useChange("retryQueued", { stale, onDone });
  const cancel = useChange("cancelQueued", { stale, onDone });
  const drain = useChange("drainQueue", { stale, onDone });
  const resume = useChange("resumeQueue", { stale, onDone });
  const change = { retry, cancel, drain, resume }[decision.kind];
  const decide = (reason: string): void => {
    switch (decision.kind) {
      case "retry":
        return retry.mutate({ id: decision.work.id, reason });
      case "cancel":
        return cancel.mutate({ id: decision.work.id, reason });
      case "drain":
        return drain.mutate({ reason });
      case "resume":
        return resume.mutate({ reason });
    }
  };
  return (
    <DecisionDialog
      {...question}
      kind={decision.kind === "cancel" ? "danger" : "ink"}
      change={change}
      onDecide={decide}
      onClose={onClose}
    />
  );
}

import { useMutation } from "@tanstack/react-query";
import type { Output } from "@reelscript/client/core";
import { useId, useState, type ReactNode } from "react";
import { call } from "../../../api/call.ts";
import { useChange, useOperation } from "../../../api/use-operation.ts";
import { Button } from "../../../components/button.tsx";
import { downloadFile } from "../../../components/download-file.ts";
import { Moment } from "../../../components/inline.tsx";
import { ErrorNote, Note } from "../../../components/page.tsx";
import { exactNumber } from "../../../format.ts";
import { csv, draftableLinks, languages, scriptCsvColumns, waitSentence } from "@reelscript/contract/values";
import { UpgradeButtons } from "../../usage/upgrade-buttons.tsx";
import { troubleText } from "../trouble-text.ts";
import { BatchRows } from "./batch-rows.tsx";
import { batchSentence } from "./batch-text.ts";

type ListedBatch = Output<"listBatches">["batches"][number];
type BatchLink = Output<"getBatch">["links"][number];

/** A stopped service is noticed by the next poll. */
const everyMilliseconds = 2_000;
const changed = ["listBatches", "getBatch"] as const;

interface Props {
  readonly batch: ListedBatch;
  readonly isShownFirst: boolean;
}

export function BatchCard({ batch, isShownFirst }: Props) {
  const { id, counts, status, createdAt } = batch;
  const heading = useId();
  const isOpen = status === "open";
  const [isShown, show] = useState<boolean>();
  const showsLinks = isShown ?? (isOpen || isShownFirst);
  const { data, error, refetch } = useOperation(
    "getBatch",
    { id },
    {
      enabled: showsLinks || counts.failed > 0,
      refetchInterval: isOpen && showsLinks && everyMilliseconds,
      // The next poll is the retry.
      ...(isOpen && { retry: false }),
    },
  );
  const links = data?.links ?? [];
  const ended = counts.done + counts.failed + counts.canceled;
  const wait = waitSentence(batch);
  return (
    <article className="card stack batch" aria-labelledby={heading}>
      <div className="row wrap">
        <h3 id={heading} className="grow">
          {batchSentence(batch)}
        </h3>
        <span className="meta">
          <Moment at={createdAt} />
        </span>
      </div>
      {isOpen && (
        <>
          <span
            className="meter voice"
            role="progressbar"
            aria-label="Reels transcribed"
            aria-valuenow={ended}
            aria-valuemin={0}
            aria-valuemax={counts.total}
          >
            <i style={{ inlineSize: `${(ended / Math.max(1, counts.total)) * 100}%` }} />
          </span>
          <p className="meta">{wait && `${wait} `}You can close this page.</p>
        </>
      )}
      <BatchTrouble batch={batch} links={links} />
      <BatchActions batch={batch} links={links}>
        <Button size="small" kind="ghost" aria-expanded={showsLinks} onClick={() => show(!showsLinks)}>
          {showsLinks ? "Hide reels" : "Show reels"}
        </Button>
      </BatchActions>
      <ErrorNote error={data === undefined || isOpen ? error : null} onRetry={() => void refetch()}>
        {isOpen ? "Your reels continue when it’s back." : undefined}
      </ErrorNote>
      {showsLinks && links.length > 0 && <BatchRows links={links} />}
    </article>
  );
}

/** Says what exceeds the plan, and links directly to a larger one. */
function BatchTrouble({
  batch: { status },
  links,
}: {
  readonly batch: ListedBatch;
  readonly links: readonly BatchLink[];
}) {
  const usage = useOperation("getUsage", {}).data;
  const limited = links.filter(({ error }) => error?.code === "limitReached").length;
  if (status === "open" || limited === 0 || usage === undefined || hasRoom(usage)) return undefined;
  const { text } = troubleText({ code: "limitReached", reason: undefined, message: "" }, usage);
  return (
    <Note kind="bad" icon="gauge" actions={<UpgradeButtons plan={usage.plan} />}>
      {text}
    </Note>
  );
}

const hasRoom = ({ transcriptions: { used, limit } }: Output<"getUsage">): boolean => used < limit;

interface ActionsProps {
  readonly batch: ListedBatch;
  readonly links: readonly BatchLink[];
  readonly children: ReactNode;
}

function BatchActions({ batch: { id, counts, status }, links, children }: ActionsProps) {
  const usage = useOperation("getUsage", {}).data;
  const retry = useChange("retryBatch", { stale: changed });
  const cancel = useChange("cancelBatch", { stale: changed });
  const scripts = links.flatMap(({ scriptId }) => scriptId ?? []);
  const save = useMutation({ mutationFn: () => exportScripts(scripts) });
  const limited = links.filter(({ error }) => error?.code === "limitReached").length;
  const helped = usage && hasRoom(usage) ? counts.retryable : counts.retryable - limited;
  return (
    <>
      <ErrorNote error={retry.error ?? cancel.error ?? save.error} />
      <div className="row wrap">
        {status === "finished" && helped > 0 && (
          <Button size="small" busy={retry.isPending && "Retrying…"} onClick={() => retry.mutate({ id })}>
            {counts.failed > 0 ? "Retry failed" : "Continue"}
          </Button>
        )}
        {scripts.length > 0 && (
          <Button size="small" icon="download" busy={save.isPending && "Reading…"} onClick={() => save.mutate()}>
            Export these
          </Button>
        )}
        {counts.waiting > 0 && (
          <Button size="small" busy={cancel.isPending && "Canceling…"} onClick={() => cancel.mutate({ id })}>
            Cancel the rest
          </Button>
        )}
        <DraftButtons links={links} />
        {children}
      </div>
    </>
  );
}

/** Requests rough drafts of reels whose language is refused unless it is named. */
function DraftButtons({ links }: { readonly links: readonly BatchLink[] }) {
  const { mutate, isPending, isSuccess, error } = useChange("createBatch", { stale: ["listBatches", "getUsage"] });
  if (isSuccess) return undefined;
  return (
    <>
      {draftableLinks(links).map(({ language, urls }) => (
        <Button
          key={language}
          size="small"
          busy={isPending && "Sending…"}
          onClick={() => mutate({ urls: [...urls], languageHint: language })}
        >
          {urls.length === 1
            ? `Draft in ${languages[language]}`
            : `Draft ${exactNumber(urls.length)} in ${languages[language]}`}
        </Button>
      ))}
      <ErrorNote error={error} />
    </>
  );
}

const scriptsAtATime = 20;

async function exportScripts(ids: readonly string[]): Promise<void> {
  const scripts: Output<"searchMyScripts">["scripts"][number][] = [];
  for (let from = 0; from < ids.length; from += scriptsAtATime) {
    const input = { ids: ids.slice(from, from + scriptsAtATime).join(",") };
    // oxlint-disable-next-line no-await-in-loop -- keeps the order of the batch
    scripts.push(...(await call("searchMyScripts", input)).scripts);
  }
  downloadFile("batch.csv", new Blob([csv(scriptCsvColumns, scripts)], { type: "text/csv;charset=utf-8" }));
}

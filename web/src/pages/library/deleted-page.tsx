import { useState } from "react";
import { cutText, restorableDays } from "@reelscript/contract/values";
import type { Script } from "@reelscript/contract";
import { CallError } from "@reelscript/client/core";
import { useMutation } from "@tanstack/react-query";
import { call, refresh } from "../../api/call.ts";
import { counted, shortDate } from "../../format.ts";
import { useChange, useOperationPages } from "../../api/use-operation.ts";
import { Button } from "../../components/button.tsx";
import { Cue } from "../../components/cue.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { Handle, Moment } from "../../components/inline.tsx";
import { EmptyState, ErrorNote, PageHeader, PendingLines } from "../../components/page.tsx";
import { showToast } from "../../components/toast.tsx";

const stale = ["searchMyScripts", "listScriptAccounts", "countScriptKinds", "listTags"] as const;
/** More than fit in two lines, so that the end that is cut has an ellipsis. */
const shownCharacters = 400;

/** Restores what is deleted, page by page, and resolves to the number of restored scripts. */
async function restoreEverything(): Promise<number> {
  let restored = 0;
  for (;;) {
    const { scripts } = await call("searchMyScripts", { deleted: true, limit: 50 });
    if (scripts.length === 0) return restored;
    try {
      const { ids } = await call("restoreScripts", { ids: scripts.map(({ id }) => id) });
      if (ids.length === 0) return restored;
      restored += ids.length;
    } catch (error) {
      // Another tab restored them.
      if (error instanceof CallError && error.code === "notFound") return restored;
      throw error;
    }
  }
}

function RestoreAll() {
  const restoreAll = useMutation({
    mutationFn: restoreEverything,
    onSuccess: (count) => showToast(`${counted(count, "script", "scripts")} restored`),
    onSettled: () => refresh(...stale),
  });
  return (
    <>
      <Button icon="undo" busy={restoreAll.isPending && "Restoring…"} onClick={() => restoreAll.mutate()}>
        Restore all
      </Button>
      <ErrorNote error={restoreAll.error} />
    </>
  );
}

export function DeletedPage() {
  const pages = useOperationPages("searchMyScripts", { deleted: true, limit: 50 }, { staleTime: 0 });
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = pages;
  const restore = useChange("restoreScripts", { stale, onDone: () => showToast("Script restored") });
  const erase = useChange("eraseScripts", { stale, onDone: () => setErased(undefined) });
  const [erased, setErased] = useState<string>();
  const scripts = data?.pages.flatMap((page) => page.scripts) ?? [];
  return (
    <>
      <PageHeader
        title="Deleted scripts"
        sub={`You can restore a script for ${restorableDays} days.`}
        crumb={{ to: "/library", label: "Library", here: "Deleted" }}
      >
        {scripts.length > 1 && <RestoreAll />}
      </PageHeader>
      <ErrorNote error={data ? undefined : error} onRetry={() => void refetch()} />
      <ErrorNote error={restore.error?.code === "notFound" ? undefined : restore.error} />
      {data === undefined && !error && <PendingLines count={3} label="Loading deleted scripts" />}
      {data !== undefined && scripts.length === 0 && (
        <EmptyState title="Nothing is deleted" kind="ink" to="/library" action="Open the library">
          Scripts that you delete wait here for {restorableDays} days.
        </EmptyState>
      )}
      {scripts.length > 0 && (
        <ul className="script-rows deleted">
          {scripts.map((script) => (
            <DeletedRow
              key={script.id}
              script={script}
              isRestoring={restore.isPending && restore.variables.ids.includes(script.id)}
              onRestore={() => restore.mutate({ ids: [script.id] })}
              onErase={() => setErased(script.id)}
            />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <div className="show-more">
          <Button busy={isFetchingNextPage && "Loading…"} onClick={() => void fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
      {erased !== undefined && (
        <ConfirmDialog
          title="Delete this script now?"
          action="Delete now"
          busy="Deleting…"
          change={erase}
          onClose={() => setErased(undefined)}
          onConfirm={() => erase.mutate({ ids: [erased] })}
        >
          Nobody can restore it after that. Its corrections are lost.
        </ConfirmDialog>
      )}
    </>
  );
}

/** today, Nov 14 */
const dayPast = (at: string): string =>
  new Date(at).toDateString() === new Date().toDateString() ? "today" : shortDate(at);

/** 30 days left; less than a day left */
function daysLeft(until: string): string {
  const days = Math.round((Date.parse(until) - Date.now()) / 86_400_000);
  return days < 1 ? "less than a day left" : `${counted(days, "day", "days")} left`;
}

interface RowProps {
  readonly script: Script;
  readonly isRestoring: boolean;
  readonly onRestore: () => void;
  readonly onErase: () => void;
}

function DeletedRow({ script, isRestoring, onRestore, onErase }: RowProps) {
  const { reelUrl, account, transcript, language, deletedAt = "", restorableUntil = "" } = script;
  return (
    <li>
      <Cue id={reelUrl} text={transcript} lang={language} />
      <div>
        <p className="words clamped" lang={language} dir="auto">
          {cutText(transcript, shownCharacters) || "No speech in this reel"}
        </p>
        <p className="meta row wrap">
          {account !== undefined && (
            <b>
              <Handle name={account} />
            </b>
          )}
          <span>
            Deleted <Moment at={deletedAt}>{dayPast(deletedAt)}</Moment>,{" "}
            <Moment at={restorableUntil}>{daysLeft(restorableUntil)}</Moment>
          </span>
        </p>
      </div>
      <div className="row wrap">
        <Button size="small" busy={isRestoring && "Restoring…"} onClick={onRestore}>
          Restore
        </Button>
        <Button kind="ghost" size="small" onClick={onErase}>
          Delete now
        </Button>
      </div>
    </li>
  );
}

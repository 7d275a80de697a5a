import { getRouteApi } from "@tanstack/react-router";
import type { ApiError } from "../../../api/api-error.ts";
import { useOperation } from "../../../api/use-operation.ts";
import { Button } from "../../../components/button.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorNote } from "../../../components/error-note.tsx";
import { Handle } from "../../../components/handle.tsx";
import { LinkButton } from "../../../components/link-button.tsx";
import { PageHeader } from "../../../components/page-header.tsx";
import { undoDeletion } from "../pending-deletions.ts";
import { ScriptSide } from "./script-side.tsx";
import { ScriptSkeleton } from "./script-skeleton.tsx";
import { titleOf } from "./script-words.ts";
import { segmentAt } from "./segment-at.ts";
import { SilentReel } from "../silent-reel.tsx";
import { Transcript } from "./transcript.tsx";
import { momentAt, wordMoments } from "./word-moments.ts";
import { useDeleteScripts, usePendingDeletions } from "../use-delete-scripts.ts";

const route = getRouteApi("/shell/scripts/$scriptId");
const crumb = { to: "/library", label: "Library" };

export function ScriptPage() {
  const { scriptId } = route.useParams();
  const { query, t } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: script, error, refetch } = useOperation("getScript", { id: scriptId, words: true });
  const deleteScripts = useDeleteScripts();
  const deleted = usePendingDeletions().has(scriptId);

  if (deleted) return <DeletedScript scriptId={scriptId} />;
  if (script === undefined)
    return error ? <MissingScript error={error} onRetry={() => void refetch()} /> : <ScriptSkeleton />;

  const { account, language, segments, transcript } = script;
  const current = segmentAt(segments, t);
  const said = transcript !== "";
  const momentOf = wordMoments(script);
  return (
    <>
      <PageHeader
        title={said ? titleOf(transcript) : "No speech in this reel"}
        lang={said ? language : undefined}
        crumb={{ ...crumb, here: account === undefined ? undefined : <Handle name={account} /> }}
      />
      <div className="script">
        <ScriptSide
          script={script}
          current={current}
          at={current === undefined || t === undefined ? undefined : momentAt(script, { current, t, query, momentOf })}
          query={query}
          onDelete={() => {
            deleteScripts([scriptId]);
            void navigate({ to: "/library" });
          }}
        />
        {said ? (
          <Transcript
            key={scriptId}
            script={script}
            current={current}
            query={query}
            momentOf={momentOf}
            onChoose={(second) =>
              void navigate({ search: (before) => ({ ...before, t: second }), replace: true, resetScroll: false })
            }
          />
        ) : (
          <SilentReel script={script} />
        )}
      </div>
    </>
  );
}

function DeletedScript({ scriptId }: { readonly scriptId: string }) {
  return (
    <>
      <PageHeader title="Script" crumb={crumb} />
      <EmptyState
        title="This script is deleted"
        action={
          <Button kind="quiet" icon="undo" onClick={() => undoDeletion(scriptId)}>
            Undo
          </Button>
        }
      >
        Transcribe the reel again to restore it for free.
      </EmptyState>
    </>
  );
}

interface MissingProps {
  readonly error: ApiError;
  readonly onRetry: () => void;
}

function MissingScript({ error, onRetry }: MissingProps) {
  return (
    <>
      <PageHeader title="Script" crumb={crumb} />
      {error.code === "notFound" ? (
        <EmptyState
          title="This script is not in the library"
          action={<LinkButton to="/library">Open the library</LinkButton>}
        >
          It was deleted, or it belongs to someone else’s library.
        </EmptyState>
      ) : (
        <ErrorNote error={error} onRetry={onRetry} />
      )}
    </>
  );
}

import { getRouteApi } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { CallError, Output } from "@reelscript/client/core";
import { OpenScriptContext, useOpenScript } from "./open-script.ts";
import { useKeptDraft } from "../../../api/kept-drafts.ts";
import { useOperation } from "../../../api/use-operation.ts";
import { Button } from "../../../components/button.tsx";
import { Cue } from "../../../components/cue.tsx";
import { EmptyState, ErrorNote, PageHeader } from "../../../components/page.tsx";
import { Handle, Moment } from "../../../components/inline.tsx";
import { deleteScripts, undoDeletion, usePendingDeletions } from "../delete-scripts.ts";
import { ScriptSide } from "./script-side.tsx";
import { beginningOf, filePlatform } from "@reelscript/contract/values";
import { momentAsked, momentsOf, placeOfLine } from "./script-moments.ts";
import { ScriptActions } from "./script-actions.tsx";
import type { CorrectionDraft } from "./correction/use-save-correction.ts";
import { isTooLong, Transcript, type Mode } from "./transcript.tsx";
import { useMedia } from "../../../components/use-media.ts";
import { usePlayer } from "./player.tsx";
import { TranscribeAgain } from "./transcript-notes.tsx";

const crumb = { to: "/library", label: "Library" };
const widths = ["50%", "86%", "74%", "60%", "90%", "40%", "70%", "82%"];

function ScriptSkeleton() {
  const isNarrow = useMedia("(max-width: 820px)");
  return (
    <>
      <PageHeader
        title="Script"
        crumb={crumb}
        picture={isNarrow && <span className="cue blank" aria-hidden="true" />}
        titleContent={
          <>
            <span className="visually-hidden">Script</span>
            <span className="skeleton-bar title" aria-hidden="true" />
          </>
        }
      />
      <div className="script" role="status" aria-label="Loading the script">
        {!isNarrow && (
          <div className="left stack" aria-hidden="true">
            <span className="skeleton-bar card" />
          </div>
        )}
        <div className="stack" aria-hidden="true">
          {widths.map((width, index) => (
            <span key={index} className="skeleton-bar" style={{ width }} />
          ))}
        </div>
      </div>
    </>
  );
}

const route = getRouteApi("/shell/scripts/$scriptId");

export function ScriptPage() {
  const { scriptId } = route.useParams();
  const { data: script, error, refetch } = useOperation("getScript", { id: scriptId, words: true });
  const deleted = usePendingDeletions().has(scriptId);

  if (deleted) return <DeletedScript scriptId={scriptId} />;
  if (script === undefined)
    return error ? <MissingScript error={error} onRetry={() => void refetch()} /> : <ScriptSkeleton />;

  return <LoadedScript key={scriptId} script={script} />;
}

function LoadedScript({ script }: { readonly script: Output<"getScript"> }) {
  // The library search that led here, and the second in the address.
  const { query, t } = route.useSearch();
  const navigate = route.useNavigate();
  const { id, account, language, transcript, platform, caption, reelUrl, segments } = script;
  const isFile = platform === filePlatform;
  const moments = useMemo(() => momentsOf(script), [script]);
  const linkedMoment = momentAsked(script, moments, { t, query });
  const player = usePlayer(script, moments, linkedMoment?.at);
  const said = transcript !== "";
  const isNarrow = useMedia("(max-width: 820px)");
  const moment = player.moment ?? linkedMoment?.moment;
  const choose = (second: number): void => {
    player.seek(second);
    void navigate({ search: (before) => ({ ...before, t: second }), replace: true, resetScroll: false });
  };
  return (
    <>
      <PageHeader
        title={isFile && caption !== undefined ? caption : said ? beginningOf(transcript) : "No speech in this reel"}
        lang={said && !isFile ? language : undefined}
        crumb={{ ...crumb, here: account === undefined ? undefined : <Handle name={account} /> }}
        // On phones the words come first, and the reel is beside its title.
        picture={
          isNarrow && <Cue id={reelUrl} text={transcript} lang={language} hit={placeOfLine(segments, moment?.line)} />
        }
      />
      <OpenScriptContext value={{ script, moments, current: moment, query, player, choose }}>
        <ScriptBody
          at={linkedMoment?.at}
          onDelete={() => {
            deleteScripts([id]);
            void navigate({ to: "/library" });
          }}
        />
      </OpenScriptContext>
    </>
  );
}

interface BodyProps {
  /** The second at which playback begins. */
  readonly at: number | undefined;
  readonly onDelete: () => void;
}

/** On phones the transcript comes first and the actions are a bar at the bottom; the keyboard follows the visual order. */
function ScriptBody({ at, onDelete }: BodyProps) {
  const { script } = useOpenScript();
  const [draft] = useKeptDraft<CorrectionDraft>("corrections", script.id);
  const [selectedMode, setMode] = useState<Mode>();
  const [corrected, setCorrected] = useState(false);
  const isNarrow = useMedia("(max-width: 820px)");
  const said = script.transcript !== "";
  const mode = selectedMode ?? (draft ? "correct" : "read");
  const actions = said && mode !== "correct" && (
    <ScriptActions
      key="actions"
      takeFocus={corrected}
      onCorrect={isTooLong(script) ? undefined : () => setMode("correct")}
    />
  );
  const side = <ScriptSide key="side" at={at} />;
  const transcript = said ? (
    <Transcript
      key="transcript"
      mode={mode}
      onMode={setMode}
      onCorrected={() => {
        setCorrected(true);
        setMode("read");
      }}
    />
  ) : (
    <SilentReel key="silent" />
  );
  return (
    <>
      {!isNarrow && actions}
      <div className="script">{isNarrow ? [transcript, side] : [side, transcript]}</div>
      <p className="script-end">
        <Button kind="ghost" size="small" icon="bin" onClick={onDelete}>
          Delete from library
        </Button>
      </p>
      {isNarrow && actions}
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
          <Button icon="undo" onClick={() => undoDeletion(scriptId)}>
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
  readonly error: CallError;
  readonly onRetry: () => void;
}

function MissingScript({ error, onRetry }: MissingProps) {
  return (
    <>
      <PageHeader title="Script" crumb={crumb} />
      {error.code === "notFound" ? (
        <EmptyState title="This script is not in the library" kind="ink" to="/library" action="Open the library">
          It was deleted, or it belongs to someone else’s library.
        </EmptyState>
      ) : (
        <ErrorNote error={error} onRetry={onRetry} />
      )}
    </>
  );
}

function SilentReel() {
  const { receipt, transcribedAt } = useOpenScript().script;
  return (
    <article className="stack" aria-label="Transcript">
      <EmptyState title="Only music, noise or silence" kind="ink" to="/transcribe" action="Transcribe another reel">
        You weren’t charged. Checked {transcribedAt && <Moment at={transcribedAt} style="long" />} by{" "}
        <bdi>{receipt.model}</bdi>.
      </EmptyState>
      <TranscribeAgain />
    </article>
  );
}

import type { BioPage } from "@reelscript/contract";
import { Moment } from "../../components/moment.tsx";
import { showToast } from "../../components/toast.tsx";
import { counted } from "../../format/number.ts";
import { Button } from "../../components/button.tsx";
import { Note } from "../../components/note.tsx";

interface Props {
  readonly page: BioPage;
  readonly changes: readonly string[];
  /** Fields that keep it from being published, once that was tried. */
  readonly problems: number;
  readonly isReverting: boolean;
  readonly onDiscard: () => void;
  readonly onUndoDiscard: () => void;
  readonly onRevert: () => void;
  readonly onShare: () => void;
}

/** One line, always in its place: how much is not published yet, which opens, or when the page was published. */
export function DraftState({
  page,
  changes,
  problems,
  isReverting,
  onDiscard,
  onUndoDiscard,
  onRevert,
  onShare,
}: Props) {
  const discard = (): void => {
    onDiscard();
    showToast(`${counted(changes.length, "change was", "changes were")} discarded.`, { undo: onUndoDiscard });
  };
  return (
    <div className="draft-state meta">
      {problems === 0 && changes.length > 0 && (
        <details>
          <summary>{counted(changes.length, "unpublished change", "unpublished changes")}</summary>
          <ul>
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        </details>
      )}
      <p role="status">
        {problems > 0
          ? `Fix ${counted(problems, "field", "fields")} to publish.`
          : changes.length === 0 && page.updatedAt === null
            ? "Nothing is published yet."
            : undefined}
        {problems === 0 && changes.length === 0 && page.updatedAt !== null && (
          <>
            Last published: <Moment at={page.updatedAt} />
          </>
        )}
      </p>
      {page.handle !== null && page.revision > 0 && (
        <button type="button" className="link" onClick={onShare}>
          Share page
        </button>
      )}
      {changes.length > 0 ? (
        <button type="button" className="link" onClick={discard}>
          Discard
        </button>
      ) : (
        page.revision > 0 && (
          <button
            type="button"
            className="link"
            aria-disabled={isReverting}
            onClick={isReverting ? undefined : onRevert}
          >
            Undo last publish
          </button>
        )
      )}
    </div>
  );
}

interface ConflictProps {
  readonly theirs: BioPage;
  /** What they changed, and what is changed here. */
  readonly changed: readonly string[];
  readonly mine: readonly string[];
  readonly onTakeTheirs: () => void;
  readonly onKeepMine: () => void;
}

/** Somebody else, or another window, published while there are changes here. */
export function ConflictNote({ theirs, changed, mine, onTakeTheirs, onKeepMine }: ConflictProps) {
  return (
    <Note kind="warn" icon="warn" live>
      <div className="stack tight">
        <p>
          <b>The page was changed elsewhere</b>
          {theirs.updatedAt !== null && (
            <>
              {" "}
              (<Moment at={theirs.updatedAt} />)
            </>
          )}
          . Nothing of yours is lost.
        </p>
        <dl className="sides">
          <dt>There</dt>
          <dd dir="auto">{changed.join("; ") || "Nothing that differs now"}</dd>
          <dt>Here</dt>
          <dd dir="auto">{mine.join("; ")}</dd>
        </dl>
        <p className="meta">Your version wins where both changed.</p>
        <div className="row wrap">
          <Button kind="quiet" size="small" onClick={onKeepMine}>
            Keep mine
          </Button>
          <Button kind="quiet" size="small" onClick={onTakeTheirs}>
            Use the other version
          </Button>
        </div>
      </div>
    </Note>
  );
}

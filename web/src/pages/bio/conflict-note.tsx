import type { BioPage } from "@reelscript/contract";
import { Button } from "../../components/button.tsx";
import { Moment } from "../../components/moment.tsx";
import { Note } from "../../components/note.tsx";

interface Props {
  readonly theirs: BioPage;
  /** What they changed, and what is changed here. */
  readonly changed: readonly string[];
  readonly mine: readonly string[];
  readonly onTakeTheirs: () => void;
  readonly onKeepMine: () => void;
}

/** Somebody else, or another window, published while there are changes here. */
export function ConflictNote({ theirs, changed, mine, onTakeTheirs, onKeepMine }: Props) {
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

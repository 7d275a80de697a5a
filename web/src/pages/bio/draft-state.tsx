import type { BioPage } from "@reelscript/contract";
import { useState } from "react";
import { Moment } from "../../components/inline.tsx";
import { showToast } from "../../components/toast.tsx";
import { counted } from "../../format.ts";
import { Button } from "../../components/button.tsx";
import { Note } from "../../components/page.tsx";
import { changesInWords } from "./draft/changes-between.ts";
import { contentOf } from "./draft/content.ts";
import type { BioEditor } from "./use-bio-editor.ts";

interface Props {
  readonly page: BioPage;
  readonly bio: BioEditor;
  /** Before the first publication everything is a draft, which is kept in any case. */
  readonly isStarting: boolean;
  readonly onShare: () => void;
}

export function DraftState({ page, bio, isStarting, onShare }: Props) {
  const { editor, dispatch, changes, theirs, isReverting } = bio;
  const { content } = editor;
  if (theirs !== undefined) return <ConflictNote theirs={theirs} bio={bio} />;
  if (isStarting && !editor.strict) return undefined;
  const problems = editor.strict ? editor.problems.size : 0;
  const discard = (): void => {
    dispatch({ kind: "discard" });
    showToast(`${counted(changes.length, "change was", "changes were")} discarded.`, {
      undo: () => bio.restore(content),
    });
  };
  return (
    <div className="draft-state meta row wrap">
      {problems === 0 && changes.length > 0 && (
        <details>
          <summary>{counted(changes.length, "unpublished change", "unpublished changes")}</summary>
          <ul className="points">
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
            onClick={isReverting ? undefined : bio.revert}
          >
            Undo last publish
          </button>
        )
      )}
    </div>
  );
}

/** Lists three names at most. */
const shownAtOnce = 3;

function ChangeNames({ names }: { readonly names: readonly string[] }) {
  const [visibleCount, setVisibleCount] = useState(shownAtOnce);
  const left = names.length - visibleCount;
  return (
    <>
      <bdi>{names.slice(0, visibleCount).join(", ")}</bdi>
      {left > 0 && (
        <>
          {" "}
          <button type="button" className="link" onClick={() => setVisibleCount(visibleCount + shownAtOnce)}>
            and {left} more
          </button>
        </>
      )}
    </>
  );
}

function ConflictNote({ theirs, bio }: { readonly theirs: BioPage; readonly bio: BioEditor }) {
  const { content, published } = bio.editor;
  const changed = changesInWords(published, contentOf(theirs));
  const mine = changesInWords(published, content);
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
          <dt className="muted">There</dt>
          <dd>{changed.length === 0 ? "Nothing that differs now" : <ChangeNames names={changed} />}</dd>
          <dt className="muted">Here</dt>
          <dd>
            <ChangeNames names={mine} />
          </dd>
        </dl>
        <p className="meta">Your version wins where both changed.</p>
        <div className="row wrap">
          <Button size="small" onClick={() => bio.dispatch({ kind: "keepMine" })}>
            Keep mine
          </Button>
          <Button size="small" onClick={() => bio.dispatch({ kind: "takeTheirs" })}>
            Use the other version
          </Button>
        </div>
      </div>
    </Note>
  );
}

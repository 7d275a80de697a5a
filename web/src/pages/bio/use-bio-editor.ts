import type { BioContent, BioPage } from "@reelscript/contract";
import { useEffect, useMemo, useReducer, useState } from "react";
import { changesBetween } from "./draft/changes-between.ts";
import { loadDraft } from "./draft/draft-storage.ts";
import { openEditor, reduceEditor } from "./draft/editor-state.ts";
import { problemsOf, type Problem } from "./draft/problems-of.ts";
import type { Editor } from "./editor-context.ts";
import { useKeptDraft } from "./use-kept-draft.ts";
import { usePublishing } from "./use-publishing.ts";
import { useUndoKeys } from "./use-undo-keys.ts";

/** The draft of a page: what it says, what may be done with it, and how it is published. */
export function useBioEditor(page: BioPage, accountId: string, onFirstPublished: () => void) {
  const [state, dispatch] = useReducer(reduceEditor, undefined, () => openEditor(page, loadDraft(accountId)));
  const [strict, setStrict] = useState(false);
  const { base, history, theirs } = state;
  const content = history.present;
  const changes = useMemo(() => changesBetween(base.content, content), [base.content, content]);
  const problems = useMemo(() => problemsOf(content), [content]);
  if (strict && problems.length === 0) setStrict(false);

  useEffect(() => dispatch({ kind: "arrived", page }), [page]);
  useKeptDraft(accountId, state);
  useUndoKeys(
    () => dispatch({ kind: "undo" }),
    () => dispatch({ kind: "redo" }),
  );

  const publishing = usePublishing({ accountId, base, content, dispatch, onFirstPublished });
  /** Gives back what is in the way, if something is. */
  const publish = (): Problem | undefined => {
    setStrict(problems.length > 0);
    if (problems.length > 0) return problems[0];
    publishing.publish();
    return undefined;
  };

  const editor = useMemo<Editor>(
    () => ({
      content,
      published: base.content,
      edit: (change, topic) => dispatch({ kind: "edit", change, topic }),
      problems: new Map(problems.map(({ field, message }) => [field, message])),
      strict,
    }),
    [content, base.content, problems, strict],
  );
  return {
    editor,
    dispatch,
    changes,
    revision: base.revision,
    theirs,
    /** The content as it was, put back as one step. */
    restore: (was: BioContent) => dispatch({ kind: "edit", change: () => was }),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    publish,
    isPublishing: publishing.isPublishing,
    revert: () => publishing.revert(base.revision - 1, base.revision),
    isReverting: publishing.isReverting,
    error: publishing.error,
  };
}

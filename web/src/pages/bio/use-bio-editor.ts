import type { BioContent, BioPage } from "@reelscript/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useReducer, useRef, useState } from "react";
import type { ApiError } from "../../api/api-error.ts";
import { useChange } from "../../api/use-change.ts";
import { operationQuery } from "../../api/use-operation.ts";
import { showToast } from "../../components/toast.ts";
import { changesBetween } from "./draft/changes-between.ts";
import { forgetDraft, loadDraft } from "./draft/draft-storage.ts";
import { openEditor, reduceEditor } from "./draft/editor-state.ts";
import { isSame } from "./draft/is-same.ts";
import { patchOf } from "./draft/patch-of.ts";
import { problemsOf, type Problem } from "./draft/problems-of.ts";
import type { Editor } from "./editor-context.ts";
import { useKeptDraft } from "./use-kept-draft.ts";
import { useUndoKeys } from "./use-undo-keys.ts";

const pageKey = operationQuery("getMyBioPage", {}).queryKey;

/** The draft of a page: what it says, what may be done with it, and how it is published. */
export function useBioEditor(page: BioPage, accountId: string) {
  const client = useQueryClient();
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

  const keep = (written: BioPage): void => {
    void client.cancelQueries({ queryKey: pageKey });
    client.setQueryData(pageKey, written);
    void client.invalidateQueries({ queryKey: ["getBioAnalytics"] });
  };
  const onError = async (error: ApiError): Promise<void> => {
    if (error.status !== 412) return;
    try {
      dispatch({
        kind: "refused",
        page: await client.fetchQuery({ ...operationQuery("getMyBioPage", {}), staleTime: 0 }),
      });
      // Told by the page that came.
      update.reset();
      back.reset();
    } catch {
      // The refusal stays in sight.
    }
  };
  const sent = useRef(content);
  const update = useChange("updateBioPage", {
    onDone: (written) => {
      // Before anybody hears of the new page, or it would look like somebody else's.
      dispatch({ kind: "published", sent: sent.current, page: written });
      // Also when the page was left meanwhile, unless there were more changes before that.
      if (isSame(loadDraft(accountId)?.draft, sent.current)) forgetDraft(accountId);
      keep(written);
      showToast("Published.", { undo: () => revert(base.revision, written.revision) });
    },
  });
  const back = useChange("revertBioPage", {
    onDone: (written, { ifRevision }) => {
      dispatch({ kind: "moved", page: written });
      keep(written);
      if (ifRevision === undefined) return;
      showToast("The page is as it was before.", { undo: () => revert(ifRevision, written.revision) });
    },
  });

  function revert(revision: number, ifRevision: number): void {
    update.reset();
    back.mutate({ revision, ifRevision }, { onError: (error) => void onError(error) });
  }
  /** Gives back what is in the way, if something is. */
  const publish = (): Problem | undefined => {
    setStrict(problems.length > 0);
    if (problems.length > 0) return problems[0];
    back.reset();
    sent.current = content;
    const patch = patchOf(base.content, content);
    update.mutate({ ...patch, ifRevision: base.revision }, { onError: (error) => void onError(error) });
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
    isPublishing: update.isPending,
    revert: () => revert(base.revision - 1, base.revision),
    isReverting: back.isPending,
    error: update.error ?? back.error,
  };
}

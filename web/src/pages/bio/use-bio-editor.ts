import type { BioPage } from "@reelscript/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useReducer, useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { useChange } from "../../api/use-change.ts";
import { operationQuery } from "../../api/use-operation.ts";
import { showToast } from "../../components/toast.ts";
import { changesBetween } from "./draft/changes-between.ts";
import { loadDraft } from "./draft/draft-storage.ts";
import { openEditor, reduceEditor } from "./draft/editor-state.ts";
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

  useEffect(() => dispatch({ kind: "arrived", page }), [page]);
  const forgetDraft = useKeptDraft(accountId, state);
  useUndoKeys(
    () => dispatch({ kind: "undo" }),
    () => dispatch({ kind: "redo" }),
  );

  const keep = (written: BioPage): void => {
    client.setQueryData(pageKey, written);
  };
  const onError = (error: ApiError): void => {
    if (error.status === 412) void client.invalidateQueries({ queryKey: pageKey });
  };
  const update = useChange("updateBioPage", {
    stale: ["getBioAnalytics"],
    onDone: (written) => {
      // Also when the page was left meanwhile; what is still not published is kept again by who is there.
      forgetDraft();
      keep(written);
    },
  });
  const back = useChange("revertBioPage", { stale: ["getBioAnalytics"], onDone: keep });

  const revert = (revision: number, ifRevision: number): void => {
    update.reset();
    back.mutate(
      { revision, ifRevision },
      {
        onSuccess: (written) => {
          dispatch({ kind: "moved", page: written });
          showToast("The page is as it was before.", { undo: () => revert(ifRevision, written.revision) });
        },
        onError,
      },
    );
  };
  /** Gives back what is in the way, if something is. */
  const publish = (): Problem | undefined => {
    setStrict(problems.length > 0);
    if (problems.length > 0) return problems[0];
    back.reset();
    const sent = content;
    update.mutate(
      { ...patchOf(base.content, sent), ifRevision: base.revision },
      {
        onSuccess: (written) => {
          dispatch({ kind: "published", sent, page: written });
          showToast("Published.", { undo: () => revert(base.revision, written.revision) });
        },
        onError,
      },
    );
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
  const failed = update.error ?? back.error;
  return {
    editor,
    dispatch,
    changes,
    revision: base.revision,
    theirs,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    publish,
    isPublishing: update.isPending,
    revert: () => revert(base.revision - 1, base.revision),
    isReverting: back.isPending,
    // What somebody else published is told by itself.
    error: failed?.status === 412 ? undefined : failed,
  };
}

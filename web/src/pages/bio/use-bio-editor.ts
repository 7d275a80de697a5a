import type { BioContent, BioPage } from "@reelscript/contract";
import { useEffect, useMemo, useReducer, useState, useRef, type Dispatch } from "react";
import { changesInWords, patchOf } from "./draft/changes-between.ts";
import { isSame, type SavedDraft } from "./draft/content.ts";
import {
  draftOf,
  openEditor,
  reduceEditor,
  isChanged,
  type EditorState,
  type EditorAction,
} from "./draft/editor-state.ts";
import { problemsOf, type Problem } from "./draft/problems-of.ts";
import type { Editor } from "./draft/editor-context.tsx";
import type { CallError } from "@reelscript/client/core";
import { keepDraft, keptDraft } from "../../api/kept-drafts.ts";
import { queryClient, refresh } from "../../api/call.ts";
import { useChange, operationQuery } from "../../api/use-operation.ts";
import { useWindowEvent } from "../../components/use-key.ts";
import { showToast } from "../../components/toast.tsx";

function useUndoKeys(undo: () => void, redo: () => void): void {
  useWindowEvent("keydown", (event) => {
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== "z" && key !== "y") || undoesItself(event.target))
      return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) redo();
    else undo();
  });
}

const unwritten: ReadonlySet<string> = new Set(["checkbox", "radio", "color", "button", "range"]);

const undoesItself = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && !unwritten.has(target.type));

/** The draft of a bio page: what it is, how to change it, and how to publish it. */
export interface BioEditor extends Publishing {
  readonly editor: Editor;
  readonly dispatch: Dispatch<EditorAction>;
  /** Names of the unpublished changes. */
  readonly changes: readonly string[];
  /** The revision of the published page on which the draft is based. */
  readonly revision: number;
  /** The page as somebody else published it meanwhile. */
  readonly theirs: EditorState["theirs"];
  /** Replaces the draft with an earlier version. */
  readonly restore: (was: BioContent) => void;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Publishes the draft and returns the problems if there are any. */
  readonly publish: () => Problem | undefined;
  /** Republishes the page as it was before the last publication. */
  readonly revert: () => void;
}

export function useBioEditor(page: BioPage, accountId: string, onFirstPublished: () => void): BioEditor {
  const [state, dispatch] = useReducer(reduceEditor, undefined, () => openEditor(page, savedDraft(accountId)));
  const [strict, setStrict] = useState(false);
  const { base, steps, at, theirs } = state;
  const content = draftOf(state);
  const changes = useMemo(() => changesInWords(base.content, content), [base.content, content]);
  const problems = useMemo(() => problemsOf(content), [content]);
  if (strict && problems.length === 0) setStrict(false);

  useEffect(() => dispatch({ kind: "arrived", page }), [page]);
  useKeptDraft(accountId, state);
  useUndoKeys(
    () => dispatch({ kind: "undo" }),
    () => dispatch({ kind: "redo" }),
  );

  const publishing = usePublishing({ accountId, base, content, dispatch, onFirstPublished });
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
    restore: (was) => dispatch({ kind: "edit", change: () => was }),
    canUndo: at > 0,
    canRedo: at < steps.length - 1,
    isPublishing: publishing.isPublishing,
    isReverting: publishing.isReverting,
    error: publishing.error,
    publish,
    revert: () => publishing.revert(base.revision - 1, base.revision),
  };
}

const savedDraft = (accountId: string): SavedDraft | undefined =>
  keptDraft("bio", accountId, "page") as SavedDraft | undefined;

/** Stores unpublished changes in the browser, so that leaving loses nothing; asks before leaving if storage is forbidden. */
function useKeptDraft(accountId: string, state: EditorState): void {
  useEffect(() => {
    const { base } = state;
    const draft: SavedDraft = { revision: base.revision, base: base.content, draft: draftOf(state) };
    const isKept = keepDraft("bio", accountId, "page", isChanged(state) ? draft : undefined);
    if (isKept || !isChanged(state)) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [accountId, state]);
}

const pageKey = operationQuery("getMyBioPage", {}).queryKey;

/** Notifies the browser's other tabs that the page was published. */
const channel = typeof BroadcastChannel === "function" ? new BroadcastChannel("bio-published") : undefined;

interface Options {
  readonly accountId: string;
  readonly base: EditorState["base"];
  readonly content: BioContent;
  readonly dispatch: Dispatch<EditorAction>;
  readonly onFirstPublished: () => void;
}

interface Publishing {
  readonly isPublishing: boolean;
  readonly isReverting: boolean;
  readonly error: CallError | null;
}

function usePublishing({ accountId, base, content, dispatch, onFirstPublished }: Options) {
  const keep = (written: BioPage): void => {
    void queryClient.cancelQueries({ queryKey: pageKey });
    queryClient.setQueryData(pageKey, written);
    void refresh("getBioAnalytics");
    channel?.postMessage(accountId);
  };
  useEffect(() => {
    const read = ({ data }: MessageEvent): void => {
      if (data === accountId) void refresh("getMyBioPage");
    };
    channel?.addEventListener("message", read);
    return () => channel?.removeEventListener("message", read);
  }, [accountId]);
  const onError = async ({ status }: CallError): Promise<void> => {
    if (status !== 412) return;
    try {
      await queryClient.fetchQuery({ ...operationQuery("getMyBioPage", {}), staleTime: 0 });
      // The refetched page already shows it.
      update.reset();
    } catch {
      // The error stays visible.
    }
  };
  const sentContent = useRef(content);
  const update = useChange("updateBioPage", {
    onDone: (written) => {
      // Runs before anybody sees the new page, or it would look like somebody else's.
      dispatch({ kind: "published", published: sentContent.current, page: written });
      // Also runs if somebody left the page meanwhile, unless they made more changes first.
      if (isSame(savedDraft(accountId)?.draft, sentContent.current)) keepDraft("bio", accountId, "page", undefined);
      keep(written);
      if (base.revision === 0) onFirstPublished();
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

  const publish = (): void => {
    back.reset();
    sentContent.current = content;
    const patch = patchOf(base.content, content);
    update.mutate({ ...patch, ifRevision: base.revision }, { onError: (error) => void onError(error) });
  };
  return {
    publish,
    isPublishing: update.isPending,
    revert,
    isReverting: back.isPending,
    error: update.error ?? back.error,
  };
}

import type { BioContent, BioPage } from "@reelscript/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, type Dispatch } from "react";
import type { ApiError } from "../../api/api-error.ts";
import { useChange } from "../../api/use-change.ts";
import { operationQuery } from "../../api/use-operation.ts";
import { showToast } from "../../components/toast/toast.ts";
import { forgetDraft, loadDraft } from "./draft/draft-storage.ts";
import type { EditorAction, EditorState } from "./draft/editor-state.ts";
import { isSame } from "./draft/is-same.ts";
import { patchOf } from "./draft/patch-of.ts";

const pageKey = operationQuery("getMyBioPage", {}).queryKey;

/** Tells the other tabs of this browser that the page was published. */
const channel = typeof BroadcastChannel === "function" ? new BroadcastChannel("bio-published") : undefined;

interface Options {
  readonly accountId: string;
  readonly base: EditorState["base"];
  readonly content: BioContent;
  readonly dispatch: Dispatch<EditorAction>;
  /** The page is public for the first time. */
  readonly onFirstPublished: () => void;
}

/** Puts the draft on the public page, and takes the page back to a revision. */
export function usePublishing({ accountId, base, content, dispatch, onFirstPublished }: Options) {
  const client = useQueryClient();
  const keep = (written: BioPage): void => {
    void client.cancelQueries({ queryKey: pageKey });
    client.setQueryData(pageKey, written);
    void client.invalidateQueries({ queryKey: ["getBioAnalytics"] });
    channel?.postMessage(accountId);
  };
  useEffect(() => {
    const read = ({ data }: MessageEvent): void => {
      if (data === accountId) void client.invalidateQueries({ queryKey: pageKey });
    };
    channel?.addEventListener("message", read);
    return () => channel?.removeEventListener("message", read);
  }, [accountId, client]);
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
    sent.current = content;
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

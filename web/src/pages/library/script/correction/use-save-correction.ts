import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { ApiError } from "../../../../api/api-error.ts";
import { call } from "../../../../api/call.ts";
import { operationQuery } from "../../../../api/use-operation.ts";
import { useChange } from "../../../../api/use-change.ts";
import { showToast } from "../../../../components/toast/toast.ts";
import { draftOf, rebased, type CorrectionDraft } from "./correction-draft.ts";

/** What shows words of scripts. */
export const staleByCorrection = ["getScript", "getScriptCorrection", "searchMyScripts", "listReportHooks"] as const;

/** Saves a draft, and can take that back. When somebody else saved meanwhile, both are put together for another look. */
export function useSaveCorrection(id: string, onDraft: (draft: CorrectionDraft) => void, onSaved: () => void) {
  const client = useQueryClient();
  const [conflict, setConflict] = useState<"merged" | "replaced">();
  const [error, setError] = useState<Error>();
  const done = useRef(false);
  const takeBack = useTakeBack(id);
  const { mutateAsync, isPending } = useChange("correctScript", { stale: staleByCorrection });

  async function settle(draft: CorrectionDraft): Promise<void> {
    const { queryKey, queryFn } = operationQuery("getScriptCorrection", { id });
    const latest = await client.fetchQuery({ queryKey, queryFn, staleTime: 0 });
    const both = rebased(draft, latest);
    setConflict(both === undefined ? "replaced" : "merged");
    if (both !== undefined) onDraft(both);
  }

  async function save(draft: CorrectionDraft): Promise<void> {
    setError(undefined);
    setConflict(undefined);
    try {
      const saved = await mutateAsync({ id, ifVersion: draft.base.version, texts: [...draft.texts] });
      done.current = true;
      showToast("Transcript corrected", { undo: () => takeBack(draftOf(draft.base).texts, saved.version) });
      onSaved();
    } catch (error_) {
      if (error_ instanceof ApiError && error_.reason === "staleRevision") await settle(draft).catch(setError);
      else setError(error_ as Error);
    }
  }

  return {
    save: (draft: CorrectionDraft) => void save(draft),
    isPending,
    error,
    conflict,
    /** Known before the page is drawn again. */
    isDone: () => done.current,
  };
}

/** Gives a script the texts that it had, unless somebody changed it meanwhile. */
export function useTakeBack(id: string): (texts: readonly string[], version: number) => void {
  const client = useQueryClient();
  return (texts, version) => {
    const refresh = () => Promise.all(staleByCorrection.map((name) => client.invalidateQueries({ queryKey: [name] })));
    call("correctScript", { id, ifVersion: version, texts: [...texts] })
      .catch(() => showToast("We couldn’t undo that. The transcript changed meanwhile.", { failed: true }))
      .then(refresh, refresh);
  };
}

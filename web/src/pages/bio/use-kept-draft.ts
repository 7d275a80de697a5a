import { useEffect } from "react";
import { forgetDraft, saveDraft } from "./draft/draft-storage.ts";
import { isChanged, type EditorState } from "./draft/editor-state.ts";

/** Keeps what is not published in the browser, so that nothing is lost by leaving; asks before leaving where it keeps nothing. */
export function useKeptDraft(accountId: string, state: EditorState): void {
  useEffect(() => {
    const { base, history } = state;
    if (!isChanged(state)) {
      forgetDraft(accountId);
      return undefined;
    }
    if (saveDraft(accountId, { revision: base.revision, base: base.content, draft: history.present })) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [accountId, state]);
}

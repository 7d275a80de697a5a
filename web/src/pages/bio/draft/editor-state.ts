import type { BioContent, BioPage } from "@reelscript/contract";
import { contentOf } from "./content.ts";
import type { SavedDraft } from "./draft-storage.ts";
import { begin, mapHistory, record, redo, undo, type History } from "./history.ts";
import { isSame } from "./is-same.ts";
import { rebase } from "./rebase.ts";

export interface EditorState {
  readonly base: { readonly revision: number; readonly content: BioContent };
  readonly history: History<BioContent>;
  /** The page as somebody else published it while there are changes here; undefined when nobody did. */
  readonly theirs: BioPage | undefined;
}

export type EditorAction =
  | { readonly kind: "edit"; readonly change: (content: BioContent) => BioContent; readonly topic?: string | undefined }
  | { readonly kind: "undo" | "redo" | "discard" | "takeTheirs" | "keepMine" }
  /** The service told the page as it is now. */
  | { readonly kind: "arrived"; readonly page: BioPage }
  /** The service refused to publish, because the page is another one meanwhile. */
  | { readonly kind: "refused"; readonly page: BioPage }
  | { readonly kind: "published"; readonly sent: BioContent; readonly page: BioPage }
  /** The page went to another revision on purpose. */
  | { readonly kind: "moved"; readonly page: BioPage };

const baseOf = (page: BioPage): EditorState["base"] => ({ revision: page.revision, content: contentOf(page) });

export const isChanged = ({ base, history }: EditorState): boolean => !isSame(base.content, history.present);

/** Begins with the page, and with what was not published the last time. */
export function openEditor(page: BioPage, saved: SavedDraft | undefined): EditorState {
  const base = baseOf(page);
  const fresh = begin(base.content);
  if (saved === undefined) return { base, history: fresh, theirs: undefined };
  if (saved.revision === page.revision) return { base, history: record(fresh, saved.draft), theirs: undefined };
  const old = { revision: saved.revision, content: saved.base };
  // An older page is one that was read before it was published the last time.
  const theirs = saved.revision < page.revision ? page : undefined;
  return { base: old, history: record(begin(saved.base), saved.draft), theirs };
}

export function reduceEditor(state: EditorState, action: EditorAction): EditorState {
  const { base, history, theirs } = state;
  switch (action.kind) {
    case "edit":
      return { ...state, history: record(history, action.change(history.present), action.topic) };
    case "undo":
      return { ...state, history: undo(history) };
    case "redo":
      return { ...state, history: redo(history) };
    case "discard":
      return { ...state, history: record(history, base.content) };
    case "arrived":
      if (action.page.revision <= base.revision) return state;
      return isChanged(state) ? { ...state, theirs: action.page } : moveTo(state, action.page, contentOf(action.page));
    case "refused":
      return { ...state, theirs: action.page };
    case "takeTheirs":
      return theirs === undefined ? state : moveTo(state, theirs, contentOf(theirs));
    case "keepMine":
      if (theirs === undefined) return state;
      return moveTo(state, theirs, rebase(base.content, history.present, contentOf(theirs)));
    case "moved":
      return moveTo(state, action.page, rebase(base.content, history.present, contentOf(action.page)));
    case "published":
      return settle(state, action.sent, action.page);
  }
}

const moveTo = ({ history }: EditorState, page: BioPage, content: BioContent): EditorState => ({
  base: baseOf(page),
  history: record(history, content),
  theirs: undefined,
});

/** The service has drawn ids for new links; steps back must know them too, or the links would lose their clicks. */
function settle({ history }: EditorState, sent: BioContent, page: BioPage): EditorState {
  const drawn = new Map(sent.links.map(({ id }, index) => [id, page.links[index]?.id ?? id]));
  const known = (content: BioContent): BioContent => ({
    ...content,
    links: content.links.map((link) => ({ ...link, id: drawn.get(link.id) ?? link.id })),
  });
  const base = baseOf(page);
  const mapped = mapHistory(history, known);
  const untouched = isSame(mapped.present, known(sent));
  return {
    base,
    history: untouched ? { ...mapped, present: base.content, topic: undefined } : mapped,
    theirs: undefined,
  };
}

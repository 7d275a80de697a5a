import type { BioContent, BioPage } from "@reelscript/contract";
import { isRecord } from "@reelscript/contract/values";
import { contentOf, isSame, type BioLink, type SavedDraft } from "./content.ts";

const mostSteps = 100;

export interface EditorState {
  readonly base: { readonly revision: number; readonly content: BioContent };
  /** The undo and redo history of drafts. */
  readonly steps: readonly BioContent[];
  /** The index of the visible draft in the history. */
  readonly at: number;
  /** Topic of the last step: consecutive letters typed in the same field are one step. */
  readonly topic: string | undefined;
  /** The page as somebody else published it while there were changes here; otherwise undefined. */
  readonly theirs: BioPage | undefined;
}

export const draftOf = ({ steps, at }: EditorState): BioContent => steps[at]!; // safe: `at` is always the index of a step

function record(state: EditorState, next: BioContent, topic?: string): EditorState {
  if (isSame(draftOf(state), next)) return state;
  const isSameStep = topic !== undefined && topic === state.topic;
  const before = state.steps.slice(0, isSameStep ? state.at : state.at + 1).slice(-mostSteps);
  return { ...state, steps: [...before, next], at: before.length, topic };
}

const move = (state: EditorState, by: number): EditorState => ({
  ...state,
  at: Math.min(Math.max(0, state.at + by), state.steps.length - 1),
  topic: undefined,
});

export type EditorAction =
  | { readonly kind: "edit"; readonly change: (content: BioContent) => BioContent; readonly topic?: string | undefined }
  | { readonly kind: "undo" | "redo" | "discard" | "takeTheirs" | "keepMine" }
  /** The service returned the page's current state. */
  | { readonly kind: "arrived"; readonly page: BioPage }
  | { readonly kind: "published"; readonly published: BioContent; readonly page: BioPage }
  /** The page was set to another revision on purpose. */
  | { readonly kind: "moved"; readonly page: BioPage };

const baseOf = (page: BioPage): EditorState["base"] => ({ revision: page.revision, content: contentOf(page) });

export const isChanged = (state: EditorState): boolean => !isSame(state.base.content, draftOf(state));

export function openEditor(page: BioPage, saved: SavedDraft | undefined): EditorState {
  // An older page was read before the latest publication.
  const isOther = saved !== undefined && saved.revision !== page.revision;
  const base = isOther ? { revision: saved.revision, content: saved.base } : baseOf(page);
  const theirs = isOther && saved.revision < page.revision ? page : undefined;
  const fresh = { base, steps: [base.content], at: 0, topic: undefined, theirs };
  return saved === undefined ? fresh : record(fresh, saved.draft);
}

export function reduceEditor(state: EditorState, action: EditorAction): EditorState {
  const { base, theirs } = state;
  switch (action.kind) {
    case "edit":
      return record(state, action.change(draftOf(state)), action.topic);
    case "undo":
      return move(state, -1);
    case "redo":
      return move(state, 1);
    case "discard":
      return record(state, base.content);
    case "arrived":
      if (action.page.revision <= base.revision) return state;
      return isChanged(state) ? { ...state, theirs: action.page } : moveTo(state, action.page, contentOf(action.page));
    case "takeTheirs":
      return theirs === undefined ? state : moveTo(state, theirs, contentOf(theirs));
    case "keepMine":
      return theirs === undefined ? state : rebaseOn(state, theirs);
    case "moved":
      return rebaseOn(state, action.page);
    case "published":
      return settle(state, action.published, action.page);
  }
}

const moveTo = (state: EditorState, page: BioPage, content: BioContent): EditorState => ({
  ...record(state, content),
  base: baseOf(page),
  theirs: undefined,
});

const rebaseOn = (state: EditorState, page: BioPage): EditorState =>
  moveTo(state, page, rebase(state.base.content, draftOf(state), contentOf(page)));

/** The service has generated ids for new links; earlier steps need them too, or the links would lose their clicks. */
function settle(state: EditorState, sentContent: BioContent, page: BioPage): EditorState {
  const drawn = new Map(sentContent.links.map(({ id }, index) => [id, page.links[index]?.id ?? id]));
  const withDrawnIds = (content: BioContent): BioContent => ({
    ...content,
    links: content.links.map((link) => ({ ...link, id: drawn.get(link.id) ?? link.id })),
  });
  const base = baseOf(page);
  const isUntouched = isSame(draftOf(state), sentContent);
  const steps = state.steps.map((step, index) =>
    isUntouched && index === state.at ? base.content : withDrawnIds(step),
  );
  return { ...state, base, steps, topic: isUntouched ? undefined : state.topic, theirs: undefined };
}

/**
 * Applies the changes between `base` and `mine` to `theirs`. If both changed the same field, mine wins. A link that one side
 * deleted stays deleted unless the other side changed it.
 */
export function rebase(base: BioContent, mine: BioContent, theirs: BioContent): BioContent {
  const merged = merge(base, mine, theirs) as BioContent; // safe: every field is of one of the three
  return { ...merged, links: mergeLinks(base.links, mine.links, theirs.links) };
}

function merge(base: unknown, mine: unknown, theirs: unknown): unknown {
  if (isSame(base, mine)) return theirs;
  if (!isRecord(base) || !isRecord(mine) || !isRecord(theirs)) return mine;
  return Object.fromEntries(Object.keys(mine).map((name) => [name, merge(base[name], mine[name], theirs[name])]));
}

function mergeLinks(base: readonly BioLink[], mine: readonly BioLink[], theirs: readonly BioLink[]): BioLink[] {
  if (isSame(base, mine)) return [...theirs];
  if (isSame(base, theirs)) return [...mine];
  const before = new Map(base.map((link) => [link.id, link]));
  const other = new Map(theirs.map((link) => [link.id, link]));
  const ownIds = new Set(mine.map(({ id }) => id));
  const ownLinks = mine.flatMap((link): BioLink[] => {
    const old = before.get(link.id);
    const now = other.get(link.id);
    if (old === undefined) return [link];
    if (now === undefined) return isSame(old, link) ? [] : [link];
    return [merge(old, link, now) as BioLink]; // safe: three of the same link
  });
  const added = theirs.filter(({ id }) => !ownIds.has(id) && !isSame(before.get(id), other.get(id)));
  return [...ownLinks, ...added];
}

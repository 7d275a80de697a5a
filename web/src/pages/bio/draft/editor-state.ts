import type { BioContent, BioPage } from "@reelscript/contract";
import { contentOf, isSame, isRecord, type BioLink, type SavedDraft } from "./content.ts";

const kept = 100;

interface History<Value> {
  readonly past: readonly Value[];
  readonly present: Value;
  readonly future: readonly Value[];
  /** What the last step was about; a next step about the same is one with it. */
  readonly topic: string | undefined;
}

export const begin = <Value>(present: Value): History<Value> => ({ past: [], present, future: [], topic: undefined });

/** A step; letters that are typed one after another into the same field (`topic`) make one. */
export function record<Value>(history: History<Value>, next: Value, topic?: string): History<Value> {
  if (isSame(history.present, next)) return history;
  const goesOn = topic !== undefined && topic === history.topic;
  const past = goesOn ? history.past : [...history.past, history.present].slice(-kept);
  return { past, present: next, future: [], topic };
}

export function undo<Value>({ past, present, future }: History<Value>): History<Value> {
  const before = past.at(-1);
  if (before === undefined) return { past, present, future, topic: undefined };
  return { past: past.slice(0, -1), present: before, future: [present, ...future], topic: undefined };
}

export function redo<Value>({ past, present, future }: History<Value>): History<Value> {
  const [after, ...rest] = future;
  if (after === undefined) return { past, present, future, topic: undefined };
  return { past: [...past, present], present: after, future: rest, topic: undefined };
}

const mapHistory = <Value>(history: History<Value>, change: (value: Value) => Value): History<Value> => ({
  past: history.past.map(change),
  present: change(history.present),
  future: history.future.map(change),
  topic: history.topic,
});

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

/**
 * What was changed between `base` and `mine`, on top of `theirs`. Where both changed the same field, mine stays. A link
 * that one side deleted stays deleted unless the other side changed it.
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
  const own = new Set(mine.map(({ id }) => id));
  const kept = mine.flatMap((link): BioLink[] => {
    const [old, now] = [before.get(link.id), other.get(link.id)];
    if (old === undefined) return [link];
    if (now === undefined) return isSame(old, link) ? [] : [link];
    return [merge(old, link, now) as BioLink]; // safe: three of the same link
  });
  const added = theirs.filter(({ id }) => !own.has(id) && !isSame(before.get(id), other.get(id)));
  return [...kept, ...added];
}

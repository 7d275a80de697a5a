import type { BioContent } from "@reelscript/contract";
import { createContext, use } from "react";

export interface Editor {
  readonly content: BioContent;
  readonly published: BioContent;
  /** Edits with the same `topic` one after another are one step to undo. */
  readonly edit: (change: (content: BioContent) => BioContent, topic?: string) => void;
  readonly problems: ReadonlyMap<string, string>;
  /** Shows every problem, also of fields that nobody has been in: publishing was tried. */
  readonly strict: boolean;
}

export const EditorContext = createContext<Editor | undefined>(undefined);

export function useEditor(): Editor {
  const editor = use(EditorContext);
  if (editor === undefined) throw new Error("there is no editor around this part");
  return editor;
}

export function focusField(name: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`)?.focus());
}

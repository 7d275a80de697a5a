import { useState } from "react";

export interface Selection {
  /** Of the scripts that are shown; `undefined` while nothing is being selected. */
  readonly selected: ReadonlySet<string> | undefined;
  readonly select: (ids: readonly string[]) => void;
  readonly end: () => void;
  /** What a row needs while scripts are selected. */
  readonly ofRow: (id: string) => { readonly isSelected: boolean; readonly onToggle: () => void } | undefined;
}

/** Which of the scripts that are shown are selected; one that the list doesn't show isn't counted. */
export function useSelection(shown: readonly string[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>();
  const selected = chosen && new Set(shown.filter((id) => chosen.has(id)));
  const select = (ids: readonly string[]): void => setChosen(new Set(ids));
  return {
    selected,
    select,
    end: () => setChosen(undefined),
    ofRow: (id) =>
      selected && {
        isSelected: selected.has(id),
        onToggle: () => select(selected.has(id) ? [...selected].filter((one) => one !== id) : [...selected, id]),
      },
  };
}

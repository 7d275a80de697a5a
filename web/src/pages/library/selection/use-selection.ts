import { useRef, useState } from "react";

export interface Selection {
  /** `undefined` while nothing is being selected. */
  readonly selected: ReadonlySet<string> | undefined;
  readonly select: (ids: readonly string[]) => void;
  /** Selects what was found, also what the list doesn't show yet. */
  readonly selectFound: (ids: readonly string[]) => void;
  readonly end: () => void;
  /** What a row needs while scripts are selected. */
  readonly ofRow: (id: string) => RowSelection | undefined;
}

export interface RowSelection {
  readonly isSelected: boolean;
  readonly onToggle: (isRange: boolean) => void;
}

interface Options {
  /** Ids that the list shows, in its order. */
  readonly shown: readonly string[];
  /** Names the search; what another one found isn't selected. */
  readonly search: string;
  readonly deleted: ReadonlySet<string>;
}

/** Which of the scripts that were found are selected. */
export function useSelection({ shown, search, deleted }: Options): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>();
  const [found, setFound] = useState<{ readonly search: string; readonly ids: readonly string[] }>();
  const anchor = useRef<string>(undefined);
  const beyond = found?.search === search ? found.ids.filter((id) => !deleted.has(id)) : [];
  const selected = chosen && new Set([...shown, ...beyond].filter((id) => chosen.has(id)));
  const select = (ids: readonly string[]): void => setChosen(new Set(ids));
  const toggle = (id: string, isRange: boolean, before: ReadonlySet<string>): void => {
    const [from, to] = [shown.indexOf(anchor.current ?? ""), shown.indexOf(id)];
    const range = isRange && from !== -1 ? shown.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
    anchor.current = id;
    select(before.has(id) ? [...before].filter((one) => !range.includes(one)) : [...before, ...range]);
  };
  return {
    selected,
    select,
    selectFound: (ids) => {
      setFound({ search, ids });
      select(ids);
    },
    end: () => setChosen(undefined),
    ofRow: (id) => selected && { isSelected: selected.has(id), onToggle: (isRange) => toggle(id, isRange, selected) },
  };
}

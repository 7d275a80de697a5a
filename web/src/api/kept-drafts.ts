import { useMemo, useState } from "react";
import { keep, parseKept } from "./browser-storage.ts";
import { useOperation } from "./use-operation.ts";

type Kept = readonly (readonly [name: string, draft: unknown])[];

const mostKept = 5;

type Kind = "bio" | "corrections" | "forms";

const storageName = (kind: Kind, accountId: string): string => `reelscript-${kind}-${accountId}`;

function read(storage: string): Kept {
  const kept = parseKept(storage);
  return Array.isArray(kept) ? (kept as Kept) : [];
}

export const keptDraft = (kind: Kind, accountId: string, name: string): unknown =>
  read(storageName(kind, accountId)).find(([kept]) => kept === name)?.[1];

/** Keeps the drafts that were written last; `undefined` removes one. Whether the browser could. */
export function keepDraft(kind: Kind, accountId: string, name: string, draft: unknown): boolean {
  const storage = storageName(kind, accountId);
  const others = read(storage).filter(([kept]) => kept !== name);
  const kept: Kept = draft === undefined ? others : [[name, draft] as const, ...others].slice(0, mostKept);
  return keep(storage, kept.length === 0 ? null : JSON.stringify(kept));
}

/** The state of a form, which survives a reload until it is as it began; without a name it doesn't. */
export function useKeptForm<Value>(name: string | undefined, initial: Value) {
  const accountId = useOperation("getSession", {}, { staleTime: Number.POSITIVE_INFINITY }).data?.account.id;
  const [typed, setTyped] = useState<Value>();
  const kept = useMemo(
    () => (accountId === undefined || name === undefined ? undefined : keptDraft("forms", accountId, name)),
    [accountId, name],
  );
  const set = (value: Value): void => {
    setTyped(value);
    const isInitial = JSON.stringify(value) === JSON.stringify(initial);
    if (accountId !== undefined && name !== undefined)
      keepDraft("forms", accountId, name, isInitial ? undefined : value);
  };
  return [typed ?? (kept as Value | undefined) ?? initial, set] as const;
}

import { useMemo, useState } from "react";
import { keep, parseKept } from "./browser-storage.ts";
import { useAccountId } from "./use-operation.ts";

type KeptDrafts = readonly (readonly [name: string, draft: unknown])[];

const mostKept = 5;

type Kind = "bio" | "corrections" | "forms";

const storageName = (kind: Kind, accountId: string): string => `reelscript-${kind}-${accountId}`;

function read(storage: string): KeptDrafts {
  const drafts = parseKept(storage);
  return Array.isArray(drafts) ? (drafts as KeptDrafts) : [];
}

export const keptDraft = (kind: Kind, accountId: string, name: string): unknown =>
  read(storageName(kind, accountId)).find(([draftName]) => draftName === name)?.[1];

/** Stores the most recent drafts; `undefined` removes one. Returns whether the browser could. */
export function keepDraft(kind: Kind, accountId: string, name: string, draft: unknown): boolean {
  const storage = storageName(kind, accountId);
  const others = read(storage).filter(([draftName]) => draftName !== name);
  const drafts: KeptDrafts = draft === undefined ? others : [[name, draft] as const, ...others].slice(0, mostKept);
  return keep(storage, drafts.length === 0 ? null : JSON.stringify(drafts));
}

/**
 * Returns the draft that was stored under a name when the page loaded, and a function that stores another and returns whether
 * the browser could.
 */
export function useKeptDraft<Draft>(kind: Kind, name: string | undefined) {
  const accountId = useAccountId();
  const storedDraft = useMemo(
    () => (accountId === undefined || name === undefined ? undefined : keptDraft(kind, accountId, name)),
    [kind, accountId, name],
  );
  const keep = (draft: Draft | undefined): boolean =>
    accountId !== undefined && name !== undefined && keepDraft(kind, accountId, name, draft);
  return [storedDraft as Draft | undefined, keep] as const;
}

/** The state of a form. It survives a reload unless it equals the initial state; without a name it is never stored. */
export function useKeptForm<Value>(name: string | undefined, initial: Value) {
  const [storedValue, keep] = useKeptDraft<Value>("forms", name);
  const [typed, setTyped] = useState<Value>();
  const set = (value: Value): void => {
    setTyped(value);
    keep(JSON.stringify(value) === JSON.stringify(initial) ? undefined : value);
  };
  return [typed ?? storedValue ?? initial, set] as const;
}

import { useSyncExternalStore } from "react";
import { isShownTo } from "./one-person.ts";

/** Whether something was typed into the page that is open, which a new document would lose. */
let typed = false;
/** What waits until the person is signed in again. */
let waiting: { readonly until: Promise<void>; readonly release: () => void } | undefined;
const listeners = new Set<() => void>();
const channel = typeof BroadcastChannel === "function" ? new BroadcastChannel("signed-in") : undefined;

export function watchTyping(): void {
  addEventListener("input", () => (typed = true), { capture: true });
  channel?.addEventListener("message", ({ data }) => {
    if (waiting === undefined) return;
    if (!isShownTo(data)) return location.reload();
    waiting.release();
    waiting = undefined;
    for (const listener of listeners) listener();
  });
}

/** Another page is open, and what was typed into the one before is saved or given up. */
export const forgetTyping = (): void => void (typed = false);

/** Resolves when the same person is signed in again in another tab; `undefined` where nothing would be lost by leaving. */
export function signedInAgain(): Promise<void> | undefined {
  if (waiting !== undefined) return waiting.until;
  if (!typed || channel === undefined || isShownTo(undefined)) return undefined;
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  waiting = { until, release: () => release() };
  for (const listener of listeners) listener();
  return until;
}

/** Says to other tabs who is signed in now. */
export const announceSignIn = (accountId: string): void => channel?.postMessage(accountId);

export const useSessionEnded = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting !== undefined,
  );

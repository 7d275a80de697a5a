import { createStore } from "./create-store.ts";
import { isShownTo } from "./one-person.ts";

/** True if something was typed into the open page, which a new document would lose. */
let typed = false;
/** Calls that wait until the person is signed in again. */
const waiting = createStore<{ readonly until: Promise<void>; readonly release: () => void } | undefined>(undefined);
const channel = typeof BroadcastChannel === "function" ? new BroadcastChannel("signed-in") : undefined;

export function watchTyping(): void {
  addEventListener("input", () => (typed = true), { capture: true });
  channel?.addEventListener("message", ({ data }) => {
    if (waiting.current() === undefined) return;
    if (!isShownTo(data)) return location.reload();
    waiting.current()?.release();
    waiting.set(undefined);
  });
}

/** Called when another page opens: text typed into the previous one has been saved or abandoned. */
export const forgetTyping = (): void => void (typed = false);

/** Resolves when the same person signs in again in another tab; `undefined` if leaving the page would lose nothing. */
export function signedInAgain(): Promise<void> | undefined {
  const before = waiting.current();
  if (before !== undefined) return before.until;
  if (!typed || channel === undefined || isShownTo(undefined)) return undefined;
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  waiting.set({ until, release: () => release() });
  return until;
}

export const announceSignIn = (accountId: string): void => channel?.postMessage(accountId);

export const useSessionEnded = (): boolean => waiting.useValue() !== undefined;

import { keep, readKept } from "./browser-storage.ts";

const key = "person";
/** The account whose data this document has shown. */
let currentAccount: string | undefined;

/** `undefined` until somebody's data has been shown. */
export const isShownTo = (accountId: unknown): boolean => currentAccount === accountId;

function lookAgain(): void {
  const now = readKept(key);
  if (currentAccount !== undefined && now !== undefined && now !== currentAccount) location.reload();
}

/**
 * Windows share the session. If somebody signs out or switches accounts in one window, the others would still show one person's
 * data and change another's. They reload instead.
 */
export function watchPerson(): void {
  addEventListener("storage", (event) => {
    if (event.key === key || event.key === null) lookAgain();
  });
  // Going back in the history may restore a document as it was left.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) lookAgain();
  });
}

/** Records whose document this is, as reported by the service. */
export function showPerson(accountId: string): void {
  const another = currentAccount !== undefined && currentAccount !== accountId;
  currentAccount = accountId;
  // If storage is forbidden, only the service's responses can reveal a change.
  if (readKept(key) !== accountId) keep(key, accountId);
  if (another) location.reload();
}

/** Records that nobody is signed in: the other windows notice, and so does this one when it is shown again. */
export const forgetPerson = (): void => void keep(key, null);

export function forgetAccount(accountId: string): void {
  forgetPerson();
  try {
    for (const storage of [localStorage, sessionStorage])
      for (const name of Object.keys(storage)) if (name.includes(accountId)) storage.removeItem(name);
  } catch {
    // In that case nothing was stored, either.
  }
}

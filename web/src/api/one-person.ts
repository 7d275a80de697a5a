import { keep, readKept } from "./browser-storage.ts";

const key = "person";
/** The account whose data this document has shown. */
let shown: string | undefined;

/** `undefined`: nobody's data was shown yet. */
export const isShownTo = (accountId: unknown): boolean => shown === accountId;

function lookAgain(): void {
  const now = readKept(key);
  if (shown !== undefined && now !== undefined && now !== shown) location.reload();
}

/**
 * Windows share the session: when somebody signs out or in with another account in one of them, the others would continue to
 * show one person's data and change another's. They reload instead.
 */
export function watchPerson(): void {
  addEventListener("storage", (event) => {
    if (event.key === key || event.key === null) lookAgain();
  });
  // The way back through the history may bring a document as it was left.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) lookAgain();
  });
}

/** Says who this document is of, as the service tells it. */
export function showPerson(accountId: string): void {
  const another = shown !== undefined && shown !== accountId;
  shown = accountId;
  // If storage is forbidden, only the service's own responses can show a change.
  if (readKept(key) !== accountId) keep(key, accountId);
  if (another) location.reload();
}

/** Nobody is signed in any more: the other windows notice, and so does this one if it is shown again. */
export const forgetPerson = (): void => void keep(key, null);

export function forgetAccount(accountId: string): void {
  forgetPerson();
  try {
    for (const storage of [localStorage, sessionStorage])
      for (const name of Object.keys(storage)) if (name.includes(accountId)) storage.removeItem(name);
  } catch {
    // Nothing was kept either.
  }
}

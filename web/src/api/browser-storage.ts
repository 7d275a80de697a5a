/** Storage of all windows, or of one. */
type Storage = "localStorage" | "sessionStorage";

/** Reads the value that this browser stores under a name: `null` if there is none, `undefined` if storage is forbidden. */
export function readKept(name: string, storage: Storage = "localStorage"): string | null | undefined {
  try {
    return globalThis[storage].getItem(name);
  } catch {
    return undefined;
  }
}

/** Parses JSON from `readKept`; `null` also if it isn't valid. */
export function parseKept(name: string, storage?: Storage): unknown {
  try {
    return JSON.parse(readKept(name, storage) ?? "null");
  } catch {
    return null;
  }
}

/** Stores a text, or deletes it with `null`. Returns whether the browser could. */
export function keep(name: string, text: string | null, storage: Storage = "localStorage"): boolean {
  try {
    if (text === null) globalThis[storage].removeItem(name);
    else globalThis[storage].setItem(name, text);
    return true;
  } catch {
    return false;
  }
}

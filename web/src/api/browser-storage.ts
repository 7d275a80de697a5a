/** Of all windows, or of one. */
type Storage = "localStorage" | "sessionStorage";

/** What this browser keeps under a name: `null` is nothing, `undefined` where storage is forbidden. */
export function readKept(name: string, storage: Storage = "localStorage"): string | null | undefined {
  try {
    return globalThis[storage].getItem(name);
  } catch {
    return undefined;
  }
}

/** As `readKept`, of JSON; `null` too of what is none. */
export function parseKept(name: string, storage?: Storage): unknown {
  try {
    return JSON.parse(readKept(name, storage) ?? "null");
  } catch {
    return null;
  }
}

/** Keeps a text, or forgets it with `null`. Whether the browser could. */
export function keep(name: string, text: string | null, storage: Storage = "localStorage"): boolean {
  try {
    if (text === null) globalThis[storage].removeItem(name);
    else globalThis[storage].setItem(name, text);
    return true;
  } catch {
    return false;
  }
}

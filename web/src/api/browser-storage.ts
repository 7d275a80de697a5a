/** What this browser keeps under a name: `null` is nothing, `undefined` where storage is forbidden. */
export function readKept(name: string): string | null | undefined {
  try {
    return localStorage.getItem(name);
  } catch {
    return undefined;
  }
}

/** As `readKept`, of JSON; `null` too of what is none. */
export function parseKept(name: string): unknown {
  try {
    return JSON.parse(readKept(name) ?? "null");
  } catch {
    return null;
  }
}

/** Keeps a text, or forgets it with `null`. Whether the browser could. */
export function keep(name: string, text: string | null): boolean {
  try {
    if (text === null) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
    return true;
  } catch {
    return false;
  }
}

import { browser } from "@wxt-dev/browser";
import { optional, shape, table, text, type Guarded } from "../messages/guards.ts";
import { codeIn } from "../platform/page-location.ts";
import { asCallError, call } from "./call.ts";

const isLibrary = shape({
  /** The ids of scripts by the codes of their reels, or by their addresses on other platforms. */
  scripts: table(text(128)),
  cursor: optional(text(2_048)),
});
type Library = Guarded<typeof isLibrary>;
const nothing: Library = { scripts: {}, cursor: undefined };

/** Pages of a library of millions; the rest waits until the next time. */
const mostPages = 200;

/** The reels that the account has a script of, as of the last request to the service. */
export async function readLibrary(): Promise<Library> {
  const { library } = await browser.storage.local.get("library");
  return isLibrary(library) ? library : nothing;
}

export const scriptOf = async (code: string): Promise<string | undefined> => (await readLibrary()).scripts[code];

/** Scripts that were just added: their ids by the codes of their reels. */
export async function keepScripts(added: Readonly<Record<string, string>>): Promise<void> {
  const { scripts, cursor } = await readLibrary();
  await browser.storage.local.set({ library: { scripts: { ...scripts, ...added }, cursor } });
}

/** Requests new scripts from the service. If it fails, the next time catches up. */
export async function syncLibrary(): Promise<void> {
  try {
    const storedLibrary = await readLibrary();
    const { library, total } = await addTo(storedLibrary).catch((error: unknown) => {
      // An updated service may no longer accept its earlier cursors.
      if (storedLibrary.cursor === undefined || asCallError(error).code !== "invalidRequest") throw error;
      return addTo(nothing);
    });
    const isWhole = total === undefined || Object.keys(library.scripts).length === total;
    // A different number means that scripts were deleted.
    const current = isWhole ? library : (await addTo(nothing)).library;
    await browser.storage.local.set({ library: current });
  } catch {
    // The marks are a convenience: nothing else waits for them.
  }
}

async function addTo({ scripts, cursor }: Library): Promise<{ readonly library: Library; readonly total?: number }> {
  const all: Record<string, string> = { ...scripts };
  let next = cursor;
  for (let page = 0; page < mostPages; page += 1) {
    const answer = await call("listScriptReels", { cursor: next });
    for (const { id, reelUrl } of answer.scripts) all[codeOf(reelUrl) ?? reelUrl] = id;
    next = answer.cursor;
    if (!answer.more) return { library: { scripts: all, cursor: next }, total: answer.total };
  }
  return { library: { scripts: all, cursor: next } };
}

const codeOf = (reelUrl: string): string | undefined =>
  URL.canParse(reelUrl) ? codeIn(new URL(reelUrl).pathname) : undefined;

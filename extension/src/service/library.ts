import { browser } from "@wxt-dev/browser";
import { optional, shape, table, text, type Guarded } from "../messages/guards.ts";
import { codeIn } from "../platform/place.ts";
import { asCallError, call } from "./call.ts";

const isLibrary = shape({
  /** The ids of scripts by the codes of their reels, or by their addresses where those are of another platform. */
  scripts: table(text(128)),
  cursor: optional(text(2_048)),
});
type Library = Guarded<typeof isLibrary>;
const nothing: Library = { scripts: {}, cursor: undefined };

/** Pages of a library of millions; more than that are left to the next time. */
const mostPages = 200;

/** Which reels the account has a script of, as of the last time the service was asked. */
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

/** Asks the service for what was added since the last time. If it fails, the next time catches up. */
export async function syncLibrary(): Promise<void> {
  try {
    const storedLibrary = await readLibrary();
    const { library, total } = await addTo(storedLibrary).catch((error: unknown) => {
      // A service that was updated may no longer know its cursors of before.
      if (storedLibrary.cursor === undefined || asCallError(error).code !== "invalidRequest") throw error;
      return addTo(nothing);
    });
    const isWhole = total === undefined || Object.keys(library.scripts).length === total;
    // Another number means that scripts were deleted.
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

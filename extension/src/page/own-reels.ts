import { browser } from "wxt/browser";
import { isLibraryAnswer } from "../messages/page-messages.ts";

const mostCodes = 2_000;

/** Which of the reels on the page are in the person's library, as far as the extension was asked. */
export function createOwnReels(onLearned: () => void) {
  const known = new Set<string>();
  const asked = new Set<string>();
  return {
    has: (code: string): boolean => known.has(code),
    /** Asks the extension itself, which looks it up in what it keeps. */
    async ask(codes: readonly string[]): Promise<void> {
      const fresh = codes.filter((code) => !asked.has(code)).slice(0, mostCodes);
      if (fresh.length === 0) return;
      for (const code of fresh) asked.add(code);
      const answer: unknown = await browser.runtime.sendMessage({ type: "inLibrary", codes: fresh }).catch(() => []);
      if (!isLibraryAnswer(answer) || answer.length === 0) return;
      for (const code of answer) known.add(code);
      onLearned();
    },
    forget(): void {
      asked.clear();
      known.clear();
    },
  };
}

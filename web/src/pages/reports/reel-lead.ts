const longestLead = 90;
const wordsWithoutEnd = 10;

/** Splits a caption into its first sentence, or its first words, and the rest. */
export function captionParts(caption: string) {
  const text = caption.trim();
  const end = /[.!?…।؟](?=\s|$)|\n/u.exec(text);
  if (end && end.index < longestLead) {
    const after = end.index + 1;
    return { lead: text.slice(0, after).trim(), rest: text.slice(after).trim() };
  }
  const words = text.split(/\s+/);
  return { lead: words.slice(0, wordsWithoutEnd).join(" "), rest: words.slice(wordsWithoutEnd).join(" ") };
}

/** A reel's name in one line: the lead of its caption, or else its handle. */
export const leadOf = (caption: string | null | undefined, handle: string): string =>
  caption?.trim() ? captionParts(caption).lead : `@${handle}`;

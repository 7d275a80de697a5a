/** The beginning of a text, at most `length` UTF-16 units long: never half of a surrogate pair. */
export function wholeCharacters(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd8_00 && last <= 0xdb_ff ? length - 1 : length);
}

const longestBeginning = 72;
/** A short one is an abbreviation or a call ("Mr.", "Hi."), and continues. */
const sentence = /^.{11,}?[.!?…।؟。](?=["'”’»)]*(\s|$))/su;

/** The first sentence of a text, or its first words, without the full stop. */
export function beginningOf(text: string): string {
  const beginning = text
    .slice(0, 4 * longestBeginning)
    .trim()
    .replace(/\s+/g, " ");
  const first = (sentence.exec(beginning)?.[0] ?? beginning).replace(/(?<![.।…])[.।…]+$/u, "");
  if (first.length <= longestBeginning) return first;
  const space = first.slice(0, longestBeginning + 1).lastIndexOf(" ");
  const cut = wholeCharacters(first, space > longestBeginning / 2 ? space : longestBeginning);
  return `${cut.replace(/(?<![\s,;:–-])[\s,;:–-]+$/u, "")}…`;
}

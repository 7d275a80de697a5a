const longest = 72;
const sentence = /^.{12,}?[.!?…।؟。]+(?=["'”’»)]*(\s|$))/su;

/** The first sentence of a text, or its first words. */
export function beginningOf(text: string): string {
  const beginning = text
    .slice(0, 4 * longest)
    .trim()
    .replace(/\s+/g, " ");
  const first = (sentence.exec(beginning)?.[0] ?? beginning).replace(/[.।…]+$/u, "");
  if (first.length <= longest) return first;
  const cut = first.slice(0, longest + 1);
  const space = cut.lastIndexOf(" ");
  return `${cut.slice(0, space > longest / 2 ? space : longest).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

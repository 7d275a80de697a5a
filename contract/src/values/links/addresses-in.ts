import { linkGrammars } from "./link-grammars.ts";

const hosts = linkGrammars
  .flatMap((grammar) => grammar.hosts)
  .map((host) => host.replaceAll(".", "\\."))
  .join("|");
const rest = '[^\\s\\p{Cf}<>[\\]"“”«»‹›\\\\^`{|}]+';
const address = new RegExp(`https?://${rest}|(?<![\\p{L}\\p{N}@/._-])(?:${hosts})\\.?/${rest}`, "giu");
/** Signs after an address that belong to the sentence or the markup around it. */
const clinging = ".,;:!?)*~'’…";

function withoutClinging(text: string): string {
  let end = text.length;
  while (end > 0 && clinging.includes(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

/**
 * The addresses in a text, as written and in order: in sentences, angle brackets, Markdown and quotation marks. Without a
 * scheme, only those of platforms.
 */
export const addressesIn = (text: string): string[] =>
  Array.from(text.matchAll(address), ([text]) => withoutClinging(text));

/** A part of a search query. */
export interface QueryPart {
  /** Without the quotation marks around a phrase. */
  readonly text: string;
  /** The part was quoted, so its words must be consecutive. */
  readonly isPhrase: boolean;
}

/**
 * Keyboards and programs put any of these at either end ("a", “a”, ”a“, „a“, «a», »a«, ＂a＂, 「a」, ❝a❞), so any two of them quote
 * the text between them. Single ones look like apostrophes: ‘ and ‚ open where a word begins, and ’ or ‘ closes where one ends.
 */
const part =
  /["“”„‟«»‹›＂〝〞〟「」『』｢｣❝❞❠]([^"“”„‟«»‹›＂〝〞〟「」『』｢｣❝❞❠]*)["“”„‟«»‹›＂〝〞〟「」『』｢｣❝❞❠]|(?<![^\s(])[‘‚]([^\s‘’][^‘]{0,499}?)[’‘](?![\p{L}\p{N}])|[^\s"“”„‟«»‹›＂〝〞〟「」『』｢｣❝❞❠]+/gu;

/** Splits a query in order into quoted phrases and words. */
export const queryParts = (query: string): QueryPart[] =>
  Array.from(query.matchAll(part), ([whole, quoted, single]) => ({
    text: quoted ?? single ?? whole,
    isPhrase: quoted !== undefined || single !== undefined,
  }));

/** True if the last part is a word that may be unfinished. */
export const isBeingTyped = (query: string): boolean => {
  const last = queryParts(query).at(-1);
  return last !== undefined && !last.isPhrase && query.endsWith(last.text);
};

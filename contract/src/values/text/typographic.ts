/**
 * A text with typographic quotation marks and apostrophes, as pages for people have them. Messages for programs and terminals
 * have the plain signs, which a keyboard has.
 */
export const typographic = (text: string): string =>
  text
    .replaceAll(/(?<=[\p{L}\p{N}])'(?=\p{L})/gu, "’")
    .replaceAll(/(?<=s)'(?=\s)/gu, "’")
    .replaceAll(/"(?=\S)([^"]*\S)"/gu, "“$1”");

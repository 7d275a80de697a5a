/** The beginning of a text, at most `length` UTF-16 units long: never half of a surrogate pair. */
export function wholeCharacters(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd8_00 && last <= 0xdb_ff ? length - 1 : length);
}
